import type { Socket } from 'node:net'
import type pg from 'pg'

/** A statement as it is sent here: its text, perhaps with values. */
export type Query = (...args: unknown[]) => Promise<unknown>

/** A layer around the statements of a session. */
export type QueryLayer = (query: Query, client: pg.ClientBase) => Query

/** Adds layers around the statements of a session, the first one next to the driver. */
export function addQueryLayers(client: pg.ClientBase, ...layers: readonly QueryLayer[]): void {
  const driver = client.query.bind(client) as Query
  const layered = layers.reduce((query, layer) => layer(query, client), driver)
  Object.assign(client, {
    query: (...args: unknown[]) => (isPromised(args) ? layered(...args) : driver(...args)),
  })
}

/** Called with a text, and without a callback. */
function isPromised(args: unknown[]): boolean {
  return typeof args[0] === 'string' && typeof args.at(-1) !== 'function'
}

/** Closes the connection of a session immediately; its pending statements fail. */
export function cut(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: Socket } }
  connection.stream.destroy()
}

/**
 * A commit whose wait for the standby was cut short: it may be lost with the primary, so success must
 * not be reported.
 */
export class UnconfirmedCommit extends Error {}

/**
 * The server says so in a warning before the result of the commit, or of a statement that is its own
 * transaction; then that result is not trusted.
 */
export const refuseUnconfirmedCommits: QueryLayer = (query, client) => {
  let warning: string | null = null
  client.on('notice', ({ message }) => {
    if (/synchronous replication/.test(message ?? '')) warning = message ?? ''
  })
  return async (...args) => {
    warning = null
    const result = await query(...args).catch((error) => {
      if (warning === null) throw error
    })
    if (warning === null) return result
    throw new UnconfirmedCommit(warning)
  }
}

/** The server cancels a statement after 15 seconds and reports it. */
const max_silence_ms = 20_000

/**
 * A connection that a network has swallowed would wait for a quarter of an hour, and so would every
 * request that shares its statement: it is closed, which is an error like any other lost connection.
 */
export const endSilence: QueryLayer =
  (query, client) =>
  (...args) => {
    const timer = setTimeout(cut, max_silence_ms, client)
    return query(...args).finally(() => clearTimeout(timer))
  }
