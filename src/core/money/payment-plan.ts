/** The price of a subscription: each cycle's amount, or a total that is paid in parts. */
export interface Plan {
  /** Per cycle without a plan; otherwise the total of all payments. */
  readonly amount: number
  /** The first payment, where it differs. */
  readonly initial_amount: number | null
  readonly subscription_plan: SubscriptionPlan | null
  /** The card company splits it: for this service it is one payment of the total. */
  readonly installment_plan: InstallmentPlan | null
}

export type SubscriptionPlan =
  | { readonly plan_type: 'fixed_cycles'; readonly fixed_cycles: number }
  | { readonly plan_type: 'fixed_cycle_amount'; readonly fixed_cycle_amount: number }

export type InstallmentPlan =
  | { readonly plan_type: 'revolving' }
  | { readonly plan_type: 'fixed_cycles'; readonly fixed_cycles: number }

/** Numbers of parts that card companies offer. */
export const installment_cycles = [3, 5, 6, 10, 12, 15, 18, 20, 24] as const

/** The number of payments; null: unlimited. */
export function paymentCount(plan: Plan): number | null {
  const { amount, initial_amount, subscription_plan, installment_plan } = plan
  if (installment_plan) return 1
  if (!subscription_plan) return null
  if (subscription_plan.plan_type === 'fixed_cycles') return subscription_plan.fixed_cycles
  const rest = amount - (initial_amount ?? 0)
  const first = initial_amount === null ? 0 : 1
  return first + Math.ceil(rest / subscription_plan.fixed_cycle_amount)
}

/**
 * The amount of a payment, counted from zero; null when there is none. An initial amount is a payment
 * of its own; the rest is split evenly and the last payment takes the remainder, so that the sum is
 * exactly the total.
 */
export function paymentAmount(plan: Plan, number: number): number | null {
  const { amount, initial_amount, subscription_plan, installment_plan } = plan
  const count = paymentCount(plan)
  if (number < 0 || (count !== null && number >= count)) return null
  if (installment_plan) return amount
  if (number === 0 && initial_amount !== null) return initial_amount
  if (!subscription_plan || count === null) return amount
  const rest = amount - (initial_amount ?? 0)
  const parts = count - (initial_amount === null ? 0 : 1)
  const part =
    subscription_plan.plan_type === 'fixed_cycles'
      ? Math.floor(rest / parts)
      : subscription_plan.fixed_cycle_amount
  return number < count - 1 ? part : rest - part * (parts - 1)
}

/** The amount still to be paid after this many payments; null when unlimited. */
export function amountLeft(plan: Plan, paid: number): number | null {
  const count = paymentCount(plan)
  if (count === null) return null
  if (paid >= count) return 0
  // All but the last are equal, apart from an initial amount.
  const first = paid > 0 ? (paymentAmount(plan, 0) ?? 0) : 0
  const others = paid > 1 ? (paid - 1) * (paymentAmount(plan, 1) ?? 0) : 0
  return plan.amount - first - others
}
