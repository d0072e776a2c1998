import { credentialsFor } from '../../accounts/provider-credentials/provider-credentials.ts'
import { takenOf } from '../../payments/charges/process/charge-operations.ts'
import { disputesReported } from '../../payments/provider-calls/provider-responses.ts'
import type { ChargeAttempt, Service } from '../../service.ts'
import { recordDispute } from './open-dispute.ts'

/** Asks which disputes a charge has and records what is new; false: the provider did not answer. */
export async function followDisputes(service: Service, attempt: ChargeAttempt): Promise<boolean> {
  const { provider, row: charge } = attempt
  const { merchant_id, store_id, mode, id: charge_id } = charge
  const credentials = await credentialsFor(service, provider, charge)
  const named = { merchant_id, store_id, mode, charge_id, credentials, ...takenOf(charge) }
  const reports = await disputesReported(service, attempt, async (limit) =>
    provider.disputes ? provider.disputes(named, limit) : [],
  )
  for (const report of reports ?? []) await recordDispute(service, charge, report)
  return reports !== null
}
