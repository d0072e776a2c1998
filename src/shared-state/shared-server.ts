import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'iovalkey'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { second_ms, systemClock } from '../core/time/clock.ts'

/**
 * The Redis-compatible server of SHARED_STATE_URL, which holds what all machines must agree on for seconds.
 * It may be away at any time: no command waits longer than the time-out, and from the first one that fails
 * until the server works again none is sent.
 */
export interface SharedServer {
  /** Runs one of the scripts; null: the server is away. Rejects when it does not answer in time. */
  run(script: string, keys: readonly string[], args: readonly Argument[]): Promise<unknown> | null
  isAway(): boolean
  /** Calls the handler whenever the server can be used again. */
  onBack(handler: () => void): void
  /** How often the server was lost, and how many requests were counted without it. */
  readonly counters: { losses: number; fallbacks: number }
  close(): void
}

export type Argument = string | number

export type SharedServerConfig = Pick<Config, 'shared_state_url' | 'shared_state_timeout_ms'>

const connect_ms = second_ms
const reconnect_ms = second_ms / 2

export const shaOf = (script: string) => createHash('sha1').update(script).digest('hex')

/** Connects, and resolves when that succeeded or failed for the first time. */
export async function openSharedServer(
  config: SharedServerConfig,
  scripts: readonly string[],
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<SharedServer> {
  const timeout_ms = config.shared_state_timeout_ms
  const shas = new Map(scripts.map((script) => [script, shaOf(script)]))
  const handlers: (() => void)[] = []
  const closing = new AbortController()
  let usable: Redis | null = null
  const counters = { losses: 0, fallbacks: 0 }
  let away_since_ms: number | null = null
  let lose: (client: Redis, error: Error) => void = () => {}
  let warned = false

  function noteAway(error: Error): void {
    if (closing.signal.aborted || away_since_ms !== null) return
    away_since_ms = systemClock.monotonic()
    counters.losses += 1
    log.warn(
      { err: error },
      'the shared state server does not answer: each machine enforces its share of the limits',
    )
  }

  function noteBack(): void {
    if (away_since_ms !== null) {
      const away_ms = systemClock.monotonic() - away_since_ms
      log.info({ away_ms }, 'the shared state server answers again')
    }
    away_since_ms = null
    for (const handler of handlers) handler()
  }

  /** Resolves when the connection is of no more use. */
  async function use(client: Redis): Promise<void> {
    const lost = new Promise<Error>((resolve) => {
      lose = (which, error) => which === client && resolve(error)
      const onClose = () => resolve(new Error('The connection was closed.'))
      client.once('close', onClose)
      if (client.status !== 'ready') onClose()
    })
    usable = client
    noteBack()
    const error = await lost
    usable = null
    noteAway(error)
    client.disconnect()
  }

  async function keepConnected(onFirst: () => void): Promise<void> {
    while (!closing.signal.aborted) {
      const client = await connect(config.shared_state_url ?? '', scripts).catch(noteAway)
      if (client && closing.signal.aborted) client.disconnect()
      else if (client) {
        if (!warned) warned = warnOfPersistence(await persistenceOf(client), log)
        const in_use = use(client)
        onFirst()
        await in_use
      }
      onFirst()
      await sleep(reconnect_ms, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  await new Promise<void>((resolve) => void keepConnected(resolve))
  return {
    run: (script, keys, args) => {
      const client = usable
      if (!client) return null
      const response = client.evalsha(shas.get(script) ?? '', keys.length, ...keys, ...args)
      return inTime(response, timeout_ms).catch((error) => {
        lose(client, error)
        throw error
      })
    },
    isAway: () => usable === null,
    onBack: (handler) => handlers.push(handler),
    counters,
    close: () => {
      closing.abort()
      usable?.disconnect()
    },
  }
}

/** A connection over which the scripts can be run and a write succeeds. */
export async function connect(url: string, scripts: readonly string[]): Promise<Redis> {
  const { Redis } = await import('iovalkey')
  const client = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    autoResendUnfulfilledCommands: false,
    connectTimeout: connect_ms,
    connectionName: 'kaikei',
  })
  let refusal: Error | null = null
  client.on('error', (error) => {
    refusal ??= error
  })
  const begin = async () => {
    await client.connect()
    for (const script of scripts) await client.script('LOAD', script)
    await client.set('kaikei:probe', '1', 'PX', second_ms)
    return client
  }
  return inTime(begin(), 2 * connect_ms).catch((error) => {
    client.disconnect()
    throw refusal ?? error
  })
}

/** How the server stores data on disk, in words of its settings; null: it does not, or does not tell. */
export async function persistenceOf(client: Redis): Promise<string | null> {
  const [, save = ''] = await configOf(client, 'save')
  const [, appendonly = ''] = await configOf(client, 'appendonly')
  const found = [save && `save "${save}"`, appendonly === 'yes' && 'appendonly yes']
  return found.filter(Boolean).join(' and ') || null
}

/** Many hosted servers do not allow the command. */
async function configOf(client: Redis, name: string): Promise<string[]> {
  return inTime(client.config('GET', name), connect_ms).then(
    (found) => (Array.isArray(found) ? (found as string[]) : []),
    () => [],
  )
}

function warnOfPersistence(found: string | null, log: Pick<Logger, 'warn'>): true {
  if (found) log.warn({ found }, `the shared state server writes to disk: ${persistence_advice}`)
  return true
}

export const persistence_advice =
  'keys of security codes must not outlive five minutes. Set save "" and appendonly no.'

/**
 * Rejects when there is no answer in time. An answer that has arrived while this process was busy counts: it
 * is read before the end of the current event loop turn.
 */
function inTime<T>(response: Promise<T>, timeout_ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`The server did not answer within ${timeout_ms} ms.`))
    const timer = setTimeout(() => setImmediate(late), timeout_ms)
    response.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
