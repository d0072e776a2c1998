import type { Caller } from '../../core/caller.ts'
import { fail } from '../../core/errors.ts'
import {
  actAsCustomer,
  type CustomerOutcome,
  payDeposit,
  type Waiting,
} from '../../providers/simulator/act-as-customer.ts'
import type { Service } from '../../service.ts'
import type { Charge } from '../charges/charge.ts'
import { waitingReference } from '../charges/continue-awaiting.ts'
import { heldAmount } from '../deposits/deposit.ts'

/** A test charge of the caller; anything else is not there. */
export async function getTestCharge(
  service: Service,
  { merchant_id, store_id, mode }: Caller,
  id: string,
): Promise<Charge> {
  let charges = service.db
    .selectFrom('charges')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .where('mode', '=', 'test')
  if (store_id) charges = charges.where('store_id', '=', store_id)
  const found = mode === 'live' ? undefined : await charges.executeTakeFirst()
  return found ?? fail('NOT_FOUND')
}

export function waitingOf(charge: Charge): Waiting {
  return {
    merchant_id: charge.merchant_id,
    resource_type: 'charge',
    resource_id: charge.id,
    reference: waitingReference(charge),
    kind: charge.instructions?.kind === 'three_ds' ? 'challenge' : 'payment',
  }
}

/** The customer of a waiting test charge pays, declines, or lets it run out. */
export async function completeCharge(
  service: Service,
  charge: Charge,
  outcome: CustomerOutcome,
): Promise<void> {
  const { status, match_amount } = charge
  const by_deposit = match_amount !== null && outcome === 'successful'
  const done =
    status === 'awaiting' &&
    (by_deposit
      ? (await depositTo(service, charge, await missingAmount(service, charge), null)) !== ''
      : await actAsCustomer(service, waitingOf(charge), outcome))
  if (!done) {
    fail('VALIDATION_ERROR', {
      message: 'The charge does not wait for its customer.',
      errors: [{ field: 'charge_id', reason: 'INVALID_CHARGE_STATUS' }],
    })
  }
}

/** Money arrives for a charge, however it stands: what is not wanted is sent back. */
export async function depositTo(
  service: Service,
  charge: Charge,
  amount: number,
  name: string | null,
): Promise<string> {
  if (charge.match_amount === null || charge.instructions === null) {
    fail('VALIDATION_ERROR', {
      message:
        'Only a charge at a till or by bank transfer takes deposits, once it has been accepted.',
      errors: [{ field: 'charge_id', reason: 'INVALID_CHARGE_STATUS' }],
    })
  }
  const { merchant_id, id: charge_id, provider_currency: currency } = charge
  return payDeposit(service, { merchant_id, charge_id, amount, currency, name })
}

/** What a customer still has to pay for all to be paid. */
export async function missingAmount(service: Service, charge: Charge): Promise<number> {
  return charge.provider_amount - (await heldAmount(service, charge))
}
