import Type, { type Static } from 'typebox'
import { named } from '../../core/described-schemas.ts'
import { Id, MetadataSchema, nullable } from '../../core/schemas.ts'
import { periods } from '../../core/time/schedule.ts'
import { Amount, Currency, ThreeDs } from '../charges/charge.ts'

const Duration = nullable(Type.String({ format: 'duration', maxLength: 40 }))
const Day = nullable(Type.String({ format: 'date', description: 'Year-Month-Day' }))
const Count = nullable(Type.Integer({ minimum: 1, maximum: 10_000 }))
export const period_names = Object.keys(periods) as [
  keyof typeof periods,
  ...(keyof typeof periods)[],
]

const ScheduleSettings = named(
  'CreateScheduleSettings',
  Type.Object({
    start_on: Type.Optional(Day),
    zone_id: Type.Optional(nullable(Type.String({ format: 'time_zone' }))),
    preserve_end_of_month: Type.Optional(nullable(Type.Boolean())),
    termination_mode: Type.Optional(nullable(Type.Enum(['immediate', 'on_next_payment']))),
    retry_interval: Type.Optional(Duration),
  }),
)
export type ScheduleSettings = Static<typeof ScheduleSettings>

const InstallmentPlan = named(
  'CreateInstallmentPlan',
  Type.Object({
    plan_type: Type.Enum(['revolving', 'fixed_cycles']),
    fixed_cycles: Type.Optional(Count),
  }),
)
const SubscriptionPlan = named(
  'CreateSubscriptionPlan',
  Type.Object({
    plan_type: Type.Enum(['fixed_cycles', 'fixed_cycle_amount']),
    fixed_cycles: Type.Optional(Count),
    fixed_cycle_amount: Type.Optional(nullable(Amount)),
  }),
)

/** The fields of a plan, for creation and simulation. */
const plan_fields = {
  initial_amount: Type.Optional(nullable(Amount)),
  period: Type.Optional(nullable(Type.Enum(period_names))),
  cyclical_period: Type.Optional(Duration),
  schedule_settings: Type.Optional(nullable(ScheduleSettings)),
  installment_plan: Type.Optional(nullable(InstallmentPlan)),
  subscription_plan: Type.Optional(nullable(SubscriptionPlan)),
}

export const SimulatePlan = named(
  'SimulatePlan',
  Type.Object({
    payment_type: Type.Optional(nullable(Type.String({ maxLength: 32 }))),
    amount: Amount,
    currency: Currency,
    ...plan_fields,
  }),
)
export type SimulatePlan = Static<typeof SimulatePlan>

const first_charge_fields = {
  first_charge_authorization_only: Type.Optional(nullable(Type.Boolean())),
  first_charge_capture_after: Type.Optional(Duration),
}

export const CreateSubscription = named(
  'CreateSubscription',
  Type.Object({
    transaction_token_id: Id,
    amount: Amount,
    currency: Currency,
    ...plan_fields,
    ...first_charge_fields,
    only_direct_currency: Type.Optional(nullable(Type.Boolean())),
    descriptor: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
    three_ds: Type.Optional(nullable(ThreeDs)),
    metadata: Type.Optional(nullable(MetadataSchema)),
  }),
)
export type CreateSubscription = Static<typeof CreateSubscription>

export const PatchSubscription = named(
  'UpdateSubscription',
  Type.Object({
    transaction_token_id: Type.Optional(Id),
    amount: Type.Optional(Amount),
    ...plan_fields,
    ...first_charge_fields,
    status: Type.Optional(Type.Enum(['suspended', 'unpaid'])),
    metadata: Type.Optional(MetadataSchema),
    next_payment: Type.Optional(
      nullable(
        named(
          'UpdateNextPayment',
          Type.Object({
            due_date: Type.Optional(Day),
            amount: Type.Optional(nullable(Amount)),
            terminate_with_status: Type.Optional(nullable(Type.Enum(['suspended', 'canceled']))),
          }),
        ),
      ),
    ),
  }),
)
export type PatchSubscription = Static<typeof PatchSubscription>

export const PatchPayment = named(
  'UpdateSubscriptionPayment',
  Type.Object({
    due_date: Type.Optional(Day),
    is_paid: Type.Optional(nullable(Type.Boolean())),
    terminate_with_status: Type.Optional(nullable(Type.Enum(['suspended', 'canceled']))),
    retry_interval: Type.Optional(Duration),
  }),
)
export type PatchPayment = Static<typeof PatchPayment>
