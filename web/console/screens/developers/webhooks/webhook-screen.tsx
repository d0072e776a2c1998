import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { useChange, useRead } from '../../../api/api-hooks.ts'
import type { Webhook } from '../../../api/call-api.ts'
import { useCan } from '../../../api/session.tsx'
import { Button } from '../../../parts/forms/button.tsx'
import { FormError } from '../../../parts/forms/form-fields.tsx'
import { Dialog, DialogActions } from '../../../parts/overlays/dialog.tsx'
import { useToast } from '../../../parts/overlays/toasts.tsx'
import { MissingRight } from '../../../parts/screen/missing-right.tsx'
import { RecordScreen } from '../../../parts/screen/record-screen.tsx'
import { KeyValues } from '../../../parts/values/key-values.tsx'
import { StatusBadge } from '../../../parts/values/status-badge.tsx'
import { TimeText } from '../../../parts/values/time-text.tsx'
import { formatDuration } from '../../../words/format-values.ts'
import { useLanguage, useWords } from '../../../words/language.tsx'
import { errorText } from '../../../words/part-words.ts'
import { developers_words } from '../developers-words.ts'
import { Deliveries } from './deliveries.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookSecret } from './webhook-secret.tsx'
import '../developers.css'

/** One webhook: whether it works, its secret, and what was sent to it. */
export function WebhookScreen() {
  const words = useWords(developers_words)
  const { webhook_id, store_id = null } = useParams() as { webhook_id: string; store_id?: string }
  const webhook = useRead((api) => api.webhooks.get(webhook_id, { store_id }))
  return (
    <RecordScreen
      back={{ href: '/developers', label: words.tabs.webhooks }}
      query={webhook}
      titleOf={({ url }) => url}
      head={({ url, id }) => ({ heading: url, is_name: true, id })}
    >
      {(data) => (
        <>
          <Actions webhook={data} />
          <Facts webhook={data} />
          <WebhookSecret path={{ webhook_id, store_id }} />
          <section className="section">
            <h2>{words.tabs.deliveries}</h2>
            <Deliveries webhook_id={webhook_id} />
          </section>
        </>
      )}
    </RecordScreen>
  )
}

function Facts({ webhook }: { webhook: Webhook }) {
  const words = useWords(developers_words)
  const { active, disabled_reason, triggers, created_on } = webhook
  return (
    <KeyValues
      rows={[
        [
          words.state,
          <StatusBadge
            key="state"
            status={active ? 'active' : 'suspended'}
            word={active ? words.active : words.off}
          />,
        ],
        ...(disabled_reason
          ? [[words.error, words.disabled(disabled_reason, statusIn(disabled_reason))] as const]
          : []),
        [words.triggers, <code key="triggers">{triggers.join(', ')}</code>],
        [words.created, <TimeText key="on" at={created_on} exact />],
      ]}
    />
  )
}

/** The status that the receiver answered: the policy of deliveries says it in English. */
const statusIn = (reason: string) => /\b\d{3}\b/.exec(reason)?.[0] ?? ''

type Open = 'edit' | 'remove' | 'replay' | null

function Actions({ webhook }: { webhook: Webhook }) {
  const words = useWords(developers_words)
  const { language } = useLanguage()
  const toast = useToast()
  const may_change = useCan('webhooks:write')
  const [open, setOpen] = useState<Open>(null)
  const { id, active, store_id } = webhook
  const ping = useChange((api) => api.webhooks.ping(id, { store_id }), ['webhooks'])
  const change = useChange(
    (api, wanted: boolean) => api.webhooks.update(id, { active: wanted }, { store_id }),
    ['webhooks'],
  )
  if (!may_change) return <MissingRight right="webhooks:write" />
  const send = () =>
    ping.mutate(undefined, {
      onSuccess: ({ status, error, duration_ms }) =>
        toast(
          status === null
            ? words.ping_failed(error ?? '')
            : words.ping_result(String(status), formatDuration(duration_ms, language)),
        ),
      onError: (error) => toast(errorText(error, language)),
    })
  const toggle = () =>
    change.mutate(!active, {
      onSuccess: () => toast(active ? words.switched_off : words.switched_on),
      onError: (error) => toast(errorText(error, language)),
    })
  return (
    <div className="tab-actions">
      <Button kind="primary" busy={ping.isPending} onClick={send}>
        {words.ping}
      </Button>
      <Button onClick={() => setOpen('replay')}>{words.replay}</Button>
      <Button icon="edit" onClick={() => setOpen('edit')}>
        {words.edit}
      </Button>
      <Button busy={change.isPending} onClick={toggle}>
        {active ? words.switch_off : words.switch_on}
      </Button>
      <Button onClick={() => setOpen('remove')}>{words.remove}</Button>
      {open === 'edit' && <WebhookDialog webhook={webhook} close={() => setOpen(null)} />}
      {open === 'replay' && (
        <ReplayDialog path={{ webhook_id: id, store_id }} close={() => setOpen(null)} />
      )}
      {open === 'remove' && <RemoveDialog webhook={webhook} close={() => setOpen(null)} />}
    </div>
  )
}

function RemoveDialog({ webhook, close }: { webhook: Webhook; close: () => void }) {
  const words = useWords(developers_words)
  const toast = useToast()
  const [, navigate] = useLocation()
  const { id, store_id } = webhook
  const remove = useChange((api) => api.webhooks.delete(id, { store_id }), ['webhooks'])
  const submit = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        toast(words.removed)
        navigate('/developers')
      },
    })
  return (
    <Dialog open close={close} title={words.remove} text={words.remove_text}>
      <FormError error={remove.error} />
      <DialogActions close={close}>
        <Button kind="danger" busy={remove.isPending} onClick={submit}>
          {words.remove}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
