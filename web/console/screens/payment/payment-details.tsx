import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { typesWhere } from '../../../../src/methods/method-facts.ts'
import type { Charge, ChargeConnections, Timeline, TransactionToken } from '../../api/call-api.ts'
import { useCan } from '../../api/session.tsx'
import { useStoreChoice } from '../../frame/store-choice.tsx'
import { IdText } from '../../parts/values/id-text.tsx'
import { KeyValues } from '../../parts/values/key-values.tsx'
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { TimeText, useTimeFrame } from '../../parts/values/time-text.tsx'
import { useBrandName } from '../../words/brand-words.ts'
import { formatDay } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { method_words } from '../../words/status-words.ts'
import { payment_words } from './payment-words.ts'

interface Props {
  charge: Charge
  token: TransactionToken | undefined
  timeline: Timeline | undefined
  connections: ChargeConnections | undefined
}

type Row = readonly [name: string, value: ReactNode]

/** The facts beside the story: who paid, with what, and the ids. */
export function PaymentDetails({ charge, token, timeline, connections }: Props) {
  const words = useWords(payment_words)
  const customer = connections?.customer
  const name = customerName(token) ?? customer?.name
  return (
    <aside className="payment-aside" aria-label={words.details}>
      <section>
        <h2>{words.customer}</h2>
        <KeyValues
          rows={[
            [
              words.name,
              customer ? (
                <Link key="name" href={`/customers/${customer.id}`}>
                  {name ?? customer.email ?? words.show}
                </Link>
              ) : (
                name
              ),
            ],
            [words.email, token?.email],
            ...(token?.ip_address ? [[words.ip_address, token.ip_address] as Row] : []),
          ]}
        />
      </section>
      <Method charge={charge} token={token} />
      <Facts charge={charge} token={token} timeline={timeline} connections={connections} />
    </aside>
  )
}

function customerName(token: TransactionToken | undefined): string | null {
  if (!token) return null
  const { data } = token
  if ('card' in data && data.card) return data.card.cardholder
  return 'customer_name' in data ? (data.customer_name ?? null) : null
}

function Method({ charge, token }: Pick<Props, 'charge' | 'token'>) {
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

/** Some of these are unknown for a card in a wallet. */
interface CardFacts {
  readonly last_four: string | null
  readonly exp_month: number | null
  readonly exp_year: number | null
  readonly issuer: string | null
  readonly country: string | null
}

function cardRows(
  card: CardFacts,
  brand: string,
  words: { card: string; expires: string; issuer: string; country: string },
): Row[] {
  const { last_four, exp_month, exp_year, issuer, country } = card
  return [
    [words.card, last_four === null ? brand : `${brand} •••• ${last_four}`],
    ...(exp_month === null
      ? []
      : [[words.expires, `${String(exp_month).padStart(2, '0')} / ${exp_year}`] as Row]),
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

const deposit_types: ReadonlySet<string> = new Set(typesWhere(({ deposit }) => deposit !== null))

function Facts({ charge, token, timeline, connections }: Props) {
  const may_see_deliveries = useCan('webhooks:read')
  const { language } = useLanguage()
  const { zone } = useTimeFrame()
  const words = useWords(payment_words)
  const { stores } = useStoreChoice()
  const store = stores.find(({ id }) => id === charge.store_id)
  const { capture_at, descriptor, merchant_transaction_id, subscription_id } = charge
  const transfer = connections?.transfer
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
            ? [
                [
                  words.subscription,
                  <Link key="sub" href={`/subscriptions/${charge.store_id}/${subscription_id}`}>
                    {words.show}
                  </Link>,
                ] as Row,
              ]
            : []),
          ...checkoutRows(charge, timeline, words),
          ...(transfer
            ? [
                [
                  words.payout,
                  <Link key="payout" href={`/ledger/payouts/${transfer.id}`}>
                    {formatDay(Date.parse(transfer.to), language, zone)}
                  </Link>,
                ] as Row,
              ]
            : []),
          ...(token && deposit_types.has(token.payment_type)
            ? [
                [
                  words.deposits,
                  <Link key="deposits" href={`/deposits?charge_id=${charge.id}`}>
                    {words.show}
                  </Link>,
                ] as Row,
              ]
            : []),
          ...(may_see_deliveries
            ? [
                [
                  words.deliveries,
                  <Link key="sent" href={`/developers?tab=deliveries&resource_id=${charge.id}`}>
                    {words.show}
                  </Link>,
                ] as Row,
              ]
            : []),
          [words.store, store?.name ?? <IdText key="store" id={charge.store_id} />],
          ...(capture_at ? [[at_label, <TimeText key="at" at={capture_at} exact />] as Row] : []),
          ...(descriptor ? [[words.descriptor, descriptor] as Row] : []),
          ...(merchant_transaction_id ? [[words.merchant_id, merchant_transaction_id] as Row] : []),
        ]}
      />
    </section>
  )
}
