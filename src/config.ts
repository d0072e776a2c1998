import { readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { PlainError } from './core/api/plain-error.ts'
import { faultOf } from './core/read-unknown.ts'
import { max_shutdown_delay_ms } from './core/time/deadline.ts'

/** A wrong setting: the start fails with this message and nothing else. */
export class SettingError extends PlainError {}

interface Setting<T> {
  readonly default: string
  readonly meaning: string
  /** Can also be given as a file, whose path is in the variable with `_FILE` after the name. */
  readonly secret?: true
  read(text: string): T
}

function setting<T>(value: Setting<T>): Setting<T> {
  return value
}

function oneOf<const T extends string>(...allowed: T[]): (text: string) => T {
  return (text) => {
    const found = allowed.find((one) => one === text)
    if (found === undefined) throw new SettingError(`must be one of ${allowed.join(', ')}`)
    return found
  }
}

function whole(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,13}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max)) {
      throw new SettingError(`must be a whole number from ${min} to ${max}`)
    }
    return value
  }
}

/** One processor is left to the database and the first process. */
function processes(text: string): number {
  if (text === 'auto') return Math.max(1, Math.min(max_processes, availableParallelism() - 1))
  const value = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > max_processes) {
    throw new SettingError(`must be auto or a whole number from 1 to ${max_processes}`)
  }
  return value
}

const max_processes = 64

function optional<T>(read: (text: string) => T): (text: string) => T | null {
  return (text) => (text === '' ? null : read(text))
}

function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new SettingError('must be an http or https address without query')
  }
  return url.href.replace(/\/+$/, '')
}

function originUrl(text: string): string {
  const address = httpUrl(text)
  if (new URL(address).pathname !== '/') throw new SettingError('must be an address without path')
  return address
}

function postgresUrl(text: string): string {
  if (!/^postgres(ql)?:\/\/[^\s]*\/[^\s/]+$/.test(text)) {
    throw new SettingError('must look like postgresql://user:password@host:5432/database')
  }
  if (/[?&]target_session_attrs=(?!(read-write|primary)(&|$))/.test(text)) {
    throw new SettingError('can have target_session_attrs=read-write only')
  }
  return text
}

/** It is a standby, whichever server is the primary. */
function replicaUrl(text: string): string {
  if (/^[^/]*\/\/[^/]*,|[?&]host=[^&]*(,|%2C)/i.test(text))
    throw new SettingError('must name one host')
  return postgresUrl(text)
}

function smtpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname || url.search || url.hash) {
    throw new SettingError('must look like smtps://user:password@host:465')
  }
  return text
}

function redisUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^rediss?:$/.test(url.protocol) || !url.hostname || url.hash) {
    throw new SettingError('must look like redis://:password@host:6379 or rediss://…')
  }
  return text
}

function passphrase(text: string): string {
  if (text.length < 16) throw new SettingError('must have at least 16 characters')
  return text
}

function headerList(text: string): Record<string, string> {
  const pairs = text.split(',').map((part) => /^\s*([\w-]+)=(.+?)\s*$/.exec(part))
  return Object.fromEntries(
    pairs.map((pair) => {
      if (!pair) throw new SettingError('must look like name=value,name=value')
      return [pair[1], pair[2]]
    }),
  )
}

