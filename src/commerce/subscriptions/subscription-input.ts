import Type, { type Static } from 'typebox'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { Id, nullable } from '../../core/api/schemas.ts'
import { periods } from '../../core/time/schedule.ts'
import { Amount, Currency, ThreeDs } from '../../payments/charges/charge-input.ts'

const Duration = nullable(Type.String({ format: 'duration', maxLength: 40 }))
const Day = nullable(Type.String({ format: 'date', description: 'A day as year-month-day.' }))
const Count = nullable(Type.Integer({ minimum: 1, maximum: 10_000 }))
export const period_names = Object.keys(periods) as [
  keyof typeof periods,
  ...(keyof typeof periods)[],
]

const ScheduleSettings = named(
  'CreateScheduleSettings',
  Type.Object({
    start_on: described(Type.Optional(Day), 'The day of the first payment. Default: immediately.'),
    zone_id: described(
      Type.Optional(nullable(Type.String({ format: 'time_zone' }))),
      'The time zone of the days; payments are charged at 09:00 there. Default: Asia/Tokyo.',
    ),
    preserve_end_of_month: described(
      Type.Optional(nullable(Type.Boolean())),
      'Whether a start on the last day of a month means the last day of every month.',
    ),
    termination_mode: described(
      Type.Optional(nullable(Type.Enum(['immediate', 'on_next_payment']))),
      'The effective time of a suspension or cancellation: `immediate` (the default), or ' +
        'before the next payment.',
    ),
    retry_interval: described(
      Type.Optional(Duration),
      'The delay before a failed payment is retried: at least a day, and less than the cycle.',
    ),
  }),
  'The billing schedule of a subscription.',
)
export type ScheduleSettings = Static<typeof ScheduleSettings>

const InstallmentPlan = named(
  'CreateInstallmentPlan',
  Type.Object({
    plan_type: described(
      Type.Enum(['revolving', 'fixed_cycles']),
      'Revolving payments, or a fixed number of installments. The card company splits the amount.',
    ),
    fixed_cycles: described(
      Type.Optional(Count),
      'The number of installments. Required with `fixed_cycles`.',
    ),
  }),
  'One charge that the card company splits.',
)
const SubscriptionPlan = named(
  'CreateSubscriptionPlan',
  Type.Object({
    plan_type: described(
      Type.Enum(['fixed_cycles', 'fixed_cycle_amount']),
      'Whether the number of payments is fixed, or the amount of each.',
    ),
    fixed_cycles: described(
      Type.Optional(Count),
      'The number of payments. Required with `fixed_cycles`.',
    ),
    fixed_cycle_amount: described(
      Type.Optional(nullable(Amount)),
      'The amount of each payment. Required with `fixed_cycle_amount`.',
    ),
  }),
  'A total that is paid in parts.',
)

/** The fields of a plan, for creation and simulation. */
const plan_fields = {
  initial_amount: described(
    Type.Optional(nullable(Amount)),
    'The amount of the first payment, if it is another one; it is always paid immediately.',
  ),
  period: described(
    Type.Optional(nullable(Type.Enum(period_names))),
    'The billing cycle. Either this or `cyclical_period`.',
  ),
  cyclical_period: described(
    Type.Optional(Duration),
    'The billing cycle as an ISO-8601 duration of whole days, weeks, months or years.',
  ),
  schedule_settings: described(Type.Optional(nullable(ScheduleSettings)), 'The billing schedule.'),
  installment_plan: described(
    Type.Optional(nullable(InstallmentPlan)),
    'One charge that the card company splits into installments. Cannot be combined with ' +
      '`subscription_plan`.',
  ),
  subscription_plan: described(
    Type.Optional(nullable(SubscriptionPlan)),
    'Splits the total into parts. Cannot be combined with `installment_plan`.',
  ),
}

export const SimulatePlan = named(
  'SimulatePlan',
  Type.Object({
    payment_type: described(
      Type.Optional(nullable(Type.String({ maxLength: 32 }))),
      'The payment type. Default: card.',
    ),
    amount: described(
      Amount,
      'The amount of each cycle, or the total with a plan, in the smallest unit of the currency.',
    ),
    currency: described(Currency, 'The currency, as an ISO-4217 code in any case.'),
    ...plan_fields,
  }),
  'A plan to calculate. Nothing is created.',
)
export type SimulatePlan = Static<typeof SimulatePlan>

