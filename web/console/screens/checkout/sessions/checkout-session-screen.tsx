import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { useChange, useRead } from '../../../api/api-hooks.ts'
import type { CheckoutSession } from '../../../api/call-api.ts'
import { useCan } from '../../../api/session.tsx'
import { useStoreChoice } from '../../../frame/store-choice.tsx'
import { Button } from '../../../parts/forms/button.tsx'
import { FormError } from '../../../parts/forms/form-fields.tsx'
import { TableSection } from '../../../parts/lists/table-section.tsx'
import { Dialog, DialogActions } from '../../../parts/overlays/dialog.tsx'
import { useToast } from '../../../parts/overlays/toasts.tsx'
import { MissingRight } from '../../../parts/screen/missing-right.tsx'
import { RecordScreen } from '../../../parts/screen/record-screen.tsx'
import { CodeBlock } from '../../../parts/values/code-block.tsx'
import { Icon } from '../../../parts/values/icon.tsx'
import { IdText, useCopy } from '../../../parts/values/id-text.tsx'
import { KeyValues } from '../../../parts/values/key-values.tsx'
import { Money } from '../../../parts/values/money.tsx'
import { TimeText } from '../../../parts/values/time-text.tsx'
import { useFailureText } from '../../../words/charge-error-words.ts'
import { formatMoney, joinList } from '../../../words/format-values.ts'
import { useLanguage, useWords } from '../../../words/language.tsx'
import { method_words } from '../../../words/status-words.ts'
import { linkHref } from '../links/payment-link-data.ts'
import { SessionBadge } from './session-columns.tsx'
import { SessionResult } from './session-result.tsx'
import { session_words } from './session-words.ts'
import '../checkout.css'

/** One checkout session: the order, its attempts, and its result. */
export function CheckoutSessionScreen() {
  const words = useWords(session_words)
  const params = useParams() as { store_id: string; checkout_session_id: string }
  const { store_id, checkout_session_id: id } = params
  const session = useRead((api) => api.checkoutSessions.get(id, {}, { store_id }), {
    refresh_ms: 5_000,
  })
  return (
    <RecordScreen
      back={{ href: '/checkout?tab=sessions', label: words.back }}
      query={session}
      titleOf={({ amount, currency }) => words.one(formatMoney(amount, currency))}
      head={(data) => ({
        heading: <Money amount={data.amount} currency={data.currency} />,
        badge: <SessionBadge status={data.status} />,
        id: data.id,
        notes: data.error && <Failure error={data.error} />,
      })}
    >
      {(data) => (
        <>
          <Actions session={data} />
          {data.line_items.length > 0 && <Goods session={data} />}
          <Details session={data} />
          {Object.keys(data.metadata).length > 0 && (
            <section className="section">
              <CodeBlock title={words.metadata} value={data.metadata} />
            </section>
          )}
        </>
      )}
    </RecordScreen>
  )
}

function Failure({ error }: { error: NonNullable<CheckoutSession['error']> }) {
  const words = useWords(session_words)
  const failureText = useFailureText()
  return (
    <p className="session-failure">
      <Icon name="warning" />
      <span>
        {words.failed} <strong>{words.code(String(error.code))}</strong> {failureText(error)}
      </span>
    </p>
  )
}

function Actions({ session }: { session: CheckoutSession }) {
  const words = useWords(session_words)
  const may_act = useCan('payments:write')
  const [is_copied, copy] = useCopy()
  const [is_canceling, setCanceling] = useState(false)
  const { url, status } = session
  return (
    <div className="record-actions">
      {url && (
        <>
          <Button icon={is_copied ? 'check' : 'copy'} onClick={() => copy(url)}>
            {is_copied ? words.copied : words.copy}
          </Button>
          <a className="button plain" href={url} target="_blank" rel="noreferrer">
            <Icon name="external" />
            {words.open_page}
          </a>
        </>
      )}
      {may_act && status === 'open' && (
        <Button onClick={() => setCanceling(true)}>{words.cancel}</Button>
      )}
      {may_act && status !== 'open' && (
        <p className="none-yet">
          {words.why_not[status === 'processing' ? 'processing' : 'ended']}
        </p>
      )}
      <MissingRight right="payments:write" />
      {is_canceling && <CancelDialog session={session} close={() => setCanceling(false)} />}
    </div>
  )
}

