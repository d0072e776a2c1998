import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import { named } from '../../core/described-schemas.ts'
import { fail } from '../../core/errors.ts'
import { formatAmount } from '../../core/money/money.ts'
import { Id, Instant, nullable, PageOf } from '../../core/schemas.ts'
import type { Service } from '../../service.ts'
import type { SubscriptionPaymentTable } from '../../store/tables/subscription-tables.ts'

export type Payment = Selectable<SubscriptionPaymentTable>

const text = nullable(Type.String())

/** The fields of a payment before it exists, as in a simulated plan. */
const planned = {
  due_date: Type.String(),
  zone_id: Type.String(),
  amount: Type.Integer(),
  currency: Type.String(),
  amount_formatted: Type.Number(),
  is_paid: Type.Boolean(),
  is_last_payment: Type.Boolean(),
  successful_payment_date: text,
  retry_date: text,
  retry_interval: text,
  terminate_with_status: text,
}
export const PlannedPaymentView = named('PlannedPayment', Type.Object(planned))
export const PaymentView = named(
  'SubscriptionPayment',
  Type.Object({
    id: Id,
    ...planned,
    created_on: Instant,
    updated_on: Instant,
  }),
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
  const found = await service.db
    .selectFrom('subscription_payments')
    .selectAll()
    .where('merchant_id', '=', subscription.merchant_id)
    .where('subscription_id', '=', subscription.id)
    .where('id', '=', payment_id)
    .executeTakeFirst()
  return found ?? fail('NOT_FOUND')
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
  const found = await service.db
    .selectFrom('subscription_payments')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('subscription_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst()
  return found ?? null
}
