import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange, useRead } from '../../api/api-hooks.ts'
import type { UpcomingItem } from '../../api/call-api.ts'
import { useCan } from '../../api/session.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { FormError } from '../../parts/forms/form-fields.tsx'
import { type Column, DataTable } from '../../parts/lists/data-table.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { MissingRight } from '../../parts/screen/missing-right.tsx'
import { ScreenTitle } from '../../parts/screen/screen-title.tsx'
import { ErrorState, Loading } from '../../parts/screen/states.tsx'
import { IdText } from '../../parts/values/id-text.tsx'
import { Money } from '../../parts/values/money.tsx'
import { TimeText, useTimeFrame } from '../../parts/values/time-text.tsx'
import { formatDuration, formatMinute } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { HappenedEvents } from './happened-events.tsx'
import { Presets } from './time-presets.tsx'
import { time_words } from './time-words.ts'
import './time-travel.css'

const day_ms = 86_400_000
const minute_ms = 60_000
const max_days = 400

/** The clock of test mode: what a move would meet, the move, and what happened. */
export function TimeScreen() {
  const words = useWords(time_words)
  const {
    data: clock,
    error,
    refetch,
  } = useRead((api) => api.test.getClock(), {
    refresh_ms: 15_000,
  })
  const [days, setDays] = useState(30)
  /** A chosen instant instead of a number of days. */
  const [chosen, setChosen] = useState<number | null>(null)
  const [moved_from, setMovedFrom] = useState<string | null>(null)
  if (error && !clock) return <ErrorState error={error} retry={() => void refetch()} />
  if (!clock) return <Loading />
  const from = Date.parse(clock.now)
  // Whole minutes: the list is not read again with every second that passes.
  const minute = Math.ceil(from / minute_ms) * minute_ms
  const until = chosen !== null && chosen > minute ? chosen : minute + days * day_ms
  return (
    <>
      <ScreenTitle title={words.title} />
      <p className="screen-intro">{words.intro}</p>
      <Now now={from} ahead_ms={clock.ahead_ms} />
      <Target
        days={Math.max(1, Math.round((until - minute) / day_ms))}
        setDays={(wanted) => {
          setDays(wanted)
          setChosen(null)
        }}
        choose={setChosen}
        now={minute}
        until={until}
        moved={() => setMovedFrom(clock.now)}
      />
      <UpcomingList until={new Date(until).toISOString()} />
      {moved_from && <HappenedEvents since={moved_from} />}
    </>
  )
}

function Now({ now, ahead_ms }: { now: number; ahead_ms: number }) {
  const words = useWords(time_words)
  const { language } = useLanguage()
  const { zone } = useTimeFrame()
  const is_ahead = ahead_ms >= minute_ms
  return (
    <dl className="figure">
      <dt>{words.now}</dt>
      <dd className="figure-value">{formatMinute(now, now, language, zone)}</dd>
      <dd>{is_ahead ? words.ahead(formatDuration(ahead_ms, language)) : words.real}</dd>
    </dl>
  )
}

interface TargetProps {
  days: number
  setDays: (days: number) => void
  choose: (until: number) => void
  now: number
  until: number
  moved: () => void
}

function Target({ days, setDays, choose, now: from, until, moved }: TargetProps) {
  const words = useWords(time_words)
  const { language } = useLanguage()
  const { zone, now } = useTimeFrame()
  const toast = useToast()
  const queries = useQueryClient()
  const may_act = useCan('payments:write')
  const move = useChange(
    (api, wanted: string) => api.test.advanceClock({ now: wanted }, { timeout_ms: 120_000 }),
    ['test'],
  )
  const submit = () =>
    move.mutate(new Date(until).toISOString(), {
      onSuccess: () => {
        moved()
        toast(words.moved)
        // Everything may be another after it.
        void queries.invalidateQueries()
      },
    })
  return (
    <section className="section time-target">
      <label htmlFor="time-slider">
        {words.target} <strong>{formatMinute(until, now, language, zone)}</strong>{' '}
        <span>{words.days_ahead(days)}</span>
      </label>
      <input
        id="time-slider"
        type="range"
        min={1}
        max={max_days}
        value={days}
        aria-valuetext={words.days_ahead(days)}
        onChange={(event) => setDays(Number(event.target.value))}
      />
      <Presets now={from} until={until} choose={choose} />
      <FormError error={move.error} />
      <MissingRight right="payments:write" />
      {may_act && (
        <Button kind="primary" busy={move.isPending} onClick={submit}>
          {words.move(formatMinute(until, now, language, zone))}
        </Button>
      )}
      <p className="field-hint" role="status">
        {move.isPending ? words.moving : words.no_way_back}
      </p>
    </section>
  )
}

function UpcomingList({ until }: { until: string }) {
  const words = useWords(time_words)
  const { data, error, refetch, isPlaceholderData } = useRead(
    (api) => api.test.getClockUpcoming({ until }),
    { keep: true },
  )
  const columns: readonly Column<UpcomingItem>[] = [
    { name: 'on', label: words.when, phone: 'note', show: ({ on }) => <TimeText at={on} exact /> },
    { name: 'kind', label: words.what, phone: 'title', show: ({ kind }) => words.kinds[kind] },
    {
      name: 'amount',
      label: words.amount,
      align: 'right',
      phone: 'value',
      show: ({ amount, currency }) =>
        amount !== null && currency && <Money amount={amount} currency={currency} />,
    },
    { name: 'id', label: words.id, show: ({ resource_id }) => <IdText id={resource_id} /> },
  ]
  return (
    <section className="section">
      <h2>{words.upcoming}</h2>
      <DataTable
        label={words.upcoming}
        columns={columns}
        rows={data?.items}
        idOf={({ on, kind, resource_id }) => `${on} ${kind} ${resource_id}`}
        error={error}
        retry={() => void refetch()}
        is_stale={isPlaceholderData}
        empty={<p className="none-yet">{words.nothing}</p>}
      />
      {data?.has_more && <p className="field-hint">{words.more}</p>}
    </section>
  )
}
