import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import { common } from '../../../core/api/common-fields.ts'
import { described, named } from '../../../core/api/described-schemas.ts'
import { Id, nullable, PageOf } from '../../../core/api/schemas.ts'
import { formatAmount } from '../../../core/money/money.ts'
import type { Service } from '../../../service.ts'
import { findRow, requireRow } from '../../../store/sql/reads/find-row.ts'
import type { SubscriptionPaymentTable } from '../../../store/tables/commerce/subscription-tables.ts'

export type Payment = Selectable<SubscriptionPaymentTable>

const text = nullable(Type.String())

/** The fields of a payment before it exists, as in a simulated plan. */
const planned = {
  due_date: described(Type.String(), 'The day of the payment, as year-month-day.'),
  zone_id: described(Type.String(), 'The time zone of the day.'),
  amount: common.amount,
  currency: common.currency,
  amount_formatted: common.amount_formatted,
  is_paid: described(Type.Boolean(), 'Whether the payment was completed.'),
  is_last_payment: described(Type.Boolean(), 'Whether no payment follows.'),
  successful_payment_date: described(text, 'The payment date; null while unpaid.'),
  retry_date: described(text, 'The day of the next attempt after a failure; null without one.'),
  retry_interval: described(
    text,
    'The delay before a retry; null: the retries are spread over the cycle.',
  ),
  terminate_with_status: described(
    text,
    'The status with which the subscription ends right before it; null if it does not.',
  ),
}
export const PlannedPaymentView = named(
  'PlannedPayment',
  Type.Object(planned),
  'A payment of a plan that does not exist yet.',
)
export const PaymentView = named(
  'SubscriptionPayment',
  Type.Object({
    id: described(Id, 'The id of the payment.'),
    ...planned,
    created_on: common.created_on,
    updated_on: common.updated_on,
  }),
  'A past or future payment of a subscription.',
)
export type PaymentView = Static<typeof PaymentView>
export const PaymentPage = PageOf(PaymentView)

export function viewPayment(payment: Payment, retry_interval: string | null): PaymentView {
  const { amount, currency } = payment
  return {
    id: payment.id,
    due_date: payment.due_date,
    zone_id: payment.zone_id,
    amount,
    currency,
    amount_formatted: formatAmount(amount, currency),
    is_paid: payment.is_paid,
    is_last_payment: payment.is_last_payment,
    successful_payment_date: payment.successful_payment_date,
    retry_date: payment.retry_date,
    retry_interval,
    terminate_with_status: payment.terminate_with_status,
    created_on: payment.created_on.toISOString(),
    updated_on: payment.updated_on.toISOString(),
  }
}

export async function getPayment(
  service: Service,
  subscription: { merchant_id: string; id: string },
  payment_id: string,
): Promise<Payment> {
  return requireRow(service, 'subscription_payments', {
    merchant_id: subscription.merchant_id,
    subscription_id: subscription.id,
    id: payment_id,
  })
}

/**
 * The charge of a payment that has no outcome yet. While there is one, no other may be created, and it
 * decides how the payment continues.
 */
export async function openCharge(
  service: Service,
  { merchant_id, id }: Payment,
): Promise<{ requested_amount: number } | null> {
  const found = await service.db
    .selectFrom('charges')
    .select('requested_amount')
    .where('merchant_id', '=', merchant_id)
    .where('payment_id', '=', id)
    .where('status', 'in', ['pending', 'awaiting', 'authorized'])
    .executeTakeFirst()
  return found ?? null
}

/** The payment with a number; the next one has the number of payments made so far. */
export async function findPayment(
  service: Service,
  { merchant_id, id }: { merchant_id: string; id: string },
  number: number,
): Promise<Payment | null> {
  return findRow(service, 'subscription_payments', { merchant_id, subscription_id: id, number })
}
