import { formatAmount } from '../../../core/money/money.ts'
import { paymentAmount, paymentCount } from '../../../core/money/payment-plan.ts'
import { now, type Service } from '../../../service.ts'
import { readPlan } from '../read-plan.ts'
import { paymentDate } from '../subscription.ts'
import type { SimulatePlan } from '../subscription-input.ts'

/** Maximum number of payments of a plan that are shown. */
const max_shown = 5

/** Simulates the charges of a subscription and their dates, without creating one. */
export function simulatePlan(service: Service, body: SimulatePlan) {
  const created_on = now(service)
  const plan = readPlan(body, created_on)
  const currency = body.currency.toUpperCase()
  const count = paymentCount(plan)
  const shown = Math.min(count ?? max_shown, max_shown)
  return Array.from({ length: shown }, (_, number) => {
    const amount = paymentAmount(plan, number) ?? 0
    return {
      due_date: paymentDate({ ...plan, created_on }, number),
      zone_id: plan.zone_id,
      amount,
      currency,
      amount_formatted: formatAmount(amount, currency),
      is_paid: false,
      is_last_payment: count === number + 1,
      successful_payment_date: null,
      retry_date: null,
      retry_interval: plan.retry_interval,
      terminate_with_status: null,
    }
  })
}
