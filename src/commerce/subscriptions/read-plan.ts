import { type FieldError, fail, oneOf } from '../../core/api/errors.ts'
import {
  type InstallmentPlan,
  installment_cycles,
  type Plan,
  paymentCount,
  type SubscriptionPlan,
} from '../../core/money/payment-plan.ts'
import { day_ms } from '../../core/time/clock.ts'
import { formatDuration, readDuration } from '../../core/time/durations.ts'
import {
  addDays,
  type Cycle,
  dateIn,
  default_zone,
  type Period,
  periods,
  readCycle,
  shortestCycleMs,
} from '../../core/time/schedule.ts'
import type { SimulatePlan } from './subscription-input.ts'

/** The amounts and dates of a subscription, validated as a whole. */
export interface ReadPlan extends Plan {
  readonly period: Period | null
  readonly cyclical_period: string | null
  readonly cycle: Cycle
  readonly first_date: string
  readonly start_on: string | null
  readonly zone_id: string
  readonly preserve_end_of_month: boolean | null
  readonly retry_interval: string | null
  readonly termination_mode: 'immediate' | 'on_next_payment'
}

export type PlanInput = Omit<SimulatePlan, 'currency' | 'payment_type'>

/** A first payment further ahead is more likely a mistake than intended. */
const max_days_ahead = 5 * 366

/** Every fault is named; fields that depend on each other are checked together. */
export function readPlan(input: PlanInput, now: Date): ReadPlan {
  const errors: FieldError[] = []
  const need = (field: string, reason: FieldError['reason'], rule?: string) =>
    errors.push({ field, reason, ...(rule ? { rule } : {}) })
  const settings = input.schedule_settings ?? {}
  const { period = null, cyclical_period = null, initial_amount = null, amount } = input
  const cycle = period ? periods[period] : cyclical_period ? readCycle(cyclical_period) : null
  if (period && cyclical_period) {
    need('cyclical_period', 'FORBIDDEN_PARAMETER', 'must not be sent together with period')
  }
  if (!period && !cyclical_period) {
    need('period', 'REQUIRED_VALUE', 'or cyclical_period is required')
  }
  if (!period && cyclical_period && !cycle) {
    need('cyclical_period', 'INVALID_TIME_PERIOD', 'must be whole days, weeks, months or years')
  }
  const zone_id = settings.zone_id ?? default_zone
  const today = dateIn(zone_id, now)
  const { start_on = null, preserve_end_of_month = null } = settings
  if (start_on && start_on < today) need('schedule_settings.start_on', 'MUST_BE_FUTURE_OR_TODAY')
  if (start_on && start_on > addDays(today, max_days_ahead)) {
    need('schedule_settings.start_on', 'START_ON_EXCEEDS_LIMIT')
  }
  if (preserve_end_of_month && cycle && (cycle.months === 0 || cycle.days > 0)) {
    need('schedule_settings.preserve_end_of_month', 'MUST_BE_MONTH_BASED_TO_SET')
  }
  const retry_interval = readRetry(settings.retry_interval, cycle, errors)
  const subscription_plan = readSubscriptionPlan(input, errors)
  const installment_plan = readInstallmentPlan(input, errors)
  if (subscription_plan && installment_plan) {
    need('installment_plan', 'FORBIDDEN_PARAMETER', 'must not be sent with subscription_plan')
  }
  if (subscription_plan && initial_amount !== null && initial_amount >= amount) {
    need('initial_amount', 'MUST_BE_LOWER_THAN_FULL_AMOUNT')
  }
  const plan = { amount, initial_amount, subscription_plan, installment_plan }
  if (subscription_plan && errors.length === 0) checkParts(plan, errors)
  if (errors.length > 0 || !cycle) fail('VALIDATION_ERROR', { errors })
  return {
    ...plan,
    period,
    cyclical_period,
    cycle,
    first_date: start_on ?? today,
    start_on,
    zone_id,
    preserve_end_of_month,
    retry_interval,
    termination_mode: settings.termination_mode ?? 'immediate',
  }
}

/** At least a day, and shorter than the cycle. */
export function readRetry(
  text: string | null | undefined,
  cycle: Cycle | null,
  errors: FieldError[],
): string | null {
  if (!text) return null
  const interval_ms = readDuration(text) ?? 0
  if (interval_ms < day_ms || (cycle && interval_ms >= shortestCycleMs(cycle))) {
    const rule = 'must be at least P1D and shorter than the cycle'
    errors.push({ field: 'schedule_settings.retry_interval', reason: 'INVALID_TIME_PERIOD', rule })
  }
  return formatDuration(interval_ms)
}

function readSubscriptionPlan(
  { subscription_plan: wanted }: PlanInput,
  errors: FieldError[],
): SubscriptionPlan | null {
  if (!wanted) return null
  const { plan_type, fixed_cycles, fixed_cycle_amount } = wanted
  if (plan_type === 'fixed_cycles') {
    if (!fixed_cycles) {
      const rule = 'is required with plan_type fixed_cycles'
      errors.push({ field: 'subscription_plan.fixed_cycles', reason: 'REQUIRED_VALUE', rule })
    }
    return { plan_type, fixed_cycles: fixed_cycles ?? 0 }
  }
  if (!fixed_cycle_amount) {
    const rule = 'is required with plan_type fixed_cycle_amount'
    errors.push({ field: 'subscription_plan.fixed_cycle_amount', reason: 'REQUIRED_VALUE', rule })
  }
  return { plan_type: 'fixed_cycle_amount', fixed_cycle_amount: fixed_cycle_amount ?? 0 }
}

/** The card company splits one payment, monthly and only into certain numbers of parts. */
function readInstallmentPlan(
  { installment_plan: wanted, period, initial_amount }: PlanInput,
  errors: FieldError[],
): InstallmentPlan | null {
  if (!wanted) return null
  const { plan_type, fixed_cycles } = wanted
  if (period !== 'monthly') {
    const rule = 'must be monthly with an installment plan'
    errors.push({ field: 'period', reason: 'NOT_ALLOWED_VALUE', rule })
  }
  if (initial_amount) {
    const reason =
      plan_type === 'revolving'
        ? 'INSTALLMENT_REVOLVING_PLAN_CANNOT_SET_INITIAL_AMOUNT'
        : 'INSTALLMENT_INVALID_INITIAL_AMOUNT'
    errors.push({ field: 'initial_amount', reason })
  }
  if (plan_type === 'revolving') return { plan_type }
  const field = 'installment_plan.fixed_cycles'
  if (!fixed_cycles) errors.push({ field, reason: 'REQUIRED_VALUE' })
  else if (!installment_cycles.some((count) => count === fixed_cycles)) {
    errors.push({ field, reason: 'NOT_ALLOWED_VALUE', rule: oneOf(installment_cycles) })
  }
  return { plan_type: 'fixed_cycles', fixed_cycles: fixed_cycles ?? 0 }
}

/** A total has two or more parts, and none of them is zero. */
function checkParts(plan: Plan, errors: FieldError[]): void {
  const { subscription_plan, initial_amount, amount } = plan
  if (!subscription_plan) return
  const by_count = subscription_plan.plan_type === 'fixed_cycles'
  const field = `subscription_plan.${subscription_plan.plan_type}`
  const count = paymentCount(plan) ?? 0
  if (count < 2) errors.push({ field, reason: 'NEED_AT_LEAST_TWO_CYCLES' })
  else if (by_count && amount - (initial_amount ?? 0) < count - (initial_amount ? 1 : 0)) {
    errors.push({ field, reason: 'NUMBER_MAX', rule: 'leaves nothing for some payments' })
  }
}
