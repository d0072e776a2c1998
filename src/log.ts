import { join } from 'node:path'
import { isatty } from 'node:tty'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { maskText } from './core/cards/sensitive.ts'
import { newLogFile } from './core/log/log-file.ts'
import { type LogStream, newLogStream } from './core/log/log-stream.ts'
import { newLogFormatter } from './core/log/pretty-log.ts'

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

/** The file of the last lines, for `logs tail`. */
export function logFilePath(data_dir: string): string {
  return join(data_dir, 'service.log')
}

/** The text of a mail may contain a link that sets a password: it is for the screen only. */
const mail_line = '"mail":{"to":'

/**
 * The log of the running service: for people on a terminal, JSON lines elsewhere. Beside an embedded
 * database, which belongs to one machine, the last lines are also kept in a file; elsewhere the program
 * that started the service collects them.
 */
export function newServiceLog(config: Config, max_write_bytes?: number): Logger {
  const { log_level, log_format, no_color, data_dir, database_url } = config
  const is_terminal = isatty(standard_output)
  const screen = newLogStream(standard_output, max_write_bytes)
  const is_pretty = log_format === 'pretty' || (log_format === 'auto' && is_terminal)
  const format = is_pretty ? newLogFormatter(is_terminal && !no_color) : null
  const file = database_url === null ? newLogFile(logFilePath(data_dir)) : null
  return newLog(log_level, newSplitStream(screen, format, file))
}

export function newSplitStream(
  screen: LogStream,
  format: ((line: string) => string) | null,
  file: LogStream | null,
): LogStream {
  return {
    write: (line) => {
      screen.write(format ? format(line) : line)
      if (file && !line.includes(mail_line)) file.write(line)
    },
  }
}
