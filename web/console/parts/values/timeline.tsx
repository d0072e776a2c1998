import { type ReactNode, useState } from 'react'
import { formatClock, formatDay, formatDuration, formatExact } from '../../words/format-values.ts'
import { useLanguage } from '../../words/language.tsx'
import { Icon, type IconName } from './icon.tsx'
import { readTime, useTimeFrame } from './time-text.tsx'
import './timeline.css'

export interface TimelineEntry {
  readonly id: string
  readonly on: string
  readonly icon: IconName
  /** Red where it failed, green where money moved. */
  readonly tone?: 'good' | 'bad' | undefined
  /** What kind of part acted: read before the sentence. */
  readonly actor: string
  readonly sentence: ReactNode
  readonly duration_ms?: number | null | undefined
  /** Folded. */
  readonly details?: ReactNode
}

/** Time on the left, who acted, one sentence; pauses between entries are said when they matter. */
export function Timeline({ label, entries }: { label: string; entries: readonly TimelineEntry[] }) {
  return (
    <ol className="timeline" aria-label={label}>
      {entries.map((entry, at) => (
        <Entry key={entry.id} entry={entry} before={entries[at - 1] ?? null} />
      ))}
    </ol>
  )
}

const worth_saying_ms = 1_000

function Entry({ entry, before }: { entry: TimelineEntry; before: TimelineEntry | null }) {
  const { language } = useLanguage()
  const { zone } = useTimeFrame()
  const [open, setOpen] = useState(false)
  const at = readTime(entry.on)
  const day = (ms: number) => formatDay(ms, language, zone)
  const is_new_day = !before || day(readTime(before.on)) !== day(at)
  const pause_ms = before ? at - readTime(before.on) : 0
  const sentence = (
    <span>
      <span className="unseen">{entry.actor}: </span>
      {entry.sentence}
      {typeof entry.duration_ms === 'number' && (
        <span className="timeline-duration">{formatDuration(entry.duration_ms, language)}</span>
      )}
    </span>
  )
  return (
    <li className={`timeline-entry ${entry.tone ?? ''}`}>
      {pause_ms >= worth_saying_ms && (
        <p className="timeline-pause">{formatDuration(pause_ms, language)}</p>
      )}
      <time dateTime={entry.on} title={formatExact(at, language, zone)}>
        {is_new_day && <b>{day(at)}</b>}
        <span>{formatClock(at, language, zone)}</span>
      </time>
      <span className="timeline-icon" title={entry.actor}>
        <Icon name={entry.icon} size={14} />
      </span>
      {entry.details ? (
        <details className="timeline-text" onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            {sentence}
            <Icon name="right" size={14} />
          </summary>
          {open && <div className="timeline-details">{entry.details}</div>}
        </details>
      ) : (
        <p className="timeline-text">{sentence}</p>
      )}
    </li>
  )
}
