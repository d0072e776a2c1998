import { useState } from 'react'
import { useParams } from 'wouter'
import { useChange, useRead } from '../../api/api-hooks.ts'
import type { Dispute } from '../../api/call-api.ts'
import { useCan } from '../../api/session.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { FormError } from '../../parts/forms/form-fields.tsx'
import { Dialog, DialogActions } from '../../parts/overlays/dialog.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { MissingRight } from '../../parts/screen/missing-right.tsx'
import { RecordScreen } from '../../parts/screen/record-screen.tsx'
import { Loading } from '../../parts/screen/states.tsx'
import { Icon } from '../../parts/values/icon.tsx'
import { IdText } from '../../parts/values/id-text.tsx'
import { KeyValues } from '../../parts/values/key-values.tsx'
import { Money } from '../../parts/values/money.tsx'
import { TimeText, useTimeFrame } from '../../parts/values/time-text.tsx'
import { useFailureText } from '../../words/charge-error-words.ts'
import { formatMoney } from '../../words/format-values.ts'
import { useWords } from '../../words/language.tsx'
import { DisputeBadge } from './dispute-columns.tsx'
import { DisputedPayment, useDisputeContext } from './dispute-context.tsx'
import { DisputeEvidence } from './dispute-evidence.tsx'
import { disputes_words } from './disputes-words.ts'
import '../payment/payment.css'
import './disputes.css'

/** One dispute: what is at stake, until when to respond, and the response. */
export function DisputeScreen() {
  const words = useWords(disputes_words)
  const may_act = useCan('payments:write')
  const { store_id, dispute_id } = useParams() as { store_id: string; dispute_id: string }
  const dispute = useRead((api) => api.disputes.get(dispute_id, {}, { store_id }), {
    refresh_ms: 3_000,
  })
  const isOpen = ({ status, pending_response }: Dispute) =>
    status === 'needs_response' && pending_response === null
  return (
    <RecordScreen
      back={{ href: '/disputes', label: words.back }}
      query={dispute}
      titleOf={({ amount, currency }) => words.one(formatMoney(amount, currency))}
      head={(data) => ({
        heading: <Money amount={data.amount} currency={data.currency} />,
        badge: <DisputeBadge status={data.status} />,
        id: data.id,
        notes: <Notes dispute={data} />,
      })}
    >
      {(data) => (
        <>
          {isOpen(data) &&
            (may_act ? <Accept dispute={data} /> : <MissingRight right="payments:write" />)}
          <Parts dispute={data} may_write={isOpen(data) && may_act} />
        </>
      )}
    </RecordScreen>
  )
}

function Parts({ dispute, may_write }: { dispute: Dispute; may_write: boolean }) {
  const { context, is_loading } = useDisputeContext(dispute)
  return (
    <div className="payment-columns">
      <div>
        <Details dispute={dispute} />
        {is_loading ? (
          <Loading />
        ) : (
          <DisputeEvidence dispute={dispute} may_write={may_write} context={context} />
        )}
      </div>
      {context && <DisputedPayment context={context} />}
    </div>
  )
}

const day_ms = 86_400_000

function DaysLeft({ respond_by }: Pick<Dispute, 'respond_by'>) {
  const words = useWords(disputes_words)
  const { now } = useTimeFrame()
  const left_ms = Date.parse(respond_by) - now
  return (
    <p className="dispute-note dispute-time">
      <Icon name="time" />
      {left_ms <= 0 ? words.over : words.days_left(Math.floor(left_ms / day_ms))}
    </p>
  )
}

function Notes({ dispute }: { dispute: Dispute }) {
  const { pending_response, error, status, respond_by } = dispute
  const words = useWords(disputes_words)
  const failureText = useFailureText()
  return (
    <>
      {status === 'needs_response' && !pending_response && <DaysLeft respond_by={respond_by} />}
      {pending_response && <p className="dispute-note">{words.on_its_way}</p>}
      {error && (
        <p className="dispute-note dispute-refused">
          <Icon name="warning" />
          {words.refused} {failureText(error)}
        </p>
      )}
    </>
  )
}

function Accept({ dispute }: { dispute: Dispute }) {
  const words = useWords(disputes_words)
  const toast = useToast()
  const [is_asking, setAsking] = useState(false)
  const { id, store_id, amount, currency } = dispute
  const accept = useChange((api, _: null) => api.disputes.accept(id, { store_id }), ['disputes'])
  const close = () => setAsking(false)
  const send = () =>
    accept.mutate(null, {
      onSuccess: () => {
        toast(words.accepted)
        close()
      },
    })
  return (
    <div className="record-actions">
      <Button onClick={() => setAsking(true)}>{words.accept}</Button>
      <Dialog
        open={is_asking}
        close={close}
        title={words.accept}
        text={words.accept_text(formatMoney(amount, currency))}
      >
        <FormError error={accept.error} />
        <DialogActions>
          <Button onClick={close}>{words.keep}</Button>
          <Button kind="danger" busy={accept.isPending} onClick={send}>
            {words.accept}
          </Button>
        </DialogActions>
      </Dialog>
    </div>
  )
}

function Details({ dispute }: { dispute: Dispute }) {
  const words = useWords(disputes_words)
  const { fee_amount, currency, reason } = dispute
  return (
    <section className="section">
      <h2>{words.details}</h2>
      <KeyValues
        rows={[
          [words.reason, words.reasons[reason]],
          [words.respond_by, <TimeText key="by" at={dispute.respond_by} exact />],
          [words.fee, <Money key="fee" amount={fee_amount} currency={currency} />],
          [words.created, <TimeText key="on" at={dispute.created_on} exact />],
          [words.reference, dispute.provider_reference],
          [words.id, <IdText key="id" id={dispute.id} whole />],
        ]}
      />
    </section>
  )
}
