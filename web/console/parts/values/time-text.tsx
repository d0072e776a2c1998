import { createContext, useContext, useSyncExternalStore } from 'react'
import { formatExact, formatMinute, formatTime } from '../../words/format-values.ts'
import { useLanguage } from '../../words/language.tsx'

/** The time of the merchant: its zone, and in test mode the difference of the test clock. */
interface TimeFrame {
  readonly zone: string
  readonly ahead_ms: number
}

const Frame = createContext<TimeFrame>({ zone: 'Asia/Tokyo', ahead_ms: 0 })
export const TimeFrameProvider = Frame.Provider

const beat_ms = 15_000
let now = Date.now()
const listeners = new Set<() => void>()
setInterval(() => {
  now = Date.now()
  for (const listener of listeners) listener()
}, beat_ms)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function useTimeFrame(): TimeFrame & { now: number } {
  const frame = useContext(Frame)
  const at = useSyncExternalStore(subscribe, () => now)
  return { ...frame, now: at + frame.ahead_ms }
}

export function readTime(at: string | number): number {
  return typeof at === 'number' ? at : Date.parse(at)
}

interface Props {
  at: string | number
  /** Date and minute also within a day, where instants are compared. */
  exact?: boolean
}

/** Relative up to a day, then date and minute; the exact instant and zone are in the title. */
export function TimeText({ at, exact }: Props) {
  const { language } = useLanguage()
  const { zone, now } = useTimeFrame()
  const ms = readTime(at)
  const text = exact ? formatMinute(ms, now, language, zone) : formatTime(ms, now, language, zone)
  return (
    <time
      className="time"
      dateTime={new Date(ms).toISOString()}
      title={formatExact(ms, language, zone)}
    >
      {text}
    </time>
  )
}
