import type { PaymentLink } from '../../../api/call-api.ts'
import { startOfDay } from '../../../api/zone-days.ts'
import { formatMoney } from '../../../words/format-values.ts'

export interface LinkPath {
  readonly store_id: string
  readonly payment_link_id: string
}

export const linkHref = ({ store_id, payment_link_id }: LinkPath) =>
  `/checkout/links/${store_id}/${payment_link_id}`

type LinkState = 'active' | 'off' | 'used_up' | 'expired'

/** Whether customers can pay at a link, and why they cannot. */
export function stateOf(
  { active, expires_on, max_uses, uses }: PaymentLink,
  now: number,
): LinkState {
  if (max_uses !== null && uses >= max_uses) return 'used_up'
  if (expires_on && Date.parse(expires_on) <= now) return 'expired'
  return active ? 'active' : 'off'
}

/** `¥3,000`, or the amounts between which customers choose. */
export function amountText(
  { amount, amount_choice, currency }: PaymentLink,
  range: (min: string, max: string) => string,
): string {
  if (!amount_choice) return formatMoney(amount ?? 0, currency)
  const { min, max } = amount_choice
  return range(formatMoney(min, currency), formatMoney(max, currency))
}

/** People name the last day on which customers can pay; the API has the instant at which it ends. */
export function endOfDay(day: string, zone: string): string | null {
  return day ? startOfDay(day, zone, 1) : null
}

export function lastDayOf(expires_on: string | null, zone: string): string {
  if (!expires_on) return ''
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.parse(expires_on) - 1)
}