function CancelDialog({ session, close }: { session: CheckoutSession; close: () => void }) {
  const words = useWords(session_words)
  const toast = useToast()
  const { id, store_id } = session
  const cancel = useChange(
    (api) => api.checkoutSessions.cancel(id, { store_id }),
    ['checkoutSessions'],
  )
  const submit = () =>
    cancel.mutate(undefined, {
      onSuccess: () => {
        toast(words.canceled)
        close()
      },
    })
  return (
    <Dialog open close={close} title={words.cancel} text={words.cancel_text}>
      <FormError error={cancel.error} />
      <DialogActions>
        <Button onClick={close}>{words.keep}</Button>
        <Button kind="danger" busy={cancel.isPending} onClick={submit}>
          {words.cancel}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Goods({ session: { line_items, currency } }: { session: CheckoutSession }) {
  const words = useWords(session_words)
  const rows = line_items.map((item, at) => ({ ...item, at }))
  type Row = (typeof rows)[number]
  return (
    <TableSection<Row>
      title={words.goods}
      none={words.no_goods}
      rows={rows}
      idOf={({ at }) => String(at)}
      columns={[
        {
          name: 'item',
          label: words.item,
          phone: 'title',
          show: ({ name, description }) => (
            <>
              {name}
              {description && <span className="item-description"> {description}</span>}
            </>
          ),
        },
        {
          name: 'quantity',
          label: words.quantity,
          align: 'right',
          phone: 'note',
          show: ({ quantity }) => `× ${quantity}`,
        },
        {
          name: 'price',
          label: words.price,
          align: 'right',
          show: ({ amount }) => <Money amount={amount} currency={currency} />,
        },
        {
          name: 'sum',
          label: words.sum,
          align: 'right',
          phone: 'value',
          show: ({ amount, quantity }) => <Money amount={amount * quantity} currency={currency} />,
        },
      ]}
    />
  )
}

function Details({ session }: { session: CheckoutSession }) {
  const words = useWords(session_words)
  const { language } = useLanguage()
  const methods = useWords(method_words)
  const { stores } = useStoreChoice()
  const { store_id, payment_type, payment_link_id, customer, completed_on } = session
  const is_paid_later = !session.capture
  return (
    <section className="section">
      <h2>{words.details}</h2>
      <KeyValues
        rows={[
          [words.attempts, session.attempts],
          [words.method, payment_type && methods[payment_type]],
          [
            session.subscription_id ? words.subscription : words.payment,
            session.charge_id || session.subscription_id ? (
              <SessionResult key="result" session={session} />
            ) : null,
          ],
          ...(payment_link_id
            ? [
                [
                  words.link,
                  <Link key="link" href={linkHref({ store_id, payment_link_id })}>
                    {words.show_link}
                  </Link>,
                ] as const,
              ]
            : []),
          [
            words.email,
            customer?.email && (
              <Link key="email" href={`/payments?email=${encodeURIComponent(customer.email)}`}>
                {customer.email}
              </Link>
            ),
          ],
          ...(customer?.name ? [[words.customer, customer.name] as const] : []),
          [
            words.methods,
            joinList(
              session.payment_types.map((type) => methods[type]),
              language,
            ),
          ],
          [words.capture, words.captures[is_paid_later ? 'later' : 'at_once']],
          [words.success_url, session.success_url],
          [words.cancel_url, session.cancel_url],
          [words.store, stores.find(({ id }) => id === store_id)?.name],
          [words.created, <TimeText key="on" at={session.created_on} exact />],
          [words.expires, <TimeText key="until" at={session.expires_on} exact />],
          [words.completed, completed_on && <TimeText key="done" at={completed_on} exact />],
          [words.id, <IdText key="id" id={session.id} whole />],
        ]}
      />
    </section>
  )
}