const first_charge_fields = {
  first_charge_authorization_only: described(
    Type.Optional(nullable(Type.Boolean())),
    'Whether the first payment is only authorized. Default: false.',
  ),
  first_charge_capture_after: described(
    Type.Optional(Duration),
    'The time between authorization and capture of the first payment.',
  ),
}

/** The terms of a subscription without its payment: a customer accepts them on a checkout page. */
export const SubscriptionTerms = named(
  'SubscriptionTerms',
  Type.Object({ ...plan_fields, ...first_charge_fields }),
  'The billing plan of a subscription.',
)
export type SubscriptionTerms = Static<typeof SubscriptionTerms>

export const CreateSubscription = named(
  'CreateSubscription',
  Type.Object({
    transaction_token_id: described(
      Id,
      'The token that is charged: of type `subscription` or `recurring`.',
    ),
    amount: described(
      Amount,
      'The amount of each cycle, or the total with a plan, in the smallest unit of the currency.',
    ),
    currency: described(Currency, 'The currency, as an ISO-4217 code in any case.'),
    ...plan_fields,
    ...first_charge_fields,
    only_direct_currency: described(
      Type.Optional(nullable(Type.Boolean())),
      'Whether charges fail when no provider takes the currency, instead of being ' +
        'converted. Default: false.',
    ),
    descriptor: described(
      Type.Optional(nullable(Type.String({ maxLength: 64 }))),
      'A text for the statement of the cardholder.',
    ),
    three_ds: described(
      Type.Optional(nullable(ThreeDs)),
      'The 3-D Secure settings of the first payment.',
    ),
    metadata: Type.Optional(nullable(common.new_metadata)),
  }),
  'A new subscription.',
)
export type CreateSubscription = Static<typeof CreateSubscription>

export const PatchSubscription = named(
  'UpdateSubscription',
  Type.Object({
    transaction_token_id: described(Type.Optional(Id), 'The token that is charged from now on.'),
    amount: described(
      Type.Optional(Amount),
      'The new amount of each cycle, in the smallest unit of the currency. Refused once a ' +
        'plan has started.',
    ),
    ...plan_fields,
    ...first_charge_fields,
    status: described(
      Type.Optional(Type.Enum(['suspended', 'unpaid'])),
      '`suspended` stops it; `unpaid` resumes a suspended one.',
    ),
    metadata: Type.Optional(common.changed_metadata),
    next_payment: described(
      Type.Optional(
        nullable(
          named(
            'UpdateNextPayment',
            Type.Object({
              due_date: described(Type.Optional(Day), 'The day of the payment.'),
              amount: described(
                Type.Optional(nullable(Amount)),
                'The amount of the payment, in the smallest unit of the currency.',
              ),
              terminate_with_status: described(
                Type.Optional(nullable(Type.Enum(['suspended', 'canceled']))),
                'Ends the subscription right before this payment, with this status.',
              ),
            }),
            'Changes to the next payment of a subscription.',
          ),
        ),
      ),
      'Changes to the next payment.',
    ),
  }),
  'Changes to a subscription. Its plan and period are fixed once it runs.',
)
export type PatchSubscription = Static<typeof PatchSubscription>

export const PatchPayment = named(
  'UpdateSubscriptionPayment',
  Type.Object({
    due_date: described(Type.Optional(Day), 'The day of the payment.'),
    is_paid: described(
      Type.Optional(nullable(Type.Boolean())),
      '`true` marks it as paid in another way: it is not charged.',
    ),
    terminate_with_status: described(
      Type.Optional(nullable(Type.Enum(['suspended', 'canceled']))),
      'Ends the subscription right before this payment, with this status; null undoes that.',
    ),
    retry_interval: described(
      Type.Optional(Duration),
      'The delay before a failed payment is retried: at least a day, and less than the cycle.',
    ),
  }),
  'Changes to a future payment.',
)
export type PatchPayment = Static<typeof PatchPayment>
