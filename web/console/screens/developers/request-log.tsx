import { useState } from 'react'
import type { ListRequestsQuery, LoggedRequest } from '../../api/call-api.ts'
import type { Column } from '../../parts/lists/data-table.tsx'
import type { Filter } from '../../parts/lists/filters.tsx'
import { ListView } from '../../parts/lists/list-view.tsx'
import { dateColumn, idColumn, openColumn } from '../../parts/lists/table-columns.tsx'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { CodeBlock } from '../../parts/values/code-block.tsx'
import { IdText } from '../../parts/values/id-text.tsx'
import { KeyValues } from '../../parts/values/key-values.tsx'
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { formatDuration } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { useOperationText } from '../../words/use-operation-text.ts'
import { developers_words } from './developers-words.ts'

function lookOf(status: number): string {
  if (status >= 500) return 'error'
  return status >= 400 ? 'failed' : 'successful'
}

const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const

/** Requests of the last days: the sender, the request, and the response. */
export function RequestLog() {
  const words = useWords(developers_words)
  const columns = useColumns()
  const [shown, setShown] = useState<LoggedRequest | null>(null)
  const filters: readonly Filter[] = [
    {
      kind: 'choice',
      name: 'status',
      label: words.status,
      options: Object.entries(words.classes),
    },
    {
      kind: 'choice',
      name: 'method',
      label: words.method,
      options: methods.map((name) => [name, name]),
    },
    { kind: 'text', name: 'operation', label: words.operation },
    { kind: 'text', name: 'request_id', label: words.request_id },
    { kind: 'text', name: 'token_id', label: words.credential },
    { kind: 'text', name: 'resource_id', label: words.resource },
    { kind: 'range', name: 'from', to: 'to', of: 'days', label: words.date },
  ]
  return (
    <>
      <ListView
        label={words.tabs.requests}
        columns={columns(setShown)}
        filters={filters}
        read={(api, query, store_id) =>
          api.activity.listRequests({
            ...query,
            ...(store_id ? { store_id } : {}),
          } as ListRequestsQuery)
        }
        idOf={({ id }) => id}
        empty={{ icon: 'developers', title: words.no_requests, text: words.no_requests_text }}
        refresh_ms={5_000}
      />
      {shown && <RequestDialog request={shown} close={() => setShown(null)} />}
    </>
  )
}

function useColumns() {
  const words = useWords(developers_words)
  const operationText = useOperationText()
  const { language } = useLanguage()
  return (open: (request: LoggedRequest) => void): readonly Column<LoggedRequest>[] => [
    openColumn(
      words.operation,
      ({ method, operation, path }) => (
        <>
          <code>{method}</code> {operation ? operationText(operation) : path}
        </>
      ),
      open,
    ),
    {
      name: 'status',
      label: words.status,
      phone: 'side',
      show: ({ status }) => <StatusBadge status={lookOf(status)} word={String(status)} />,
    },
    { name: 'error', label: words.error, phone: 'value', show: ({ error }) => error?.code },
    {
      name: 'duration',
      label: words.duration,
      align: 'right',
      show: ({ duration_ms }) => formatDuration(duration_ms, language),
    },
    idColumn(words.credential, ({ token_id }) => token_id),
    dateColumn(words.date),
  ]
}

function RequestDialog({ request, close }: { request: LoggedRequest; close: () => void }) {
  const words = useWords(developers_words)
  const { language } = useLanguage()
  const { idempotency_key, resource_id, error } = request
  return (
    <Dialog open close={close} title={`${request.method} ${request.path}`} wide>
      <KeyValues
        rows={[
          [
            words.status,
            <StatusBadge
              key="status"
              status={lookOf(request.status)}
              word={String(request.status)}
            />,
          ],
          [words.operation, <code key="operation">{request.operation}</code>],
          [words.duration, formatDuration(request.duration_ms, language)],
          [words.date, <TimeText key="on" at={request.created_on} exact />],
          [words.request_id, <IdText key="request" id={request.request_id} whole />],
          [words.credential, <IdText key="token" id={request.token_id} whole />],
          ...(idempotency_key
            ? [[words.key, <code key="key">{idempotency_key}</code>] as const]
            : []),
          ...(resource_id
            ? [[words.resource, <IdText key="resource" id={resource_id} whole />] as const]
            : []),
        ]}
      />
      {error && <CodeBlock title={words.error} value={error} />}
    </Dialog>
  )
}
