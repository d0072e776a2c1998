import { askSoon } from '../../../accounts/connectors/ask-capabilities.ts'
import { findCredentials } from '../../../accounts/provider-credentials/provider-credentials.ts'
import { chargeError } from '../../../core/payments/charge-errors.ts'
import type { Deadline } from '../../../core/time/deadline.ts'
import type { LocalKind } from '../../../local-work.ts'
import { findProvider, providerOf } from '../../../open-providers.ts'
import type { Provider } from '../../../providers/provider.ts'
import type { Service } from '../../../service.ts'
import { stillClaimed } from '../../../store/due/due-work.ts'
import { awaitProvider } from '../../provider-calls/await-provider.ts'
import { callProvider, inquire } from '../../provider-calls/run-operation.ts'
import type { Charge } from '../charge.ts'
import { settleCharge } from '../settle/settle-charge.ts'
import { authorizing } from './authorize.ts'
import { awaiting, closing, withdrawing } from './await-customer.ts'
import { capturing, releasing } from './capture.ts'
import { reversing } from './reverse.ts'
import {
  type ChargeContext,
  type Prepared,
  type Purpose,
  purposeOf,
  type Room,
  type Said,
  type Step,
} from './step.ts'
import { writeChange } from './write-change.ts'

export const charge_work: LocalKind<Charge, ChargeContext> = { name: 'charges' }

const rooms: Readonly<Record<Purpose, Room>> = {
  authorize: authorizing,
  await: awaiting,
  withdraw: withdrawing,
  close: closing,
  capture: capturing,
  release: releasing,
  reverse: reversing,
}

/** Does what a charge has to do: each time round, its provider is asked once and the answer is written. */
export async function processCharge(
  service: Service,
  charge: Charge,
  deadline: Deadline,
  context?: ChargeContext,
): Promise<void> {
  let step = await enter(service, charge, deadline, context)
  while (step) {
    const room = rooms[step.purpose]
    const prepared = await room.prepare(service, step)
    if (!prepared) return
    const said = await call(service, prepared)
    const change = room.classify(service, prepared.step, said)
    step = await writeChange(service, prepared.step, change)
  }
}

/** The only door to the providers of charges. */
async function call(service: Service, prepared: Prepared): Promise<Said> {
  if ('said' in prepared) return prepared.said
  const { step } = prepared
  if ('question' in prepared) return inquire(service, step, prepared.question)
  const said = await callProvider(service, step, prepared.call)
  if (step.purpose === 'authorize') await askSoon(service, step.provider, step.row, said.outcome)
  return said
}

/** The charge with its provider and its account there; null when it cannot go anywhere. */
async function enter(
  service: Service,
  charge: Charge,
  deadline: Deadline,
  context: ChargeContext | undefined,
): Promise<Step | null> {
  const provider = providerOf(service.providers, charge) ?? (await findNew(service, charge))
  if (!provider) return endWithoutProvider(service, charge)
  const row = provider.capabilities.credentials
    ? await withAccount(service, withProvider(charge, provider), provider)
    : withProvider(charge, provider)
  if (!row) return endWithoutProvider(service, charge, provider)
  const purpose = purposeOf(row)
  return purpose && { purpose, provider, row, deadline, context, known: {} }
}

/** Another process may know the connector of a charge a moment before this one does. */
async function findNew({ providers }: Service, { provider }: Charge): Promise<Provider | null> {
  if (provider === null) return null
  await providers.refresh()
  return findProvider(providers, provider)
}

/** The settling statement stores it with the outcome. */
function withProvider(charge: Charge, { name }: Provider): Charge {
  return charge.provider === null ? { ...charge, provider: name } : charge
}

/**
 * Stores the account that the payment goes to before its provider is called; from then on it is kept.
 * Null: the merchant has none there, or another worker has the charge.
 */
async function withAccount(
  service: Service,
  charge: Charge,
  provider: Provider,
): Promise<Charge | null> {
  if (charge.provider_credentials_id !== null) return charge
  const provider_credentials_id = await findCredentials(service, provider, charge)
  if (provider_credentials_id === null) return null
  const stored = await service.db
    .updateTable('charges')
    .set({ provider_credentials_id })
    .where(stillClaimed(charge, charge.status))
    .returning('id')
    .executeTakeFirst()
  return stored ? { ...charge, provider_credentials_id } : null
}

/** A charge that no provider takes fails; one whose provider is not configured any more waits for it. */
async function endWithoutProvider(
  service: Service,
  charge: Charge,
  without_account: Provider | null = null,
): Promise<null> {
  const is_missing = charge.provider !== null && !findProvider(service.providers, charge.provider)
  if (charge.status !== 'pending' || is_missing) {
    await awaitProvider(service, 'charges', charge)
    return null
  }
  const detail = without_account
    ? `The merchant has no account at the connector ${without_account.name}.`
    : noConnector(service, charge)
  const error = chargeError(504, detail)
  await settleCharge(service, charge, { action: 'fail_technically', error })
  return null
}

function noConnector({ providers }: Service, { route }: Charge): string {
  if (route && route.rules !== null) {
    return 'No connector that the routing rules name takes this payment.'
  }
  return providers.connectors.size > 0
    ? 'No connector takes this payment.'
    : 'No connector is configured for live payments.'
}
