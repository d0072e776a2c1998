import type { Service } from '../../service.ts'
import { findRow } from '../../store/sql/reads/find-row.ts'
import { viewCharge } from './charge.ts'

/** Why a charge is as it is: itself, where it went, what is left to do, and every call of its provider. */
export async function explainCharge(service: Service, merchant_id: string, id: string) {
  const charge = await findRow(service, 'charges', { merchant_id, id })
  if (!charge) return null
  const { provider, route, provider_reference, authorization_code, transaction_token_id } = charge
  const operations = await service.db
    .selectFrom('provider_operations')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    // The token may have been authenticated on its own.
    .where('charge_id', 'in', [id, transaction_token_id])
    .orderBy('started_on')
    .orderBy('attempt')
    // Within a claim, what was asked came before what was sent, and the cardholder before the money.
    .orderBy('is_inquiry', 'desc')
    .orderBy('kind')
    .execute()
  return {
    charge: viewCharge(service, charge),
    provider,
    route,
    provider_reference,
    authorization_code,
    pending_action: charge.pending_action,
    due_on: charge.due_on,
    claims: charge.claims,
    operations: operations.map(({ merchant_id: _, charge_id: __, ...operation }) => operation),
  }
}
