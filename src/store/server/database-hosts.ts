import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { primary_search_policy } from '../../core/limits/retry-policies.ts'
import { outageOf } from '../../core/outages.ts'
import { plain_socket } from './plain-socket.ts'

interface DatabaseHost {
  readonly host: string
  readonly port: number
}

/** How to connect. With several hosts, to the one of them that is the primary at that moment. */
export interface DatabaseConnection extends pg.ClientConfig {
  readonly hosts?: readonly DatabaseHost[]
}

const url_parts = /^(?<before>postgres(?:ql)?:\/\/(?:[^@/]*@)?)(?<hosts>[^/?]*)(?<after>\/.*)$/
const usual_port = 5432

/**
 * Reads an address like those of libpq: hosts are separated by commas, before the name of the database or
 * in the parameter `host`. The driver understands one host only.
 */
export function readDatabaseUrl(url: string): DatabaseConnection {
  const { before = '', hosts = '', after = '' } = url_parts.exec(url)?.groups ?? {}
  const [path = '', query = ''] = after.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.delete('target_session_attrs')
  const given = hosts === '' ? hostsOf(parameters) : hosts.split(',').map(readHost)
  const [first] = given
  if (!first || given.length === 1) return { connectionString: url }
  for (const name of ['host', 'port']) parameters.delete(name)
  const is_socket = first.host.startsWith('/')
  if (is_socket) parameters.set('host', first.host)
  const place = is_socket ? '' : `${first.host}:${first.port}`
  return { connectionString: `${before}${place}${path}?${parameters}`, hosts: given }
}

function readHost(text: string): DatabaseHost {
  const { host = '', port } = /^\[?(?<host>.*?)\]?(?::(?<port>\d+))?$/.exec(text)?.groups ?? {}
  return { host: decodeURIComponent(host), port: Number(port ?? usual_port) }
}

function hostsOf(parameters: URLSearchParams): DatabaseHost[] {
  const ports = (parameters.get('port') ?? '').split(',')
  return (parameters.get('host') ?? '').split(',').map((host, at) => {
    return { host, port: Number(ports[at] || ports[0] || usual_port) }
  })
}

/** Connects to one of several hosts: the one that is the primary now. */
export class PrimaryClient extends pg.Client {
  readonly #connection: DatabaseConnection

  constructor(connection: DatabaseConnection) {
    super(connection)
    this.#connection = connection
  }

  override connect(): Promise<this>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const located = findPrimary(this.#connection).then((found) => Object.assign(this, found))
    if (!callback) return located.then(() => super.connect()).then(() => this)
    located.then(() => super.connect(callback), callback)
    return undefined
  }
}

const searches = new WeakMap<readonly DatabaseHost[], Promise<DatabaseHost>>()

/** Connections that are opened at the same time share the search. */
function findPrimary(connection: DatabaseConnection): Promise<DatabaseHost> {
  const { hosts = [] } = connection
  const search = searches.get(hosts) ?? searchAll(connection).finally(() => searches.delete(hosts))
  searches.set(hosts, search)
  return search
}

const { answer_ms, ask_again_ms } = primary_search_policy

/**
 * All hosts are asked at the same time. One that does not answer may be the primary that was lost: meanwhile the others are
 * asked again, because one of them takes over.
 */
async function searchAll(connection: DatabaseConnection): Promise<DatabaseHost> {
  const { hosts = [] } = connection
  const silent = new Set(hosts)
  const ask = async (host: DatabaseHost): Promise<DatabaseHost> => {
    for (;;) {
      try {
        const primary = await askHost(connection, host)
        silent.clear()
        return primary
      } catch (error) {
        silent.delete(host)
        if (silent.size === 0) throw error
      }
      await sleep(ask_again_ms)
    }
  }
  try {
    return await Promise.any(hosts.map(ask))
  } catch (error) {
    const { errors } = error as AggregateError
    const denied = errors.find((one) => outageOf(one)?.reason === 'access_denied')
    if (denied) throw denied
    const reasons = hosts.map(({ host, port }, at) => `${host}:${port}: ${errors[at].message}`)
    throw Object.assign(new Error(`No host is a primary (${reasons.join('; ')})`), {
      code: '08001',
    })
  }
}

async function askHost(connection: DatabaseConnection, place: DatabaseHost): Promise<DatabaseHost> {
  const limits = { connectionTimeoutMillis: answer_ms, query_timeout: answer_ms }
  const client = new pg.Client({ ...connection, ...plain_socket, ...limits })
  client.on('error', () => {})
  // The address in the connection string would win over options of the constructor.
  Object.assign(client, place)
  try {
    await client.connect()
    await requireWritable(client)
    return place
  } finally {
    void client.end().catch(() => {})
  }
}

/** Like `target_session_attrs=read-write` of libpq. */
async function requireWritable(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as reads_only`,
  )
  if (rows[0]?.is_standby) throw new Error('a standby')
  if (rows[0]?.reads_only) throw new Error('allows reads only')
}
