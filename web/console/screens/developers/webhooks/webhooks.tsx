import { useState } from 'react'
import type { Webhook } from '../../../api/call-api.ts'
import { useCan } from '../../../api/session.tsx'
import { useStoreChoice } from '../../../frame/store-choice.tsx'
import { Button } from '../../../parts/forms/button.tsx'
import type { Column } from '../../../parts/lists/data-table.tsx'
import { ListView } from '../../../parts/lists/list-view.tsx'
import { MissingRight } from '../../../parts/screen/missing-right.tsx'
import { StatusBadge } from '../../../parts/values/status-badge.tsx'
import { TimeText } from '../../../parts/values/time-text.tsx'
import { useWords } from '../../../words/language.tsx'
import { developers_words } from '../developers-words.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { webhookHref } from './webhook-path.ts'

export function Webhooks() {
  const words = useWords(developers_words)
  const may_change = useCan('webhooks:write')
  const { stores } = useStoreChoice()
  const [is_adding, setAdding] = useState(false)
  const columns: readonly Column<Webhook>[] = [
    {
      name: 'url',
      label: words.url,
      phone: 'title',
      show: ({ url }) => <span className="webhook-url">{url}</span>,
    },
    {
      name: 'state',
      label: words.state,
      phone: 'side',
      show: ({ active }) => (
        <StatusBadge
          status={active ? 'active' : 'suspended'}
          word={active ? words.active : words.off}
        />
      ),
    },
    {
      name: 'triggers',
      label: words.triggers,
      phone: 'note',
      show: ({ triggers }) => words.triggers_count(triggers.length),
    },
    {
      name: 'store',
      label: words.store,
      show: ({ store_id }) =>
        stores.find(({ id }) => id === store_id)?.name ?? words.whole_merchant,
    },
    {
      name: 'created',
      label: words.created,
      show: ({ created_on }) => <TimeText at={created_on} />,
    },
  ]
  return (
    <>
      <MissingRight right="webhooks:write" />
      {may_change && (
        <div className="tab-actions">
          <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
            {words.new_webhook}
          </Button>
        </div>
      )}
      <ListView
        label={words.tabs.webhooks}
        columns={columns}
        filters={[
          {
            kind: 'choice',
            name: 'paused',
            label: words.deliveries_state,
            options: [['true', words.paused]],
          },
        ]}
        read={(api, query, store_id) =>
          store_id
            ? api.webhooks.list(query, { store_id })
            : api.webhooks.list({ ...query, with_stores: true })
        }
        idOf={({ id }) => id}
        hrefOf={({ id, store_id }) => webhookHref({ webhook_id: id, store_id })}
        empty={{ icon: 'webhook', title: words.no_webhooks, text: words.no_webhooks_text }}
      />
      {is_adding && <WebhookDialog close={() => setAdding(false)} />}
    </>
  )
}
