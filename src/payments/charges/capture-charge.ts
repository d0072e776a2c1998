import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/access/caller.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { nullable } from '../../core/api/schemas.ts'
import { atTimeOf, inTransaction, now, type Service } from '../../service.ts'
import { type ChargePath, getCharge } from './charge.ts'
import { Amount, Currency } from './charge-input.ts'

export const CaptureCharge = named(
  'CaptureCharge',
  Type.Object({
    amount: described(
      Type.Optional(nullable(Amount)),
      'The amount to capture. Maximum and default: the authorized amount. The rest is ' +
        'released.',
    ),
    currency: described(
      Type.Optional(nullable(Currency)),
      'The currency of the charge; not needed without `amount`.',
    ),
  }),
  'The captured amount of an authorized charge.',
)
export type CaptureCharge = Static<typeof CaptureCharge>

/**
 * Accepts a capture; the worker carries it out. The charge's row is locked, so of a capture and a
 * cancel, or of two captures, at the same time one is accepted.
 */
export async function captureCharge(
  service: Service,
  caller: Caller,
  path: ChargePath,
  { amount, currency }: CaptureCharge,
): Promise<void> {
  return inTransaction(service, async (base) => {
    const charge = await getCharge(base, caller, path, true)
    const tx = atTimeOf(base, charge)
    if (charge.pending_action === 'capture' || charge.status === 'successful') {
      fail('ALREADY_CAPTURED')
    }
    if (charge.status !== 'authorized' || charge.pending_action) {
      fail('VALIDATION_ERROR', {
        message: 'Only an authorized charge can be captured.',
        errors: [{ field: 'status', reason: 'INVALID_CHARGE_STATUS' }],
      })
    }
    if (currency && currency.toUpperCase() !== charge.requested_currency) {
      fail('CURRENCY_MUST_MATCH_CHARGE')
    }
    if (amount && amount > charge.requested_amount) fail('CAPTURE_AMOUNT_TOO_LARGE')
    await tx.db
      .updateTable('charges')
      .set((column) => ({
        pending_action: 'capture',
        capture_amount: amount ?? charge.requested_amount,
        due_on: now(tx),
        updated_on: now(tx),
        // A worker that is ending or capturing the charge now loses its claim.
        claims: column('claims', '+', 1),
      }))
      .where('merchant_id', '=', charge.merchant_id)
      .where('id', '=', charge.id)
      .execute()
    tx.afterCommit(() => tx.signals.broadcast('work', 'charges'))
  })
}
