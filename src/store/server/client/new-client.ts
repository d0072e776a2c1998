import pg from 'pg'
import type { DatabaseConnection } from './database-hosts.ts'
import { plain_socket } from './plain-socket.ts'
import { PrimaryClient } from './primary-client.ts'

/** The kind of client that a pool makes: one that looks for the primary, if there are several hosts. */
export function clientOf({ hosts }: DatabaseConnection): typeof pg.Client {
  return hosts ? PrimaryClient : pg.Client
}

/** A separate connection outside of the pool. */
export function newClient(connection: DatabaseConnection): pg.Client {
  const Client = clientOf(connection)
  return new Client({ connectionTimeoutMillis: 5000, ...connection, ...plain_socket })
}
