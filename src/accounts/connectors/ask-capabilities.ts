import { isDeepStrictEqual } from 'node:util'
import type { Selectable, Updateable } from 'kysely'
import { installation_id } from '../../core/ids.ts'
import { capability_policy } from '../../core/limits/retry-policies.ts'
import type { AccountCapabilities } from '../../core/payments/account-capabilities.ts'
import { connectors_changed, findProvider } from '../../open-providers.ts'
import type { Outcome, Provider } from '../../providers/provider.ts'
import { announce, inTransaction, now, type Service, type Transacting } from '../../service.ts'
import { stillClaimed } from '../../store/due/due-work.ts'
import type { Db } from '../../store/tables/db.ts'
import type { AccountCapabilityTable } from '../../store/tables/payments/provider-tables.ts'
import type { Charge } from '../../store/tables/rows.ts'
import { credentialsFor } from '../provider-credentials/provider-credentials.ts'

type Row = Selectable<AccountCapabilityTable>

/** An account at a provider; that of the installation belongs to the nil merchant. */
export type ProviderAccount = Pick<Row, 'merchant_id' | 'id' | 'provider'>

const { min_wait_ms, max_wait_ms, min_pause_ms, response_ms } = capability_policy

function later(at: Date, wait_ms: number): Date {
  return new Date(at.getTime() + wait_ms)
}

/** Every process reads the routing of the account's stores again. */
function announceChange(tx: Transacting, { merchant_id }: ProviderAccount): Promise<void> {
  return announce(tx, 'routing', merchant_id === installation_id ? connectors_changed : merchant_id)
}

/** Stores what an account takes, as its provider has just answered to a test call. */
export async function storeCapabilities(
  tx: Transacting,
  account: ProviderAccount,
  takes: AccountCapabilities,
): Promise<void> {
  const at = now(tx)
  const response = { takes: JSON.stringify(takes), asked_on: at, due_on: later(at, min_wait_ms) }
  await tx.db
    .insertInto('account_capabilities')
    .values({ ...account, ...response, changed_on: at })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'id']).doUpdateSet((row) => ({
        ...response,
        changed_on: row
          .case()
          .when('account_capabilities.takes', 'is distinct from', row.ref('excluded.takes'))
          .then(at)
          .else(row.ref('account_capabilities.changed_on'))
          .end(),
        // A request in progress may have used the previous settings.
        claims: row('account_capabilities.claims', '+', 1),
      })),
    )
    .execute()
  await announceChange(tx, account)
}

/** Asks an account again what it takes. While there is no answer, what it said last holds. */
export async function askCapabilities(service: Service, row: Row): Promise<void> {
  const provider = findProvider(service.providers, row.provider)
  if (provider && !provider.accountCapabilities) return write(service.db, row, { due_on: null })
  const takes = provider && (await responseOf(service, provider, row))
  const at = now(service)
  if (!takes) return write(service.db, row, { asked_on: at, due_on: later(at, min_wait_ms) })
  const is_same = isDeepStrictEqual(row.takes, takes)
  const changed_on = is_same ? row.changed_on : at
  const stood_ms = at.getTime() - changed_on.getTime()
  const due_on = later(at, Math.min(Math.max(stood_ms, min_wait_ms), max_wait_ms))
  await inTransaction(service, async (tx) => {
    await write(tx.db, row, { takes: JSON.stringify(takes), asked_on: at, changed_on, due_on })
    if (!is_same) await announceChange(tx, row)
  })
}

/** Unless the row was claimed again meanwhile, or the settings were replaced. */
async function write(db: Db, row: Row, set: Updateable<AccountCapabilityTable>): Promise<void> {
  await db.updateTable('account_capabilities').set(set).where(stillClaimed(row)).execute()
}

/** Null: there is no answer now. */
async function responseOf(
  service: Service,
  provider: Provider,
  { merchant_id, id }: Row,
): Promise<AccountCapabilities | null> {
  try {
    const owner = { merchant_id, provider_credentials_id: id }
    const credentials = await credentialsFor(service, provider, owner)
    const limit = { signal: AbortSignal.timeout(response_ms) }
    return (await provider.accountCapabilities?.(credentials, limit)) ?? null
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'no answer'
    const about = { connector: provider.name, merchant_id, problem }
    service.log.warn(about, 'a provider did not report what an account accepts')
    return null
  }
}

/**
 * A payment was routed to an account that says it does not take it: its answer has changed, or was never
 * asked for. So it is asked soon, for the payments after this one.
 */
export async function askSoon(
  service: Service,
  provider: Provider,
  charge: Pick<Charge, 'merchant_id' | 'provider_credentials_id'>,
  outcome: Outcome,
): Promise<void> {
  const { provider_credentials_id: id } = charge
  const is_said = outcome.outcome === 'not_taken' && outcome.is_in_order === true
  if (!is_said || !provider.accountCapabilities || id === null) return
  const is_own = id !== service.providers.connectors.get(provider.name)?.id
  const merchant_id = is_own ? charge.merchant_id : installation_id
  const at = now(service)
  const row = { merchant_id, id, provider: provider.name, takes: null, asked_on: null }
  await service.db
    .insertInto('account_capabilities')
    .values({ ...row, changed_on: at, due_on: at })
    .onConflict((conflict) =>
      conflict
        .columns(['merchant_id', 'id'])
        .doUpdateSet({ due_on: at })
        .where((known) =>
          known.or([
            known('account_capabilities.asked_on', 'is', null),
            known('account_capabilities.asked_on', '<', later(at, -min_pause_ms)),
          ]),
        )
        .where('account_capabilities.due_on', '>', at),
    )
    .execute()
    // The payment itself continues: it was not taken, whatever this returns.
    .catch((error) =>
      service.log.warn({ err: error }, 'what an account accepts could not be requested'),
    )
}
