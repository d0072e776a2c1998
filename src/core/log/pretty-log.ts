import { faultOf } from '../read-unknown.ts'
import { type Color, newPaint, type Paint } from '../text/terminal/colors.ts'
import { printable } from '../text/terminal/display-width.ts'

type LogRecord = Readonly<Record<string, unknown>>

const level_colors: Readonly<Record<string, Color>> = {
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
}
const class_colors: Readonly<Record<string, Color>> = { 2: 'green', 4: 'yellow', 5: 'red' }

/** Formats JSON lines of the log for a person: one line a request, the parts always at one place. */
export function newLogFormatter(has_color: boolean): (line: string) => string {
  const paint = newPaint(has_color)
  return (line) => {
    const record = readRecord(line)
    if (!record) return line
    const { time, process: number } = record
    const start = paint('dim', timeOfDay(time)) + (number ? paint('dim', ` [${number}]`) : '')
    const text = record.msg === 'request' ? requestText(record, paint) : noteText(record, paint)
    return `${start} ${text}\n`
  }
}

function readRecord(line: string): LogRecord | null {
  try {
    const record = JSON.parse(line)
    return typeof record === 'object' && record !== null ? record : null
  } catch {
    return null
  }
}

/** In the time zone of the terminal. */
function timeOfDay(time: unknown): string {
  const moment = new Date(String(time))
  if (Number.isNaN(moment.getTime())) return '--:--:--.---'
  const parts = [moment.getHours(), moment.getMinutes(), moment.getSeconds()]
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':')
  return `${clock}.${String(moment.getMilliseconds()).padStart(3, '0')}`
}

function requestText(record: LogRecord, paint: Paint): string {
  const { method, status, ms, route, path, request_id, merchant_id } = record
  const shown_status = paint(class_colors[String(status).charAt(0)] ?? 'cyan', String(status))
  const duration = `${ms}${Number.isInteger(ms) ? '.0' : ''}`.padStart(7)
  const about = [
    printable(String(path ?? route)),
    paint('dim', printable(String(request_id)).slice(0, 8)),
    ...(merchant_id ? [paint('dim', `merchant ${shortened(String(merchant_id))}`)] : []),
  ]
  return `${String(method).padEnd(6)} ${shown_status} ${duration} ms  ${about.join('  ')}`
}

/** Ids that were created together begin alike. */
function shortened(id: string): string {
  return `${id.slice(0, 8)}…${id.slice(-4)}`
}

function noteText(record: LogRecord, paint: Paint): string {
  const { level, time: _, msg, err, process: __, ...facts } = record
  const name = String(level)
  const shown_level = paint(level_colors[name] ?? 'cyan', name.toUpperCase().padEnd(5))
  const reported = Object.entries(facts).map(([key, value]) => `${key}=${valueText(value)}`)
  const line = [shown_level, printable(String(msg ?? ''))]
  if (reported.length > 0) line.push(paint('dim', reported.join(' ')))
  return line.join(' ') + errorText(err, name, paint)
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return printable(text)
}

/** The place of an error matters only when it was not expected. */
function errorText(error: unknown, level: string, paint: Paint): string {
  if (typeof error !== 'object' || error === null) return ''
  const { message, stack } = faultOf(error)
  const shown = level === 'error' && stack ? String(stack) : String(message ?? '')
  const lines = shown.split('\n').map((line) => `\n    ${printable(line)}`)
  return paint('dim', lines.join(''))
}
