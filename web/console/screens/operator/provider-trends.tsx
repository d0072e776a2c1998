import { useRead } from '../../api/api-hooks.ts'
import type { OperatorErrorCount, OperatorTrend } from '../../api/call-api.ts'
import type { Column } from '../../parts/lists/data-table.tsx'
import { TableSection } from '../../parts/lists/table-section.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { formatNumber, formatPercent } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { method_words } from '../../words/status-words.ts'
import { operator_words } from './operator-words.ts'
import './operator.css'

/** Approvals of providers in the last day, by method and hour, and the reasons of refusals. */
export function ProviderTrends() {
  const words = useWords(operator_words)
  const trend_columns = useTrendColumns()
  const error_columns = useErrorColumns()
  const { data, error } = useRead((api) => api.operator.getTrends(), { refresh_ms: 60_000 })
  return (
    <>
      <TableSection
        title={words.trends}
        none={words.no_trends}
        columns={trend_columns}
        rows={data?.trends}
        idOf={({ provider, payment_type }) => `${provider} ${payment_type}`}
        error={error}
      />
      {data?.is_cut && <p className="field-hint">{words.cut}</p>}
      <TableSection
        title={words.errors}
        none={words.no_errors}
        columns={error_columns}
        rows={data?.errors}
        idOf={({ provider, kind, code }) => `${provider} ${kind} ${code}`}
        error={error}
      />
    </>
  )
}

function useTrendColumns(): readonly Column<OperatorTrend>[] {
  const words = useWords(operator_words)
  const methods: Readonly<Record<string, string>> = useWords(method_words)
  const { language } = useLanguage()
  return [
    { name: 'provider', label: words.provider, phone: 'title', show: (one) => one.provider },
    {
      name: 'method',
      label: words.method,
      phone: 'note',
      show: ({ payment_type }) => methods[payment_type] ?? payment_type,
    },
    {
      name: 'ended',
      label: words.ended,
      align: 'right',
      phone: 'side',
      show: ({ ended }) => formatNumber(ended, language),
    },
    {
      name: 'rate',
      label: words.rate,
      align: 'right',
      phone: 'value',
      show: ({ ended, approved }) => formatPercent(approved / Math.max(ended, 1), language),
    },
    { name: 'trend', label: words.trend, show: ({ hours }) => <Trend hours={hours} /> },
  ]
}

/** A bar for each hour: its height is the success rate, and an hour without calls has none. */
function Trend({ hours }: Pick<OperatorTrend, 'hours'>) {
  return (
    <span className="trend" aria-hidden="true">
      {hours.map(({ on, ended, approved }) => (
        <i
          key={on}
          style={{ height: ended === 0 ? 0 : `${Math.max((100 * approved) / ended, 8)}%` }}
        />
      ))}
    </span>
  )
}

function useErrorColumns(): readonly Column<OperatorErrorCount>[] {
  const words = useWords(operator_words)
  const kinds: Readonly<Record<string, string>> = words.kinds
  return [
    { name: 'provider', label: words.provider, phone: 'note', show: (one) => one.provider },
    { name: 'kind', label: words.kind, phone: 'side', show: ({ kind }) => kinds[kind] ?? kind },
    {
      name: 'code',
      label: words.code,
      phone: 'title',
      show: ({ code }) => code && <code>{code}</code>,
    },
    {
      name: 'message',
      label: words.message,
      show: ({ message }) => message && <code>{message}</code>,
    },
    {
      name: 'count',
      label: words.count,
      align: 'right',
      phone: 'value',
      show: ({ count }) => count,
    },
    { name: 'last', label: words.last, show: ({ last_on }) => <TimeText at={last_on} /> },
  ]
}
