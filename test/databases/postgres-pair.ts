import { type ChildProcess, execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { postgresAccount } from '../../src/store/server/embedded/postgres-account.ts'
import { postgresBinaries } from '../../src/store/server/embedded/postgres-binaries.ts'
import { cluster_user, launch, openHome } from '../../src/store/server/embedded/postgres-cluster.ts'
import { freePort, removeFolder, temporaryFolder } from '../support/fleet/running-process.ts'

export interface PostgresServer {
  readonly connection: pg.ClientConfig
  /** Runs statements as the superuser. */
  query(text: string): Promise<pg.QueryResult>
  kill(): Promise<void>
}

/** A primary and its streaming standby, on loopback ports. */
export interface PostgresPair {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
  /** The address with both hosts, the standby first. */
  readonly url: string
  close(): Promise<void>
}

const database = 'postgres'

export async function startPair(): Promise<PostgresPair> {
  const account = postgresAccount()
  const binaries = postgresBinaries(account)
  const folders = [temporaryFolder(), temporaryFolder()] as const
  const { folder } = await openHome(folders[0], binaries, account)
  const copy = join(folders[1], 'postgres')
  execFileSync('cp', ['-a', folder, copy])
  const password = readFileSync(join(folder, 'password'), 'utf8')
  const started: ChildProcess[] = []

  async function start(home: string, ...settings: string[]): Promise<PostgresServer> {
    const port = await freePort()
    const all = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=']
    const args = [...all, ...settings].flatMap((setting) => ['-c', setting])
    const child = launch(join(binaries, 'postgres'), account, ['-D', join(home, 'data'), ...args])
    child.stderr?.resume()
    started.push(child)
    const connection = { host: '127.0.0.1', port, user: cluster_user, password, database }
    const query = async (text: string) => {
      const client = new pg.Client(connection)
      client.on('error', () => {})
      await client.connect()
      return client.query(text).finally(() => client.end())
    }
    const kill = async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGQUIT')
      await ended
    }
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const is_up = await query('select 1').catch(() => null)
      if (is_up) break
      await sleep(50)
    }
    return { connection, query, kill }
  }

  const primary = await start(folder)
  const { port } = primary.connection
  writeFileSync(join(copy, 'data', 'standby.signal'), '')
  const source = `host=127.0.0.1 port=${port} user=${cluster_user} password=${password}`
  const standby = await start(copy, `primary_conninfo=${source} application_name=other`)
  const places = [standby, primary].map(({ connection }) => `127.0.0.1:${connection.port}`)
  return {
    primary,
    standby,
    url:
      `postgresql://${cluster_user}:${password}@${places.join(',')}/${database}` +
      '?target_session_attrs=read-write',
    close: async () => {
      await standby.kill()
      await primary.kill()
      for (const one of folders) removeFolder(one)
    },
  }
}
