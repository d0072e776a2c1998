import {
  openAllCredentials,
  openInstallationSettings,
} from '../../accounts/provider-credentials/provider-credentials.ts'
import { PlainError } from '../../core/api/plain-error.ts'
import type { SettlementLine } from '../../core/payments/settlements.ts'
import { day_ms } from '../../core/time/clock.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Service } from '../../service.ts'
import type { Source } from './reconcile.ts'

/** Providers record some lines late, with an earlier date. A repeated line is recognised by its name. */
const reported_again_ms = 3 * day_ms

/** The settlements of a connector since its last completed run, for every account. */
export async function connectorSource(service: Service, provider: Provider): Promise<Source> {
  const { name } = provider
  if (!provider.settlements) {
    throw new PlainError(`The connector ${name} provides no settlements. Pass a settlement FILE.`)
  }
  const last = await service.db
    .selectFrom('reconciliation_runs')
    .select(({ fn }) => fn.max('period_to').as('to'))
    .where('provider', '=', name)
    .where('digest', 'is', null)
    .where('status', '=', 'finished')
    .executeTakeFirst()
  const period_from = last?.to ?? null
  const since = new Date(Math.max(0, (period_from?.getTime() ?? 0) - reported_again_ms))
  const lines = () => linesOf(service, provider, since)
  return { provider: name, name, digest: null, period_from, lines }
}

async function* linesOf(
  service: Service,
  provider: Provider,
  since: Date,
): AsyncGenerator<SettlementLine> {
  const of_installation = service.providers.connectors.has(provider.name)
    ? await openInstallationSettings(service, provider.name)
    : null
  const accounts = await openAllCredentials(service, provider)
  if (of_installation) accounts.unshift(of_installation)
  if (accounts.length === 0) {
    throw new PlainError(
      `The connector ${provider.name} has no settings. Add them with "kaikei connectors add".`,
    )
  }
  for (const credentials of accounts) {
    yield* provider.settlements?.({ since, credentials }) ?? []
  }
}
