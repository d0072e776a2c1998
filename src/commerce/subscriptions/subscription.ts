import { type Selectable, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { CreatedOn, compatibilityOf } from '../../api/responses/compatibility.ts'
import type { Caller } from '../../core/access/caller.ts'
import { common, PeriodText } from '../../core/api/common-fields.ts'
import { described, extended, named, textOf } from '../../core/api/described-schemas.ts'
import { Id, nullable, PageOf, withTotal } from '../../core/api/schemas.ts'
import { formatAmount } from '../../core/money/money.ts'
import { amountLeft, paymentCount } from '../../core/money/payment-plan.ts'
import { statesOf } from '../../core/payments/states.ts'
import { type Cycle, cycleDate, dateIn, periods, readCycle } from '../../core/time/schedule.ts'
import { ThreeDsView } from '../../payments/charges/charge.ts'
import { UserData } from '../../payments/tokens/token.ts'
import type { Service } from '../../service.ts'
import { requireRow } from '../../store/sql/reads/find-row.ts'
import type {
  SubscriptionPaymentTable,
  SubscriptionTable,
} from '../../store/tables/commerce/subscription-tables.ts'
import { type Payment, PaymentView, viewPayment } from './cycles/subscription-payment.ts'

export type Subscription = Selectable<SubscriptionTable>

const text = nullable(Type.String())
const whole = nullable(Type.Integer())
const number = nullable(Type.Number())
const flag = nullable(Type.Boolean())

const fields = {
  id: described(Id, 'The id of the subscription.'),
  merchant_id: common.merchant_id,
  store_id: common.store_id,
  transaction_token_id: common.transaction_token_id,
  payment_type: common.payment_type,
  amount: described(
    Type.Integer(),
    'The amount of each cycle, or the total with a plan, in the smallest unit of the currency.',
  ),
  currency: common.currency,
  amount_formatted: common.amount_formatted,
  initial_amount: described(
    whole,
    'The amount of the first payment, if it is another one; otherwise null.',
  ),
  initial_amount_formatted: described(
    number,
    'The initial amount in the major unit of the currency; null without one.',
  ),
  period: described(nullable(PeriodText), 'How often it is billed; null with a `cyclical_period`.'),
  cyclical_period: described(
    text,
    'The billing cycle as an ISO-8601 duration; null with a `period`.',
  ),
  subsequent_cycles_start: described(Type.Null(), 'Always null.'),
  schedule_settings: described(
    named(
      'ScheduleSettings',
      Type.Object({
        start_on: described(text, 'The day of the first payment; null: immediately.'),
        zone_id: described(
          Type.String(),
          'The time zone of the days; payments are charged at 09:00 there.',
        ),
        preserve_end_of_month: described(
          flag,
          'Whether it is billed on the last day of every month; null if not given.',
        ),
        retry_interval: described(
          text,
          'How long after a failed payment it is tried again; null: the attempts are ' +
            'spread over the cycle.',
        ),
        termination_mode: described(
          Type.String(),
          'The effective time of a suspension or cancellation: `immediate` or ' +
            '`on_next_payment`.',
        ),
      }),
      'The billing schedule of a subscription.',
    ),
    'The billing schedule.',
  ),
  next_payment: described(nullable(PaymentView), 'The next payment; null without one.'),
  next_payment_date: described(text, 'The date of the next payment; null without one.'),
  cycles_left: described(whole, 'How many payments are left; null without a plan.'),
  payments_left: described(whole, 'The same as `cycles_left`.'),
  amount_left: described(
    whole,
    'The remaining amount to pay, in the smallest unit of the currency; null without a ' + 'plan.',
  ),
  amount_left_formatted: described(
    number,
    'The amount left in the major unit of the currency; null without a plan.',
  ),
  installment_plan: described(
    nullable(
      named(
        'InstallmentPlan',
        Type.Object({
          plan_type: described(Type.String(), '`revolving` or `fixed_cycles`.'),
          fixed_cycles: described(
            Type.Optional(whole),
            'The number of installments; null where it is not fixed.',
          ),
        }),
        'One charge that the card company splits.',
      ),
    ),
    'The installment plan of the card company; null without installments.',
  ),
  subscription_plan: described(
    nullable(
      named(
        'SubscriptionPlan',
        Type.Object({
          plan_type: described(Type.String(), '`fixed_cycles` or `fixed_cycle_amount`.'),
          fixed_cycles: described(
            Type.Optional(whole),
            'The number of payments; null where it is not fixed.',
          ),
          fixed_cycle_amount: described(
            Type.Optional(whole),
            'The amount of each payment; null where it is not fixed.',
          ),
        }),
        'A total that is paid in parts.',
      ),
    ),
    'The plan that splits the total into payments; null without a plan.',
  ),
  first_charge_authorization_only: described(
    Type.Boolean(),
    'Whether the first payment is only authorized.',
  ),
  first_charge_capture_after: described(
    text,
    'The time between authorization and capture of the first payment; null if not given.',
  ),
  only_direct_currency: described(
    Type.Boolean(),
    'Whether charges fail instead of being converted to another currency.',
  ),
  descriptor: described(text, 'The text for the statement of the cardholder; null without one.'),
  three_ds: described(
    nullable(ThreeDsView),
    'The 3-D Secure authentication of the first payment; null if it does not apply.',
  ),
  status: described(
    textOf(
      'SubscriptionStatus',
      statesOf('subscription'),
      'The status of a subscription. `current` is paid up; in `unpaid` a payment is retried.',
    ),
    'The state: `unverified` until the first payment has a result.',
  ),
  metadata: common.metadata,
  mode: common.mode,
  created_on: described(CreatedOn, 'The creation time, in milliseconds since 1970.'),
  updated_on: common.updated_on,
}
export const SubscriptionView = named(
  'Subscription',
  Type.Object(fields),
  'Payments that repeat, or a total that is paid in parts.',
)
/** A list also shows the names of store and merchant, and the payer. */
export const SubscriptionPage = withTotal(
  PageOf(
    extended(
      'SubscriptionItem',
      SubscriptionView,
      {
        merchant_name: common.merchant_name,
        store_name: common.store_name,
        user_data: described(UserData, 'The payer.'),
      },
      'A subscription in a list.',
    ),
  ),
)
export type SubscriptionView = Static<typeof SubscriptionView>

/** The subscription with its next payment, if there is one. */
export interface SubscriptionAndNext {
  readonly subscription: Subscription
  readonly next: Payment | null
}

export function viewSubscription(
  { config }: Pick<Service, 'config'>,
  { subscription, next }: SubscriptionAndNext,
  with_secret = true,
): SubscriptionView {
  const { amount, currency, initial_amount, paid, installment_plan } = subscription
  const count = installment_plan ? null : paymentCount(subscription)
  const cycles_left = count === null ? null : Math.max(count - paid, 0)
  const amount_left = amountLeft(subscription, paid)
  const formatted = (value: number | null) =>
    value === null ? null : formatAmount(value, currency)
  const next_payment = next && viewPayment(next, subscription.retry_interval)
  return {
    id: subscription.id,
    merchant_id: subscription.merchant_id,
    store_id: subscription.store_id,
    transaction_token_id: subscription.transaction_token_id,
    payment_type: subscription.payment_type,
    amount,
    currency,
    amount_formatted: formatAmount(amount, currency),
    initial_amount,
    initial_amount_formatted: formatted(initial_amount),
    period: subscription.period,
    cyclical_period: subscription.cyclical_period,
    subsequent_cycles_start: null,
    schedule_settings: {
      start_on: subscription.start_on,
      zone_id: subscription.zone_id,
      preserve_end_of_month: subscription.preserve_end_of_month,
      retry_interval: subscription.retry_interval,
      termination_mode: subscription.termination_mode,
    },
    next_payment,
    next_payment_date: next_payment?.due_date ?? null,
    cycles_left,
    payments_left: cycles_left,
    amount_left,
    amount_left_formatted: formatted(amount_left),
    installment_plan,
    subscription_plan: subscription.subscription_plan,
    first_charge_authorization_only: subscription.first_charge_authorization_only,
    first_charge_capture_after: subscription.first_charge_capture_after,
    only_direct_currency: subscription.only_direct_currency,
    descriptor: subscription.descriptor,
    three_ds: subscription.three_ds,
    status: subscription.status,
    metadata: with_secret ? subscription.metadata : {},
    mode: subscription.mode,
    created_on: compatibilityOf(config).createdOn(subscription.created_on),
    updated_on: subscription.updated_on.toISOString(),
  }
}

export interface SubscriptionPath {
  /** Absent where the path has no store. */
  store_id?: string | undefined
  subscription_id: string
}

/** The subscription, if the caller may see it. Locked, so changes of it are serialized. */
export async function getSubscription(
  service: Service,
  caller: Pick<Caller, 'merchant_id' | 'store_id' | 'mode'>,
  { store_id, subscription_id }: SubscriptionPath,
  lock = false,
): Promise<Subscription> {
  const { merchant_id, mode } = caller
  const known = { merchant_id, store_id: store_id ?? caller.store_id, id: subscription_id, mode }
  return requireRow(service, 'subscriptions', known, lock)
}

const over: readonly string[] = ['canceled', 'completed']

export function isOver({ status }: Pick<Subscription, 'status'>): boolean {
  return over.includes(status)
}

/** The next payments of any number of subscriptions, in one statement. */
export async function withNext(
  service: Service,
  subscriptions: readonly Subscription[],
): Promise<SubscriptionAndNext[]> {
  const running = subscriptions.filter((subscription) => !isOver(subscription))
  const [first] = running
  if (!first) return subscriptions.map((subscription) => ({ subscription, next: null }))
  const wanted = sql.join(running.map(({ id, paid }) => sql`(${id}::uuid, ${paid}::integer)`))
  const { rows } = await sql<Selectable<SubscriptionPaymentTable>>`
    select * from subscription_payments where merchant_id = ${first.merchant_id}
      and (subscription_id, number) in (${wanted})`.execute(service.db)
  const found = new Map(rows.map((payment) => [payment.subscription_id, payment]))
  return subscriptions.map((subscription) => ({
    subscription,
    next: found.get(subscription.id) ?? null,
  }))
}

export async function oneWithNext(
  service: Service,
  subscription: Subscription,
): Promise<SubscriptionAndNext> {
  const [found] = await withNext(service, [subscription])
  return found ?? { subscription, next: null }
}

export function cycleOf(subscription: Pick<Subscription, 'period' | 'cyclical_period'>): Cycle {
  const { period, cyclical_period } = subscription
  const cycle = period ? periods[period] : readCycle(cyclical_period ?? '')
  if (!cycle) throw new Error('A subscription has a period or a cyclical_period.')
  return cycle
}

type Dated = Pick<
  Subscription,
  | 'period'
  | 'cyclical_period'
  | 'first_date'
  | 'start_on'
  | 'zone_id'
  | 'preserve_end_of_month'
  | 'initial_amount'
  | 'created_on'
>

/**
 * The day of a payment, counted from zero. An initial amount before a chosen start is paid on the day
 * of creation, and the cycles begin with the payment after it.
 */
export function paymentDate(subscription: Dated, payment: number): string {
  const { first_date, start_on, initial_amount, zone_id, created_on } = subscription
  const initial_before = start_on !== null && initial_amount !== null
  if (initial_before && payment === 0) return dateIn(zone_id, created_on)
  const schedule = {
    start_on: first_date,
    cycle: cycleOf(subscription),
    preserve_end_of_month: subscription.preserve_end_of_month === true,
  }
  return cycleDate(schedule, initial_before ? payment - 1 : payment)
}

/** Whether the first payment is made immediately, not on a chosen day. */
export function startsAtOnce({ start_on, initial_amount }: Dated): boolean {
  return start_on === null || initial_amount !== null
}
