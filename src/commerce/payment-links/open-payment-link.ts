import { fail, failField } from '../../core/api/errors.ts'
import { session_life } from '../../core/limits/checkout-policy.ts'
import { atTimeOf, type Service } from '../../service.ts'
import { admitVisit } from '../checkout/checkout-limits.ts'
import { type CheckoutSession, findSession, isEnded } from '../checkout/checkout-session.ts'
import { insertSession } from '../checkout/create-checkout-session.ts'
import { isLinkOpen, type PaymentLink } from './payment-link.ts'

/** The visitor's input: the amount, if the customer chooses it, and the previous session. */
export interface Visit {
  readonly amount: number | null
  readonly session_key: string | null
  readonly ip: string
}

/**
 * The session of a visitor of a link: the one they had, as long as it can be paid, or a new one. A use counts
 * when it is paid, so a visitor takes nothing away from others.
 */
export async function openPaymentLink(
  base: Service,
  link: PaymentLink,
  { amount: chosen, session_key, ip }: Visit,
): Promise<CheckoutSession> {
  const service = atTimeOf(base, link)
  const amount = amountOf(link, chosen)
  const had = session_key ? await findSession(service, session_key) : null
  const is_same = had?.payment_link_id === link.id && had.amount === amount
  if (had && is_same && !isEnded(had) && had.expires_on.getTime() > service.clock.now()) return had
  if (!isLinkOpen(service, link)) fail('PAYMENT_LINK_CLOSED')
  await admitVisit(service, ip, 'checkout_visit')
  const { merchant_id, store_id, mode, currency, name, expires_on } = link
  const visit_ends_ms = service.clock.now() + session_life.of_visit_ms
  const ends_ms = Math.min(expires_on?.getTime() ?? visit_ends_ms, visit_ends_ms)
  const line_items = [{ name, quantity: 1, amount, description: null, image_url: null }]
  return insertSession(
    service,
    { merchant_id, store_id, mode, payment_link_id: link.id },
    {
      amount,
      currency,
      options: { ...link.options, line_items },
      expires_on: new Date(ends_ms),
    },
  )
}

/** The amount of the link; where customers choose it, theirs within its bounds. */
function amountOf({ amount, amount_choice }: PaymentLink, chosen: number | null): number {
  if (amount !== null || !amount_choice) return amount ?? 0
  const { min, max } = amount_choice
  if (chosen === null) failField('amount', 'REQUIRED_VALUE')
  if (chosen < min) failField('amount', 'NUMBER_MIN', `must be at least ${min}`)
  if (chosen > max) failField('amount', 'NUMBER_MAX', `must be at most ${max}`)
  return chosen
}
