import type { Stripe } from 'stripe'
import { fail } from '../../../core/api/errors.ts'
import { isUuid } from '../../../core/ids.ts'
import { objectOf } from '../../../core/read-unknown.ts'
import { second_ms } from '../../../core/time/clock.ts'
import type { Notified, RawNotification, ReadNotification } from '../../../providers/provider.ts'
import { loadStripe, openCall } from '../stripe-client.ts'
import { readSettings, type StripeAccount } from '../stripe-settings.ts'

/** Between the signature of an event and its arrival. */
const tolerance_seconds = 300
/** Stripe waits for the answer to an event about as long. */
const name_within_ms = 5 * second_ms

/** Verifies an event with the signing secrets of its merchant or installation. */
export async function readStripeEvent({
  body,
  headers,
  now_ms,
  credentials,
}: RawNotification): Promise<ReadNotification> {
  const account = readSettings(credentials?.reveal())
  const signature = headers['stripe-signature']
  if (typeof account === 'string' || typeof signature !== 'string') return null
  // The library accepts any time that has not come yet.
  const signed_ms = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1]) * second_ms
  if (!(signed_ms <= now_ms + tolerance_seconds * second_ms)) return null
  const { webhooks } = await loadStripe()
  for (const secret of account.webhook_secrets) {
    const event = (() => {
      try {
        const signed = [body, signature, secret, tolerance_seconds, undefined, now_ms] as const
        return webhooks.constructEvent(...signed)
      } catch {
        // Signed with another secret, or not at all.
        return null
      }
    })()
    if (event) return notifiedOf(event, account)
  }
  return null
}

type Named = Readonly<Record<string, unknown>> | null | undefined

interface Subject {
  readonly object?: unknown
  readonly metadata?: Named
  readonly payment_intent?: unknown
  readonly customer?: unknown
}

/** By our names, which our objects carry; null: it carries none. */
function ownNames(metadata: Named, resource_type: 'charge' | 'transaction_token'): Notified | null {
  const { kaikei_merchant_id: merchant_id, kaikei_charge_id: id } = metadata ?? {}
  if (typeof merchant_id !== 'string' || typeof id !== 'string') return null
  if (!isUuid(merchant_id) || !isUuid(id)) return null
  return { merchant_id, resource_type, resource_id: id }
}

/**
 * What an event is about. A dispute, and money that arrives by a bank transfer, do not carry our names:
 * Stripe is asked for those of the payment, or of the customer that was made for it.
 */
async function notifiedOf(event: Stripe.Event, account: StripeAccount): Promise<Notified[]> {
  const subject: Subject = objectOf(event.data?.object)
  const resource_type = subject.object === 'setup_intent' ? 'transaction_token' : 'charge'
  const found =
    ownNames(subject.metadata, resource_type) ??
    ownNames(await foreignNames(subject, account), 'charge')
  return found ? [found] : []
}

const unnamed_objects: readonly unknown[] = [
  'dispute',
  'cash_balance',
  'customer_cash_balance_transaction',
]

async function foreignNames(
  { object, payment_intent, customer }: Subject,
  account: StripeAccount,
): Promise<Named> {
  if (!unnamed_objects.includes(object)) return null
  const of_payment = typeof payment_intent === 'string' && /^pi_\w+$/.test(payment_intent)
  const of_customer = typeof customer === 'string' && /^cus_\w+$/.test(customer)
  if (!of_payment && !of_customer) return null
  const { stripe, Library } = await openCall(account, [], {
    signal: AbortSignal.timeout(name_within_ms),
  })
  try {
    if (of_payment) return (await stripe.paymentIntents.retrieve(payment_intent)).metadata
    const found = await stripe.customers.retrieve(String(customer))
    return 'metadata' in found ? found.metadata : null
  } catch (error) {
    const { StripeInvalidRequestError } = Library.errors
    // It is of another program, or does not exist any more.
    if (error instanceof StripeInvalidRequestError && error.statusCode === 404) return null
    return fail('SERVICE_UNAVAILABLE', {
      message: 'Stripe did not say which payment the event is about; send it again.',
    })
  }
}
