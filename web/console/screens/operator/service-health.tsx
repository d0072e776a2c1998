import { useRead } from '../../api/api-hooks.ts'
import type { OperatorProvider, OperatorQueue } from '../../api/call-api.ts'
import { type Column, DataTable } from '../../parts/lists/data-table.tsx'
import { ErrorState, Loading } from '../../parts/screen/states.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { formatNumber } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { DayTrends } from './day-trends.tsx'
import { operator_words } from './operator-words.ts'

/** Whether the service keeps up: what waits, for how long, and what providers answer. */
export function ServiceHealth() {
  const words = useWords(operator_words)
  const { language } = useLanguage()
  const { data, error, refetch } = useRead((api) => api.operator.getHealth(), {
    refresh_ms: 5_000,
  })
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  const figures = [
    [words.processes, data.processes],
    [words.events, data.waiting_events],
    [words.deliveries, data.waiting_deliveries],
  ] as const
  return (
    <>
      <div className="figures">
        {figures.map(([name, value]) => (
          <dl key={name} className="figure">
            <dt>{name}</dt>
            <dd className="figure-value">{formatNumber(value, language)}</dd>
          </dl>
        ))}
      </div>
      <Queues queues={data.queues.filter(({ due }) => due > 0)} />
      <Providers providers={data.providers} />
      <DayTrends />
    </>
  )
}

function Queues({ queues }: { queues: readonly OperatorQueue[] }) {
  const words = useWords(operator_words)
  const { language } = useLanguage()
  const columns: readonly Column<OperatorQueue>[] = [
    { name: 'name', label: words.queue, phone: 'title', show: ({ label }) => label[language] },
    { name: 'due', label: words.due, align: 'right', phone: 'value', show: ({ due }) => due },
    {
      name: 'oldest',
      label: words.oldest,
      phone: 'note',
      show: ({ oldest_on }) => oldest_on && <TimeText at={oldest_on} />,
    },
  ]
  return (
    <section className="section">
      <h2>{words.queues}</h2>
      <DataTable
        label={words.queues}
        columns={columns}
        rows={queues}
        idOf={({ name }) => name}
        empty={<p className="none-yet">{words.none_due}</p>}
      />
    </section>
  )
}

function Providers({ providers }: { providers: readonly OperatorProvider[] }) {
  const words = useWords(operator_words)
  const columns: readonly Column<OperatorProvider>[] = [
    { name: 'provider', label: words.provider, phone: 'title', show: ({ provider }) => provider },
    { name: 'calls', label: words.calls, align: 'right', phone: 'value', show: (one) => one.calls },
    { name: 'refused', label: words.refused, align: 'right', show: (one) => one.refused },
    {
      name: 'unknown',
      label: words.unknown,
      align: 'right',
      phone: 'note',
      show: (one) => one.unknown,
    },
  ]
  return (
    <section className="section">
      <h2>{words.providers}</h2>
      <DataTable
        label={words.providers}
        columns={columns}
        rows={providers}
        idOf={({ provider }) => provider}
        empty={<p className="none-yet">{words.no_calls}</p>}
      />
    </section>
  )
}
