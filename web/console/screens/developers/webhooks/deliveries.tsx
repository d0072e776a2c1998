import { useState } from 'react'
import { Link } from 'wouter'
import { useChange } from '../../../api/api-hooks.ts'
import type { AnyDeliveryItem, ListAllDeliveriesQuery } from '../../../api/call-api.ts'
import { useCan } from '../../../api/session.tsx'
import { Button } from '../../../parts/forms/button.tsx'
import { FormError } from '../../../parts/forms/form-fields.tsx'
import type { Column } from '../../../parts/lists/data-table.tsx'
import type { Filter } from '../../../parts/lists/filters.tsx'
import { ListView } from '../../../parts/lists/list-view.tsx'
import { dateColumn, idColumn, openColumn } from '../../../parts/lists/table-columns.tsx'
import { Dialog, DialogActions } from '../../../parts/overlays/dialog.tsx'
import { useToast } from '../../../parts/overlays/toasts.tsx'
import { MissingRight } from '../../../parts/screen/missing-right.tsx'
import { CodeBlock } from '../../../parts/values/code-block.tsx'
import { KeyValues } from '../../../parts/values/key-values.tsx'
import { StatusBadge } from '../../../parts/values/status-badge.tsx'
import { TimeText } from '../../../parts/values/time-text.tsx'
import { formatDuration } from '../../../words/format-values.ts'
import { useLanguage, useWords } from '../../../words/language.tsx'
import { developers_words } from '../developers-words.ts'
import { EventResource } from '../event-resource.tsx'
import { webhookHref } from './webhook-path.ts'

/** Deliveries of all webhooks, or of one; each opens to what was sent and answered. */
export function Deliveries({ webhook_id }: { webhook_id?: string }) {
  const words = useWords(developers_words)
  const [shown, setShown] = useState<AnyDeliveryItem | null>(null)
  const filters: readonly Filter[] = [
    {
      kind: 'choice',
      name: 'status',
      label: words.status,
      options: Object.entries(words.statuses),
    },
    { kind: 'text', name: 'event', label: words.event },
    { kind: 'text', name: 'resource_id', label: words.resource },
    { kind: 'range', name: 'from', to: 'to', of: 'days', label: words.date },
  ]
  const columns: readonly Column<AnyDeliveryItem>[] = [
    openColumn<AnyDeliveryItem>(words.event, ({ event }) => event, setShown),
    {
      name: 'status',
      label: words.status,
      phone: 'side',
      show: ({ status }) => <DeliveryStatus status={status} />,
    },
    {
      name: 'answer',
      label: words.answer,
      phone: 'value',
      show: ({ attempts }) => attempts.at(-1)?.status ?? attempts.at(-1)?.error,
    },
    {
      name: 'attempts',
      label: words.attempts,
      align: 'right',
      show: ({ attempts }) => attempts.length,
    },
    ...(webhook_id
      ? []
      : [
          {
            name: 'url',
            label: words.url,
            show: ({ url }: AnyDeliveryItem) => <span className="webhook-url">{url}</span>,
          },
        ]),
    idColumn(words.resource, ({ resource_id }) => resource_id),
    dateColumn(words.date),
  ]
  return (
    <>
      <ListView
        label={words.tabs.deliveries}
        columns={columns}
        filters={filters}
        read={(api, query, store_id) =>
          api.webhooks.listAllDeliveries({
            ...query,
            // A webhook has one place; the store that is chosen does not hide what it was sent.
            ...(webhook_id ? { webhook_id } : store_id ? { store_id } : {}),
          } as ListAllDeliveriesQuery)
        }
        idOf={({ id, webhook_id: of }) => `${of} ${id}`}
        cursorOf={({ id }) => id}
        empty={{ icon: 'webhook', title: words.no_deliveries, text: words.no_deliveries_text }}
        refresh_ms={5_000}
      />
      {shown && <DeliveryDialog delivery={shown} close={() => setShown(null)} />}
    </>
  )
}

function DeliveryStatus({ status }: Pick<AnyDeliveryItem, 'status'>) {
  const words = useWords(developers_words)
  return (
    <StatusBadge status={status === 'waiting' ? 'pending' : status} word={words.statuses[status]} />
  )
}

function DeliveryDialog({ delivery, close }: { delivery: AnyDeliveryItem; close: () => void }) {
  const words = useWords(developers_words)
  const { language } = useLanguage()
  const toast = useToast()
  const may_send = useCan('webhooks:write')
  const { id, webhook_id, store_id, event, attempts } = delivery
  const send = useChange(
    (api) => api.webhooks.redeliverEvent(webhook_id, id, {}, { store_id }),
    ['webhooks'],
  )
  const submit = () =>
    send.mutate(undefined, {
      onSuccess: () => {
        toast(words.resent)
        close()
      },
    })
  return (
    <Dialog open close={close} title={event} wide>
      <KeyValues
        rows={[
          [words.status, <DeliveryStatus key="status" status={delivery.status} />],
          [
            words.url,
            <Link key="url" className="webhook-url" href={webhookHref({ webhook_id, store_id })}>
              {delivery.url}
            </Link>,
          ],
          [words.resource, <EventResource key="id" event={delivery} />],
          ...(delivery.next_attempt_on
            ? [
                [
                  words.next_attempt,
                  <TimeText key="next" at={delivery.next_attempt_on} exact />,
                ] as const,
              ]
            : []),
        ]}
      />
      {attempts.map(({ fired_on, duration_ms, status, error, answer }, at) => (
        <section key={fired_on} className="delivery-attempt">
          <h3>
            {words.attempt(at + 1)} <strong>{status ?? error ?? words.no_response}</strong>{' '}
            {formatDuration(duration_ms, language)} <TimeText at={fired_on} exact />
          </h3>
          {answer && <CodeBlock title={words.answer} value={answer} />}
        </section>
      ))}
      <CodeBlock title={words.request} value={delivery.data} />
      <FormError error={send.error} />
      <DialogActions close={close}>
        <MissingRight right="webhooks:write" />
        {may_send && (
          <Button kind="primary" busy={send.isPending} onClick={submit}>
            {words.resend}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
