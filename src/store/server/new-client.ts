import { Socket } from 'node:net'
import pg from 'pg'

/**
 * What the driver opens by itself as well, after it has found out on which platform it runs: that loads
 * the `fetch` of Node 20, which takes longer than anything else about a connection.
 */
export const plain_socket = { stream: () => new Socket() }

/** A connection of its own, beside those of the pool. */
export function newClient(connection: pg.ClientConfig): pg.Client {
  return new pg.Client({ connectionTimeoutMillis: 5000, ...connection, ...plain_socket })
}
