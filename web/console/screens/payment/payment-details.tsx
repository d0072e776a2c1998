import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Charge, Timeline, TransactionToken } from '../../api/call-api.ts'
import { useStoreChoice } from '../../frame/store-choice.tsx'
import { IdText } from '../../parts/values/id-text.tsx'
import { KeyValues } from '../../parts/values/key-values.tsx'
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useBrandName } from '../../words/brand-words.ts'
import { useWords } from '../../words/language.tsx'
import { method_words } from '../../words/status-words.ts'
import { payment_words } from './payment-words.ts'

interface Props {
  charge: Charge
  token: TransactionToken | undefined
  timeline: Timeline | undefined
}

type Row = readonly [name: string, value: ReactNode]

/** The facts beside the story: who paid, with what, and the ids. */
export function PaymentDetails({ charge, token, timeline }: Props) {
  const words = useWords(payment_words)
  return (
    <aside className="payment-aside" aria-label={words.details}>
      <section>
        <h2>{words.customer}</h2>
        <KeyValues
          rows={[
            [words.name, customerName(token)],
            [words.email, token?.email],
            ...(token?.ip_address ? [[words.ip_address, token.ip_address] as Row] : []),
          ]}
        />
      </section>
      <Method charge={charge} token={token} />
      <Facts charge={charge} timeline={timeline} />
    </aside>
  )
}

function customerName(token: TransactionToken | undefined): string | null {
  if (!token) return null
  const { data } = token
  if ('card' in data && data.card) return data.card.cardholder
  return 'customer_name' in data ? (data.customer_name ?? null) : null
}

function Method({ charge, token }: Omit<Props, 'timeline'>) {
  const brandName = useBrandName()
  const words = useWords(payment_words)
  const methods = useWords(method_words)
  const rows: Row[] = [[words.method, token ? methods[token.payment_type] : null]]
  const data = token?.data ?? {}
  if ('card' in data && data.card)
    rows.push(...cardRows(data.card, brandName(data.card.brand), words))
  if ('brand' in data && data.brand) rows.push([words.brand, brandName(String(data.brand))])
  if ('convenience_store' in data && data.convenience_store) {
    rows.push([words.brand, brandName(data.convenience_store)])
  }
  const three_ds = 'three_ds' in data ? data.three_ds : undefined
  const mode = charge.three_ds?.mode
  const is_card = token?.payment_type === 'card'
  if (is_card) {
    const shown = three_ds?.status ? (
      <StatusBadge status={three_ds.status} />
    ) : mode ? (
      words.three_ds_modes[mode]
    ) : (
      words.three_ds_off
    )
    rows.push([words.three_ds, shown])
  }
  return (
    <section>
      <h2>{words.method}</h2>
      <KeyValues rows={rows} />
    </section>
  )
}

type Card = { brand: string; last_four: string; exp_month: number; exp_year: number }
type CardFacts = Card & { issuer: string | null; country: string | null }

function cardRows(
  card: CardFacts,
  brand: string,
  words: { card: string; expires: string; issuer: string; country: string },
): Row[] {
  const { last_four, exp_month, exp_year, issuer, country } = card
  return [
    [words.card, `${brand} •••• ${last_four}`],
    [words.expires, `${String(exp_month).padStart(2, '0')} / ${exp_year}`],
    ...(issuer ? [[words.issuer, issuer] as Row] : []),
    ...(country ? [[words.country, country] as Row] : []),
  ]
}

/** The checkout session and the payment link that led to the payment, where they did. */
function checkoutRows(
  { store_id }: Charge,
  timeline: Timeline | undefined,
  words: { checkout: string; payment_link: string; show: string },
): Row[] {
  const entry = timeline?.items.find((item) => item.kind === 'checkout')
  if (entry?.kind !== 'checkout') return []
  const { checkout_session_id, payment_link_id } = entry.details
  const link = (kind: 'sessions' | 'links', id: string) => (
    <Link key={kind} href={`/checkout/${kind}/${store_id}/${id}`}>
      {words.show}
    </Link>
  )
  return [
    [words.checkout, link('sessions', checkout_session_id)],
    ...(payment_link_id ? [[words.payment_link, link('links', payment_link_id)] as Row] : []),
  ]
}

function Facts({ charge, timeline }: Omit<Props, 'token'>) {
  const words = useWords(payment_words)
  const { stores } = useStoreChoice()
  const store = stores.find(({ id }) => id === charge.store_id)
  const { capture_at, descriptor, merchant_transaction_id, subscription_id } = charge
  const at_label = charge.status === 'awaiting' ? words.pay_until : words.capture_at
  return (
    <section>
      <h2>{words.details}</h2>
      <KeyValues
        rows={[
          [words.created, <TimeText key="on" at={charge.created_on} exact />],
          [words.id, <IdText key="id" id={charge.id} />],
          [words.token, <IdText key="token" id={charge.transaction_token_id} />],
          ...(subscription_id
            ? [[words.subscription, <IdText key="sub" id={subscription_id} />] as Row]
            : []),
          ...checkoutRows(charge, timeline, words),
          [words.store, store?.name ?? <IdText key="store" id={charge.store_id} />],
          ...(capture_at ? [[at_label, <TimeText key="at" at={capture_at} exact />] as Row] : []),
          ...(descriptor ? [[words.descriptor, descriptor] as Row] : []),
          ...(merchant_transaction_id ? [[words.merchant_id, merchant_transaction_id] as Row] : []),
        ]}
      />
    </section>
  )
}
