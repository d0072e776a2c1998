import { useRead } from '../../api/api-hooks.ts'
import { instantOf } from '../../api/zone-days.ts'
import { Button } from '../../parts/forms/button.tsx'
import { TextField } from '../../parts/forms/form-fields.tsx'
import { useTimeFrame } from '../../parts/values/time-text.tsx'
import { useWords } from '../../words/language.tsx'
import { time_words } from './time-words.ts'

const minute_ms = 60_000
const day_ms = 86_400_000
/** The range that the presets examine. */
const look_ahead_ms = 400 * day_ms

const expiries: readonly string[] = ['payment_expiry', 'authorization_expiry', 'checkout_expiry']
const billings: readonly string[] = ['subscription_payment', 'subscription_retry']

interface Props {
  /** The time of test mode. */
  now: number
  until: number
  choose: (until: number) => void
}

/** A day, and the instants that a test most often waits for: a minute after each, it has happened. */
export function Presets({ now, until, choose }: Props) {
  const words = useWords(time_words)
  const { zone } = useTimeFrame()
  const day = (at: number) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at)
  const last = new Date(now + look_ahead_ms).toISOString()
  const { data: upcoming } = useRead((api) => api.test.getClockUpcoming({ until: last }), {
    keep: true,
  })
  const { data: next } = useRead((api) => api.transfers.getNext())
  const firstOf = (kinds: readonly string[]) =>
    upcoming?.items.find(({ kind }) => kinds.includes(kind))?.on ?? null
  const payouts = (next?.payouts ?? []).flatMap(({ paid_on }) => paid_on ?? [])
  const payout = payouts.map((on) => instantOf(on, zone)).find((on) => Date.parse(on) > now)
  const presets: Readonly<Record<keyof typeof words.presets, string | null>> = {
    billing: firstOf(billings),
    month_end: monthEnd(day(now), zone),
    expiry: firstOf(expiries),
    payout: payout ?? null,
  }
  return (
    <div className="time-presets">
      <TextField
        label={words.day}
        type="date"
        min={day(now + day_ms)}
        value={day(until)}
        onChange={(event) => {
          const { value } = event.target
          if (value) choose(Date.parse(instantOf(value, zone)))
        }}
      />
      {Object.entries(presets).map(([name, on]) => (
        <Button
          key={name}
          small
          disabled={on === null || Date.parse(on) + minute_ms <= now}
          onClick={() => on && choose(Date.parse(on) + minute_ms)}
        >
          {words.presets[name as keyof typeof words.presets]}
        </Button>
      ))}
    </div>
  )
}

/** The last hour of a month, in the zone of the merchant. */
function monthEnd(today: string, zone: string): string {
  const [year = 0, month = 1] = today.split('-').map(Number)
  const first = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
  return new Date(Date.parse(instantOf(first, zone)) - day_ms / 24).toISOString()
}
