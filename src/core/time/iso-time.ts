import { minute_ms } from './clock.ts'

const seconds = Array.from({ length: 60 }, (_, second) => String(second).padStart(2, '0'))
const thousandths = Array.from({ length: 1000 }, (_, ms) => `.${String(ms).padStart(3, '0')}Z`)

/** The instant as local time at the offset, with the offset written out. */
export function isoTimeAt(at: Date, offset_ms: number): string {
  const local = new Date(at.getTime() + offset_ms).toISOString()
  if (offset_ms === 0) return local
  const minutes = Math.abs(offset_ms) / minute_ms
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const digits = (count: number) => String(count).padStart(2, '0')
  return local.replace('Z', `${offset_ms < 0 ? '-' : '+'}${digits(hours)}:${digits(rest)}`)
}

let known_minute = Number.NaN
let known_text = ''

/**
 * The same as `toISOString`, which takes a microsecond. Most times are of the current minute, so the
 * text of the last minute is cached.
 */
export function isoTime(at: Date): string {
  const ms = at.getTime()
  const minute = Math.floor(ms / minute_ms)
  if (minute !== known_minute) {
    known_text = at.toISOString().slice(0, -'00.000Z'.length)
    known_minute = minute
  }
  const rest = ms - minute * minute_ms
  const second = Math.floor(rest / 1000)
  return known_text + seconds[second] + thousandths[rest - second * 1000]
}
