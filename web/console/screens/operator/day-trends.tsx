import { useRead } from '../../api/api-hooks.ts'
import type { OperatorErrorCount, OperatorQueueDay, OperatorTrend } from '../../api/call-api.ts'
import type { Column } from '../../parts/lists/data-table.tsx'
import { TableSection } from '../../parts/lists/table-section.tsx'
import { TimeText, useTimeFrame } from '../../parts/values/time-text.tsx'
import {
  formatClockHour,
  formatDuration,
  formatNumber,
  formatPercent,
} from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { method_words } from '../../words/status-words.ts'
import { operator_words } from './operator-words.ts'
import './operator.css'

/** The last day: waits in the queues, approvals of providers by method and hour, the reasons of refusals. */
export function DayTrends() {
  const words = useWords(operator_words)
  const trend_columns = useTrendColumns()
  const error_columns = useErrorColumns()
  const { data, error } = useRead((api) => api.operator.getTrends(), { refresh_ms: 60_000 })
  const queue_columns = useQueueColumns()
  return (
    <>
      <TableSection
        title={words.waits}
        none={data?.measured_hours ? words.no_waits : words.not_measured}
        columns={queue_columns}
        rows={data?.queues}
        idOf={({ name }) => name}
        error={error}
      />
      {data && data.measured_hours > 0 && (
        <p className="field-hint">{words.measured(data.measured_hours)}</p>
      )}
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
    {
      name: 'trend',
      label: words.trend,
      show: ({ hours }) => (
        <HourBars
          hours={hours.map(({ on, ended, approved }) => ({
            on,
            part: ended === 0 ? null : approved / ended,
            text: formatPercent(approved / Math.max(ended, 1), language),
          }))}
        />
      ),
    },
  ]
}

interface HourBar {
  readonly on: string
  /** Its height, up to 1; null: there is nothing to show. */
  readonly part: number | null
  readonly text: string
}

/** A bar for each hour, with its number in the title. */
function HourBars({ hours }: { hours: readonly HourBar[] }) {
  const { language } = useLanguage()
  const { zone } = useTimeFrame()
  return (
    <span className="trend" aria-hidden="true">
      {hours.map(({ on, part, text }) => (
        <i
          key={on}
          title={part === null ? '' : `${formatClockHour(Date.parse(on), language, zone)} ${text}`}
          style={{ height: part === null ? 0 : `${Math.max(100 * part, 8)}%` }}
        />
      ))}
    </span>
  )
}

function useQueueColumns(): readonly Column<OperatorQueueDay>[] {
  const words = useWords(operator_words)
  const { language } = useLanguage()
  return [
    { name: 'name', label: words.queue, phone: 'title', show: ({ label }) => label[language] },
    {
      name: 'most_due',
      label: words.most_due,
      align: 'right',
      phone: 'side',
      show: ({ hours }) => formatNumber(Math.max(...hours.map(({ due }) => due ?? 0)), language),
    },
    {
      name: 'waited',
      label: words.waited,
      align: 'right',
      phone: 'value',
      show: ({ waited_ms }) => formatDuration(waited_ms, language),
    },
    {
      name: 'trend',
      label: words.trend,
      show: ({ hours, waited_ms: longest }) => (
        <HourBars
          hours={hours.map(({ on, waited_ms }) => ({
            on,
            part: waited_ms === null ? null : waited_ms / Math.max(longest, 1),
            text: formatDuration(waited_ms ?? 0, language),
          }))}
        />
      ),
    },
  ]
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
