import { useState } from 'react'
import type { AuditLine, ListAuditLogQuery } from '../../api/call-api.ts'
import type { Column } from '../../parts/lists/data-table.tsx'
import type { Filter } from '../../parts/lists/filters.tsx'
import { ListView } from '../../parts/lists/list-view.tsx'
import { dateColumn, idColumn, openColumn } from '../../parts/lists/table-columns.tsx'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { CodeBlock } from '../../parts/values/code-block.tsx'
import { KeyValues } from '../../parts/values/key-values.tsx'
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useWords } from '../../words/language.tsx'
import { useOperationText } from '../../words/use-operation-text.ts'
import { settings_words } from './settings-words.ts'

const looks: Readonly<Record<AuditLine['kind'], string>> = {
  begun: 'pending',
  ended: 'successful',
  refused: 'failed',
  signed_in: 'active',
  sign_in_failed: 'failed',
}

function Outcome({ line }: { line: AuditLine }) {
  const words = useWords(settings_words)
  const is_bad = line.kind === 'ended' && (line.status ?? 0) >= 400
  const word = [words.kinds[line.kind], line.error_code].filter(Boolean).join(' · ')
  return <StatusBadge status={is_bad ? 'failed' : looks[line.kind]} word={word} />
}

/** The actions of users, newest first; each line opens to the state before and after. */
export function AuditLog() {
  const words = useWords(settings_words)
  const [shown, setShown] = useState<AuditLine | null>(null)
  const operationText = useOperationText()
  const filters: readonly Filter[] = [
    { kind: 'text', name: 'user_id', label: words.user_filter },
    { kind: 'text', name: 'action', label: words.action },
    { kind: 'text', name: 'resource_id', label: words.resource },
    { kind: 'range', name: 'from', to: 'to', of: 'days', label: words.date },
  ]
  const columns: readonly Column<AuditLine>[] = [
    openColumn<AuditLine>(words.action, ({ action }) => operationText(action), setShown),
    {
      name: 'outcome',
      label: words.outcome,
      phone: 'side',
      show: (line) => <Outcome line={line} />,
    },
    {
      name: 'actor',
      label: words.actor,
      phone: 'value',
      show: ({ user_name, user_email }) => user_name ?? user_email,
    },
    { name: 'address', label: words.address, show: ({ ip_address }) => ip_address },
    idColumn(words.resource, ({ resource_id }) => resource_id),
    dateColumn(words.date, true),
  ]
  return (
    <>
      <ListView
        label={words.tabs.audit}
        columns={columns}
        filters={filters}
        read={(api, query) => api.auditLog.list(query as ListAuditLogQuery)}
        idOf={({ id }) => id}
        empty={{ icon: 'lock', title: words.no_audit, text: words.no_audit_text }}
      />
      {shown && <LineDialog line={shown} close={() => setShown(null)} />}
    </>
  )
}

function LineDialog({ line, close }: { line: AuditLine; close: () => void }) {
  const words = useWords(settings_words)
  const operationText = useOperationText()
  const parts = [
    [words.input, line.input],
    [words.before, line.before],
    [words.after, line.after],
  ] as const
  return (
    <Dialog open close={close} title={operationText(line.action)} wide>
      <KeyValues
        rows={[
          [words.action, <code key="action">{line.action}</code>],
          [words.actor, line.user_email],
          [words.outcome, <Outcome key="outcome" line={line} />],
          [words.date, <TimeText key="on" at={line.created_on} exact />],
          [words.address, line.ip_address],
        ]}
      />
      {parts.map(
        ([title, value]) =>
          value !== null &&
          value !== undefined && <CodeBlock key={title} title={title} value={value} />,
      )}
    </Dialog>
  )
}
