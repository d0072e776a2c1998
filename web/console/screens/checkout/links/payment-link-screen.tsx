import { type FormEvent, useState } from 'react'
import { useParams } from 'wouter'
import { useChange, useRead } from '../../../api/api-hooks.ts'
import type { PaymentLink, UpdatePaymentLink } from '../../../api/call-api.ts'
import { useCan } from '../../../api/session.tsx'
import { useStoreChoice } from '../../../frame/store-choice.tsx'
import { Button } from '../../../parts/forms/button.tsx'
import { FormError, TextField, useFieldErrors } from '../../../parts/forms/form-fields.tsx'
import { Dialog, DialogActions } from '../../../parts/overlays/dialog.tsx'
import { useToast } from '../../../parts/overlays/toasts.tsx'
import { MissingRight } from '../../../parts/screen/missing-right.tsx'
import { RecordScreen } from '../../../parts/screen/record-screen.tsx'
import { IdText } from '../../../parts/values/id-text.tsx'
import { KeyValues } from '../../../parts/values/key-values.tsx'
import { TimeText, useTimeFrame } from '../../../parts/values/time-text.tsx'
import { formatNumber, joinList, readCount } from '../../../words/format-values.ts'
import { useLanguage, useWords } from '../../../words/language.tsx'
import { method_words } from '../../../words/status-words.ts'
import { checkout_words } from '../checkout-words.ts'
import { CheckoutSessions } from '../sessions/checkout-sessions.tsx'
import { LinkBadge, UsesText } from './link-badge.tsx'
import { LinkTerms } from './link-terms.tsx'
import { amountText, endOfDay, type LinkPath, lastDayOf } from './payment-link-data.ts'
import { ShareLink } from './share-link.tsx'
import '../checkout.css'

/** One payment link: how it is shared, how often it was paid, and by whom. */
export function PaymentLinkScreen() {
  const words = useWords(checkout_words)
  const { payment_link_id, store_id } = useParams() as unknown as LinkPath
  const link = useRead((api) => api.paymentLinks.get(payment_link_id, { store_id }), {
    refresh_ms: 5_000,
  })
  return (
    <RecordScreen
      back={{ href: '/checkout', label: words.tabs.links }}
      query={link}
      titleOf={({ name }) => name}
      head={(data) => ({ heading: data.name, is_name: true, badge: <LinkBadge link={data} /> })}
    >
      {(data) => (
        <>
          <Figures link={data} />
          <Actions link={data} />
          <div className="link-columns">
            <ShareLink link={data} />
            <Details link={data} />
          </div>
          <section className="section">
            <h2>{words.of_link}</h2>
            <CheckoutSessions of_link={data} />
          </section>
        </>
      )}
    </RecordScreen>
  )
}

function Figures({ link }: { link: PaymentLink }) {
  const words = useWords(checkout_words)
  return (
    <dl className="figures link-figures">
      <div className="figure">
        <dt>{words.amount}</dt>
        <dd className="figure-value money">{amountText(link, words.range)}</dd>
      </div>
      <div className="figure">
        <dt>{words.uses}</dt>
        <dd className="figure-value">
          <UsesText link={link} />
        </dd>
      </div>
    </dl>
  )
}

/** Changes the link, and reads it again wherever it is shown. */
function useLinkChange(link: PaymentLink) {
  const { id, store_id } = link
  return useChange(
    (api, body: UpdatePaymentLink) => api.paymentLinks.update(id, body, { store_id }),
    ['paymentLinks'],
  )
}

function Actions({ link }: { link: PaymentLink }) {
  const words = useWords(checkout_words)
  const toast = useToast()
  const may_change = useCan('payments:write')
  const [open, setOpen] = useState<'edit' | 'switch_off' | null>(null)
  const change = useLinkChange(link)
  const close = () => setOpen(null)
  if (!may_change) return <MissingRight right="payments:write" />
  const activate = () =>
    change.mutate({ active: true }, { onSuccess: () => toast(words.activated) })
  return (
    <>
      <div className="record-actions link-actions">
        <Button icon="edit" onClick={() => setOpen('edit')}>
          {words.edit}
        </Button>
        {link.active ? (
          <Button onClick={() => setOpen('switch_off')}>{words.deactivate}</Button>
        ) : (
          <Button kind="primary" busy={change.isPending} onClick={activate}>
            {words.activate}
          </Button>
        )}
      </div>
      <FormError error={change.error} />
      {open === 'edit' && <EditDialog link={link} close={close} />}
      {open === 'switch_off' && <SwitchOffDialog link={link} close={close} />}
    </>
  )
}

interface DialogProps {
  link: PaymentLink
  close: () => void
}

function SwitchOffDialog({ link, close }: DialogProps) {
  const words = useWords(checkout_words)
  const toast = useToast()
  const change = useLinkChange(link)
  const submit = () =>
    change.mutate(
      { active: false },
      {
        onSuccess: () => {
          toast(words.deactivated)
          close()
        },
      },
    )
  return (
    <Dialog open close={close} title={words.deactivate} text={words.deactivate_text}>
      <FormError error={change.error} />
      <DialogActions close={close}>
        <Button kind="primary" busy={change.isPending} onClick={submit}>
          {words.deactivate}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Unchanged fields are not sent: an expiry within a day stays unchanged. */
function EditDialog({ link, close }: DialogProps) {
  const words = useWords(checkout_words)
  const toast = useToast()
  const { zone } = useTimeFrame()
  const change = useLinkChange(link)
  const fieldError = useFieldErrors(change.error)
  const last_day = lastDayOf(link.expires_on, zone)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    const max_uses = text('max_uses')
    const body = {
      name: text('name'),
      max_uses: max_uses ? readCount(max_uses) : null,
      ...(text('last_day') === last_day ? {} : { expires_on: endOfDay(text('last_day'), zone) }),
    }
    change.mutate(body, {
      onSuccess: () => {
        toast(words.link_saved)
        close()
      },
    })
  }
  return (
    <Dialog open close={close} title={words.edit}>
      <form noValidate onSubmit={submit}>
        <TextField
          label={words.name}
          name="name"
          autoComplete="off"
          defaultValue={link.name}
          hint={words.name_hint}
          error={fieldError('name')}
        />
        <LinkTerms max_uses={link.max_uses} last_day={last_day} fieldError={fieldError} />
        <FormError error={change.error} fields={['name', 'max_uses', 'expires_on']} />
        <DialogActions close={close}>
          <Button kind="primary" type="submit" busy={change.isPending}>
            {words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Details({ link }: { link: PaymentLink }) {
  const words = useWords(checkout_words)
  const methods = useWords(method_words)
  const { language } = useLanguage()
  const { stores } = useStoreChoice()
  const { max_uses, expires_on, success_url, payment_types } = link
  return (
    <section>
      <h2>{words.details}</h2>
      <KeyValues
        rows={[
          [
            words.methods,
            joinList(
              payment_types.map((type) => methods[type]),
              language,
            ),
          ],
          [
            words.max_uses,
            max_uses === null ? words.without_end : formatNumber(max_uses, language),
          ],
          [
            words.until,
            expires_on ? <TimeText key="until" at={expires_on} exact /> : words.no_expiry,
          ],
          [words.success_url, success_url],
          [words.store, stores.find(({ id }) => id === link.store_id)?.name],
          [words.created, <TimeText key="on" at={link.created_on} exact />],
          [words.id, <IdText key="id" id={link.id} whole />],
        ]}
      />
    </section>
  )
}