function mailAddress(text: string): string {
  if (!/^(([^<>\r\n"]+ )?<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text)) {
    throw new SettingError('must look like Name <name@example.com>')
  }
  return text
}

/** Every setting of the service. The operating manual is checked against this table. */
export const settings = {
  PORT: setting({ default: '8080', meaning: 'Port of the API.', read: whole(0, 65535) }),
  HOST: setting({
    default: '127.0.0.1',
    meaning: 'Address the API listens on.',
    read: (text) => text,
  }),
  BASE_URL: setting({
    default: '',
    meaning: 'Public address used in links; by default derived from HOST and PORT.',
    read: optional(httpUrl),
  }),
  CHECKOUT_URL: setting({
    default: '',
    meaning: 'Address of the pages of customers, on another host; unset, BASE_URL.',
    read: optional(originUrl),
  }),
  DATA_DIR: setting({
    default: './data',
    meaning: 'Folder of the embedded database, the keys and credentials.json.',
    read: (text) => resolve(text),
  }),
  DATABASE_URL: setting({
    default: '',
    meaning: 'A PostgreSQL 15 or newer to use; unset, an embedded one runs in DATA_DIR.',
    secret: true,
    read: optional(postgresUrl),
  }),
  REQUIRE_SYNC_STANDBY: setting({
    default: '0',
    meaning: '`1`: a database whose commits do not wait for a standby is refused.',
    read: (text) => oneOf('0', '1')(text) === '1',
  }),
  DATABASE_REPLICA_URL: setting({
    default: '',
    meaning: 'A standby of that database, for lists, searches and exports.',
    secret: true,
    read: optional(replicaUrl),
  }),
  DATABASE_CONNECTIONS: setting({
    default: '10',
    meaning: 'Most database connections of each process.',
    read: whole(2, 90),
  }),
  EXPECTED_CHARGES: setting({
    default: '',
    meaning: 'How many charges there will be; from 100 million on a new database is partitioned.',
    read: optional(whole(0, 1_000_000_000_000)),
  }),
  PROCESSES: setting({
    default: '1',
    meaning: 'How many processes serve; `auto` is one less than the machine has processors.',
    read: processes,
  }),
  WORKER: setting({
    default: 'on',
    meaning: '`off`: this process only serves requests; due work is left to other processes.',
    read: oneOf('on', 'off'),
  }),
  REQUESTS_IN_PROGRESS: setting({
    default: '1000',
    meaning: 'Maximum requests in progress per process; more are answered with 503, reads first.',
    read: whole(1, 100_000),
  }),
  COMPATIBILITY: setting({
    default: 'spec',
    meaning: '`spec` follows the specification, `clients` suits the public client libraries.',
    read: oneOf('spec', 'clients'),
  }),
  LOG_LEVEL: setting({
    default: 'info',
    meaning: 'Least level that is logged.',
    read: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  }),
  LOG_FORMAT: setting({
    default: 'auto',
    meaning: '`pretty` is for people, `json` for programs; `auto` is `pretty` on a terminal only.',
    read: oneOf('auto', 'pretty', 'json'),
  }),
  NO_COLOR: setting({
    default: '',
    meaning: 'Any value: no colors on a terminal.',
    read: (text) => text !== '',
  }),
  METRICS_PORT: setting({
    default: '',
    meaning: 'Port of the Prometheus metrics, on HOST; unset, there are none.',
    read: optional(whole(0, 65535)),
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting({
    default: '',
    meaning: 'The collector of traces, OTLP over HTTP; unset, nothing is traced.',
    read: optional(httpUrl),
  }),
  OTEL_EXPORTER_OTLP_HEADERS: setting({
    default: '',
    meaning: 'Headers for the collector of traces, `name=value` each, comma-separated.',
    secret: true,
    read: optional(headerList),
  }),
  TRUSTED_PROXIES: setting({
    default: '',
    meaning: 'Addresses or networks whose X-Forwarded-For is trusted, comma-separated.',
    read: (text) => text.split(',').flatMap((part) => part.trim() || []),
  }),
  WEBHOOK_TARGETS: setting({
    default: '',
    meaning: '`public` (https, no private addresses) or `any`; by default `any` on loopback only.',
    read: optional(oneOf('any', 'public')),
  }),
  SMTP_URL: setting({
    default: '',
    meaning: 'The mail server; unset, mails are logged on loopback and refused elsewhere.',
    secret: true,
    read: optional(smtpUrl),
  }),
  MAIL_FROM: setting({
    default: 'Kaikei <no-reply@localhost>',
    meaning: 'Sender of mails.',
    read: mailAddress,
  }),
  CONSOLE_CONFIRM_AMOUNT: setting({
    default: '100000',
    meaning: 'Refunds, cancels and captures above so many yen ask console users for a code again.',
    read: whole(0, 999_999_999),
  }),
  PROVIDER_OPERATIONS_DAYS: setting({
    default: '400',
    meaning: 'How long records of calls to payment providers are kept; at least 70 days.',
    // A payment may wait for its customer, and be held, for a month each.
    read: whole(70, 36_500),
  }),
  EVENTS_DAYS: setting({
    default: '400',
    meaning: 'How long events are kept at least; whole months are deleted. At least 60 days.',
    // A webhook that was off may be sent what it missed.
    read: whole(60, 36_500),
  }),
  DELIVERIES_DAYS: setting({
    default: '90',
    meaning: 'How long deliveries to webhooks are kept; at least 30 days.',
    // All attempts take five days.
    read: whole(30, 36_500),
  }),
  SIMULATOR_DAYS: setting({
    default: '400',
    meaning: 'How long simulators know a test charge, by its test clock; at least 70 days.',
    read: whole(70, 36_500),
  }),
  ONE_TIME_TOKENS_DAYS: setting({
    default: '550',
    meaning:
      'When e-mail, addresses and metadata of tokens for one charge are removed; at least 180 days.',
    // Disputes of card payments are opened up to 540 days later.
    read: whole(180, 36_500),
  }),
  REQUEST_LOG_DAYS: setting({
    default: '7',
    meaning: 'How long requests are kept for `GET /requests` and timelines; 0: none are kept.',
    read: whole(0, 90),
  }),
  SHUTDOWN_DELAY_MS: setting({
    default: '200',
    meaning: 'How long requests are still accepted after a stop signal, while /readyz is 503.',
    read: whole(0, max_shutdown_delay_ms),
  }),
  SHARED_STATE_URL: setting({
    default: '',
    meaning: 'A Redis-compatible server for what several machines must share for seconds.',
    secret: true,
    read: optional(redisUrl),
  }),
  SHARED_STATE: setting({
    default: '',
    meaning: '`per_machine`: several machines without such a server, each with its own limits.',
    read: optional(oneOf('per_machine')),
  }),
  SHARED_STATE_TIMEOUT_MS: setting({
    default: '100',
    meaning: 'How long a request waits for that server before its machine decides alone.',
    read: whole(5, 5000),
  }),
  BACKUP_DIR: setting({
    default: '',
    meaning: 'Folder of backups; unset, `backups` in DATA_DIR.',
    read: optional((text) => text),
  }),
  BACKUP_PASSPHRASE: setting({
    default: '',
    meaning: 'Encrypts backups. At least 16 characters.',
    secret: true,
    read: optional(passphrase),
  }),
  SIGNING_KEYS: setting({
    default: '',
    meaning:
      'Keys that sign application and login tokens, `id:base64` each, newest first; else a file.',
    secret: true,
    read: optional((text) => text),
  }),
  VAULT_KEYS: setting({
    default: '',
    meaning: 'Keys that seal stored secrets, `id:base64` each, newest first; else a file.',
    secret: true,
    read: optional((text) => text),
  }),
  FAILPOINT: setting({
    default: '',
    meaning: 'For tests: the step of a payment at which the process kills itself.',
    read: (text) => text,
  }),
  FINGERPRINT_KEYS: setting({
    default: '',
    meaning: 'The key that finds sealed values again, `id:base64`; else a file. It never changes.',
    secret: true,
    read: optional((text) => text),
  }),
} as const

export type SettingName = keyof typeof settings

export type Config = {
  readonly [Name in SettingName as Lowercase<Name>]: ReturnType<(typeof settings)[Name]['read']>
} & { readonly webhook_targets: 'any' | 'public' }

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

function givenText(name: string, environment: NodeJS.ProcessEnv): string {
  return environment[name]?.trim() ?? ''
}

/** The content of the file that the environment names for a setting; null: it names none. */
function fileText(name: string, environment: NodeJS.ProcessEnv): string | null {
  const path = givenText(`${name}_FILE`, environment)
  if (path === '') return null
  if (givenText(name, environment) !== '') {
    throw new SettingError(`Only one of ${name} and ${name}_FILE can be set.`)
  }
  try {
    const text = readFileSync(path, 'utf8').trim()
    if (text !== '') return text
  } catch (error) {
    const { code } = faultOf(error)
    throw new SettingError(`The file ${path} of ${name}_FILE cannot be read (${code}).`)
  }
  throw new SettingError(`The file ${path} of ${name}_FILE is empty.`)
}

/** Reads the environment; the message about a wrong value names its setting. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const entries = Object.entries(settings).map(([name, setting]: [string, Setting<unknown>]) => {
    const text = (setting.secret && fileText(name, environment)) || givenText(name, environment)
    try {
      return [name.toLowerCase(), setting.read(text || setting.default)]
    } catch (error) {
      if (error instanceof SettingError) {
        throw new SettingError(`The setting ${name} ${error.message}.`)
      }
      throw error
    }
  })
  const config = Object.fromEntries(entries) as Config
  if (config.shared_state_url && config.shared_state) {
    throw new SettingError('Only one of SHARED_STATE_URL and SHARED_STATE=per_machine can be set.')
  }
  return {
    ...config,
    webhook_targets: config.webhook_targets ?? (isLoopback(config.host) ? 'any' : 'public'),
  }
}

/** The public address for links, when the port is known. */
export function addressOf({ host, base_url }: Config, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  const name = reachable.includes(':') ? `[${reachable}]` : reachable
  return base_url ?? `http://${name}:${port}`
}
