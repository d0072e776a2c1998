import type { Caller } from '../../core/access/caller.ts'
import { fail } from '../../core/api/errors.ts'
import type { DisputeReason } from '../../core/payments/disputes.ts'
import { findProvider, providerOf } from '../../open-providers.ts'
import type { Charge } from '../../payments/charges/charge.ts'
import { waitingReference } from '../../payments/charges/process/charge-operations.ts'
import type {
  CustomerActions,
  CustomerOutcome,
  WaitingOperation,
} from '../../providers/test-customers.ts'
import { inTransaction, type Service } from '../../service.ts'
import { requireRow } from '../../store/sql/reads/find-row.ts'
import { heldAmount } from '../deposits/deposit.ts'
import type { Dispute } from '../disputes/dispute.ts'
import { recordDispute } from '../disputes/open-dispute.ts'
import { storeNotification } from '../notifications/store-notification.ts'

/** A test charge of the caller; any other charge is not found. */
export async function getTestCharge(
  service: Service,
  { merchant_id, store_id, mode }: Caller,
  id: string,
): Promise<Charge> {
  if (mode === 'live') fail('NOT_FOUND')
  return requireRow(service, 'charges', { merchant_id, store_id, id, mode: 'test' })
}

/** The actions of a tester in place of the customer; null if only the customer can act. */
export function customerActions(
  { providers }: Service,
  payment: Parameters<typeof providerOf>[1],
): CustomerActions | null {
  return providerOf(providers, payment)?.customer ?? null
}

export function waitingOf(charge: Charge): WaitingOperation {
  return {
    merchant_id: charge.merchant_id,
    resource_type: 'charge',
    resource_id: charge.id,
    reference: waitingReference(charge),
    kind: charge.instructions?.kind === 'three_ds' ? 'challenge' : 'payment',
  }
}

/** Acts in place of the customer; the provider then notifies. False when nothing waited any more. */
export async function actAsCustomer(
  service: Service,
  customer: CustomerActions | null,
  waiting: WaitingOperation,
  outcome: CustomerOutcome,
): Promise<boolean> {
  if (!customer) return false
  return inTransaction(service, async (tx) => {
    const acted = await customer.act(tx.db, waiting, outcome)
    if (acted) await storeNotification(tx, { ...waiting, mode: 'test' })
    return acted
  })
}

/** The customer of a waiting test charge pays, declines, or lets it run out. */
export async function completeCharge(
  service: Service,
  charge: Charge,
  outcome: CustomerOutcome,
): Promise<void> {
  const { status, match_amount } = charge
  const by_deposit = match_amount !== null && outcome === 'successful'
  const customer = customerActions(service, charge)
  const done =
    status === 'awaiting' &&
    (by_deposit
      ? (await depositTo(service, charge, await missingAmount(service, charge), null)) !== ''
      : await actAsCustomer(service, customer, waitingOf(charge), outcome))
  if (!done) {
    fail('VALIDATION_ERROR', {
      message: 'The charge does not wait for its customer.',
      errors: [{ field: 'charge_id', reason: 'INVALID_CHARGE_STATUS' }],
    })
  }
}

/** Money arrives for a charge in any state: unexpected money is returned. */
export async function depositTo(
  service: Service,
  charge: Charge,
  amount: number,
  name: string | null,
): Promise<string> {
  const customer = customerActions(service, charge)
  if (charge.match_amount === null || charge.instructions === null || !customer) {
    fail('VALIDATION_ERROR', {
      message:
        'Only a charge at a till or by bank transfer takes deposits, once it has been accepted.',
      errors: [{ field: 'charge_id', reason: 'INVALID_CHARGE_STATUS' }],
    })
  }
  const { merchant_id, id: charge_id, mode, provider_currency: currency } = charge
  return inTransaction(service, async (tx) => {
    const deposit = { merchant_id, charge_id, amount, currency, name }
    const reference = await customer.deposit(tx.db, deposit)
    const resource = { merchant_id, mode, resource_type: 'charge', resource_id: charge_id } as const
    await storeNotification(tx, resource)
    return reference
  })
}

/** The customer of a test charge disputes it: all that is left of it, or the given amount. */
export async function disputeCharge(
  service: Service,
  charge: Charge,
  { amount, reason }: { amount: number | null; reason: DisputeReason },
): Promise<Dispute> {
  const customer = customerActions(service, charge)
  const { merchant_id, id: charge_id, charged_amount, charged_currency: currency } = charge
  const dispute = await inTransaction(service, async (tx) => {
    if (!customer || charged_amount === null || currency === null) return null
    const wanted = { merchant_id, charge_id, amount: amount ?? charged_amount, currency, reason }
    return recordDispute(tx, charge, await customer.dispute(tx.db, wanted))
  })
  if (dispute) return dispute
  fail('VALIDATION_ERROR', {
    message: 'Only a successful charge can be disputed, and only money that is left of it.',
    errors: [{ field: 'charge_id', reason: 'INVALID_CHARGE_STATUS' }],
  })
}

/** The bank of the customer decides a dispute of test mode. */
export async function completeDispute(
  service: Service,
  { merchant_id, mode, store_id }: Caller,
  dispute_id: string,
  outcome: 'won' | 'lost',
): Promise<Dispute> {
  if (mode === 'live') fail('NOT_FOUND')
  const known = { merchant_id, store_id, id: dispute_id, mode: 'test' }
  const dispute = await requireRow(service, 'disputes', known)
  const customer = findProvider(service.providers, dispute.provider)?.customer
  return inTransaction(service, async (tx) => {
    const wanted = { merchant_id, reference: dispute.provider_reference, outcome }
    const report = await customer?.decideDispute(tx.db, wanted)
    const charge = { merchant_id, id: dispute.charge_id }
    return (report && (await recordDispute(tx, charge, report))) ?? fail('DISPUTE_NOT_OPEN')
  })
}

/** The remaining amount that a customer has to pay. */
export async function missingAmount(service: Service, charge: Charge): Promise<number> {
  return charge.provider_amount - (await heldAmount(service, charge))
}
