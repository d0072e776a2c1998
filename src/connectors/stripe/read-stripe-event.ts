import type { Stripe } from 'stripe'
import { isUuid } from '../../core/ids.ts'
import { second_ms } from '../../core/time/clock.ts'
import type { Notified, RawNotification, ReadNotification } from '../../providers/provider.ts'
import { loadStripe } from './stripe-client.ts'
import { readSettings } from './stripe-settings.ts'

/** Between the signature of an event and its arrival. */
const tolerance_seconds = 300

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
    try {
      const event = webhooks.constructEvent(
        body,
        signature,
        secret,
        tolerance_seconds,
        undefined,
        now_ms,
      )
      return notifiedOf(event)
    } catch {
      // Signed with another secret, or not at all.
    }
  }
  return null
}

interface Subject {
  readonly id?: unknown
  readonly object?: unknown
  readonly metadata?: Readonly<Record<string, unknown>> | null
  readonly payment_intent?: unknown
}

/** What an event is about: by our names, which our objects carry, or by the payment of a dispute. */
function notifiedOf(event: Stripe.Event): readonly Notified[] {
  const subject = (event.data?.object ?? {}) as Subject
  const { kaikei_merchant_id: merchant_id, kaikei_charge_id: id } = subject.metadata ?? {}
  if (
    typeof merchant_id === 'string' &&
    typeof id === 'string' &&
    isUuid(merchant_id) &&
    isUuid(id)
  ) {
    const resource_type = subject.object === 'setup_intent' ? 'transaction_token' : 'charge'
    return [{ merchant_id, resource_type, resource_id: id }]
  }
  const { payment_intent } = subject
  return typeof payment_intent === 'string' ? [{ provider_reference: payment_intent }] : []
}
