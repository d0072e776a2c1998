import { Link } from 'wouter'
import type { CheckoutSession } from '../../../api/call-api.ts'
import { useWords } from '../../../words/language.tsx'
import { session_words } from './session-words.ts'

/** The way to the payment or subscription of the last attempt; null: there is none yet. */
export function SessionResult({ session }: { session: CheckoutSession }) {
  const words = useWords(session_words)
  const { store_id, charge_id, subscription_id } = session
  const [href, text] = subscription_id
    ? [`/subscriptions/${store_id}/${subscription_id}`, words.show_subscription]
    : [`/payments/${store_id}/${charge_id}`, words.show_payment]
  if (!charge_id && !subscription_id) return null
  return (
    <Link className="over-row" href={href}>
      {text}
    </Link>
  )
}
