import { credentialsFor } from '../../accounts/provider-credentials/provider-credentials.ts'
import { takenOf } from '../../payments/charges/process/charge-operations.ts'
import { depositsOf } from '../../payments/provider-calls/provider-responses.ts'
import type { ChargeAttempt, Service } from '../../service.ts'
import { postDeposit } from './post-deposit.ts'

/** Asks what has arrived for a charge and posts what is new; false: the provider did not answer. */
export async function postArrivedDeposits(
  service: Service,
  attempt: ChargeAttempt,
): Promise<boolean> {
  const { provider, row: charge } = attempt
  const { merchant_id, store_id, mode, id: charge_id } = charge
  const credentials = await credentialsFor(service, provider, charge)
  const named = { merchant_id, store_id, mode, charge_id, credentials, ...takenOf(charge) }
  const arrived = await depositsOf(service, attempt, charge_id, (limit) =>
    provider.deposits(named, limit),
  )
  for (const deposit of arrived ?? []) {
    await postDeposit(service, { merchant_id, charge_id, ...deposit })
  }
  return arrived !== null
}
