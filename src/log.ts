import { type DestinationStream, type Logger, pino } from 'pino'
import { maskText } from './core/cards/sensitive.ts'
import { newLogStream } from './core/log-stream.ts'

/** Values under these names are credentials or card data whatever they look like. */
const hidden_keys = [
  'authorization',
  'secret',
  'jwt',
  'password',
  'auth_token',
  'cvv',
  'card_number',
  'account_number',
  'certificate_id',
  'certificate_name',
]

const standard_output = 1

/**
 * JSON lines. Known names are redacted by path; and the finished line, wherever its parts come from, is
 * masked by pattern: card numbers and credentials never reach the stream.
 */
export function newLog(level: string, stream?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: hidden_keys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
      hooks: { streamWrite: maskText },
    },
    stream ?? newLogStream(standard_output),
  )
}
