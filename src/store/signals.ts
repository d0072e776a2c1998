import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Clock, systemClock } from '../core/time/clock.ts'
import type { DatabaseConnection } from './server/client/database-hosts.ts'
import { newClient } from './server/client/new-client.ts'

/**
 * Messages between processes. `work`: something is due. `revoked`: a credential has ended. `changed`: a
 * resource has changed. `clock`: a merchant's test clock was moved. `traced`: a resource belongs to the
 * trace of its caller. `routing`: connectors, the rules of a merchant, or its accounts have changed.
 */
const channels = ['work', 'revoked', 'changed', 'clock', 'traced', 'routing'] as const
export type Channel = (typeof channels)[number]

type Handler = (payload: string) => void

/**
 * Messages between the processes of one service, over LISTEN and NOTIFY. They make things fast and are
 * never needed for correctness: listeners also check by themselves from time to time.
 */
export interface Signals {
  on(channel: Channel, handler: Handler): void
  /** Passes a message to the handlers of this process, immediately. */
  deliver(channel: Channel, payload: string): void
  /** `deliver`, and soon also to the other processes; consecutive calls share one message. */
  broadcast(channel: Channel, payload: string): void
  /**
   * The latest instant (of the monotonic clock) up to which every message sent to this process is known
   * to have arrived. The session is queried again and again: a result arrives after all messages that
   * were committed before its query.
   */
  heardUntil(): number
  /**
   * The same instant by the clock of this machine, which tests do not move; none without a session, and
   * always now where no other process sends messages.
   */
  heardUntilHere(): number
  /** Whether other processes listen. */
  hasOthers(): Promise<boolean>
  close(): Promise<void>
}

/** The sessions of all processes that listen are found by this name. */
const application_name = 'kaikei signals'
const others_sql = `select 1 from pg_stat_activity where application_name = '${application_name}'
  and datname = current_database() and pid <> pg_backend_pid() limit 1`
const reconnect_ms = 500
const broadcast_delay_ms = 20
const ask_ms = 300

/** The statement that sends a message to every process when the transaction commits. */
export const notify_sql = (channel: Channel) => `kaikei_${channel}`

/**
 * Listens until closed. After a lost connection every handler gets the empty payload, which means: any
 * message may have been missed.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: small functions that share their state
export function openSignals(
  connection: DatabaseConnection,
  clock: Clock,
  /** No other process serves on this database, so there is none to notify. */
  is_alone = false,
): Signals {
  const handlers = new Map<Channel, Handler[]>()
  const pending = new Map<string, [Channel, string]>()
  let client: pg.Client | null = null
  let closed = false
  let timer: NodeJS.Timeout | null = null
  let asked: Promise<unknown> = Promise.resolve()
  let heard_until_ms = Number.NEGATIVE_INFINITY
  let heard_here_ms = Number.NEGATIVE_INFINITY

  function deliver(channel: Channel, payload: string): void {
    for (const handler of handlers.get(channel) ?? []) handler(payload)
  }

  async function listen(): Promise<void> {
    const next = newClient({ ...connection, keepAlive: true, application_name })
    const lost = new Promise<void>((resolve) => {
      next.on('error', () => resolve())
      next.on('end', () => resolve())
    })
    next.on('notification', ({ channel, payload = '' }) => {
      const name = channel.replace('kaikei_', '') as Channel
      for (const part of payload.split(between)) deliver(name, part)
    })
    try {
      await next.connect()
      await next.query(channels.map((name) => `listen ${notify_sql(name)}`).join('; '))
      if (closed) return
      client = next
      for (const channel of handlers.keys()) deliver(channel, '')
      await Promise.race([lost, keepAsking(next)])
    } finally {
      client = null
      heard_here_ms = Number.NEGATIVE_INFINITY
      await next.end().catch(() => {})
    }
  }

  /** One statement after the other; null while there is no session. */
  function ask(text: string, values: string[][] = []): Promise<pg.QueryResult> | null {
    const session = client
    if (!session) return null
    const result = asked.catch(() => {}).then(() => session.query(text, values))
    asked = result
    return result
  }

  /** Ends with its session: without one no message arrives. */
  async function keepAsking(session: pg.Client): Promise<void> {
    while (!closed && client === session) {
      const [asked_ms, asked_here_ms] = [clock.monotonic(), systemClock.monotonic()]
      await ask('select 1')
      if (client !== session) return
      heard_until_ms = asked_ms
      heard_here_ms = asked_here_ms
      await sleep(ask_ms, undefined, { ref: false })
    }
  }

  async function keepListening(): Promise<void> {
    while (!closed) {
      await listen().catch(() => {})
      if (!closed) await sleep(reconnect_ms)
    }
  }

  function flush(): void {
    timer = null
    const messages = packMessages(pending.values())
    pending.clear()
    const channels = messages.map(([channel]) => notify_sql(channel))
    const payloads = messages.map(([, payload]) => payload)
    const text = 'select pg_notify(c, p) from unnest($1::text[], $2::text[]) as m (c, p)'
    void ask(text, [channels, payloads])?.catch(() => {})
  }

  void keepListening()
  return {
    on: (channel, handler) => {
      handlers.set(channel, [...(handlers.get(channel) ?? []), handler])
    },
    deliver,
    broadcast: (channel, payload) => {
      deliver(channel, payload)
      if (is_alone) return
      pending.set(`${channel} ${payload}`, [channel, payload])
      timer ??= setTimeout(flush, broadcast_delay_ms)
    },
    heardUntil: () => heard_until_ms,
    heardUntilHere: () => (is_alone ? Number.POSITIVE_INFINITY : heard_here_ms),
    hasOthers: async () => {
      if (is_alone) return false
      const found = await ask(others_sql)?.catch(() => null)
      return found?.rowCount !== 0
    },
    close: async () => {
      closed = true
      if (timer) clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}

const between = '\n'
/** The server accepts less than 8,000 bytes in one message. */
const max_payload_bytes = 7000

/** Packs many short messages into few long ones: each costs every process of the service. */
function packMessages(messages: Iterable<[Channel, string]>): [Channel, string][] {
  const full: [Channel, string][] = []
  const open = new Map<Channel, string>()
  for (const [channel, payload] of messages) {
    const before = open.get(channel)
    if (before === undefined) open.set(channel, payload)
    else if (before.length + payload.length < max_payload_bytes) {
      open.set(channel, before + between + payload)
    } else {
      full.push([channel, before])
      open.set(channel, payload)
    }
  }
  return [...full, ...open]
}
