import type pg from 'pg'

/** Findings about a server, a sentence each. */
export interface DatabaseState {
  /** Faults that make it unsafe for this service. */
  readonly faults: string[]
  /** Faults that may lose acknowledged payments, or surprise, in some cases. */
  readonly warnings: string[]
}

const oldest_version = 150_000
/** Commits with these values do not wait for a standby. */
const local_commits = ['off', 'local']

const question = `select
  current_setting('server_version_num')::integer as version,
  current_setting('server_version') as version_name,
  current_setting('fsync') as fsync,
  current_setting('full_page_writes') as full_page_writes,
  current_setting('synchronous_commit') as synchronous_commit,
  current_setting('synchronous_standby_names') <> '' as names_standbys,
  current_setting('default_transaction_isolation') as isolation,
  current_setting('default_transaction_read_only') = 'on' as reads_only,
  pg_is_in_recovery() as standby,
  current_setting('server_encoding') as encoding,
  (select count(*)::integer from pg_stat_replication) as standbys`

/** Examines the server behind a connection and what its settings mean for acknowledged payments. */
export async function examineDatabase(
  client: pg.ClientBase,
  requires_sync_standby: boolean,
): Promise<DatabaseState> {
  const { rows } = await client.query(question)
  const found = rows[0] ?? {}
  const faults: string[] = []
  const warnings: string[] = []
  if (found.version < oldest_version) {
    faults.push(`PostgreSQL ${found.version_name} is too old; use version 15 or newer.`)
  }
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    if (found[name] === 'off') {
      faults.push(`PostgreSQL runs with ${name}=off and can lose payments; set ${name}=on.`)
    }
  }
  if (found.standby) {
    faults.push('This PostgreSQL is a standby; the service must be given the primary.')
  } else if (found.reads_only) {
    faults.push('The database allows reads only; reset default_transaction_read_only.')
  }
  if (found.encoding !== 'UTF8') {
    faults.push(`The database has the encoding ${found.encoding}; create it with UTF8.`)
  }
  const lacking = replicationFault(found)
  if (lacking && requires_sync_standby) faults.push(`REQUIRE_SYNC_STANDBY is set: ${lacking}`)
  else if (lacking && found.standbys > 0) warnings.push(lacking)
  if (found.isolation !== 'read committed') {
    warnings.push(
      `default_transaction_isolation is ${found.isolation}: the service uses read committed in its own ` +
        'sessions; other programs fail more often than they need.',
    )
  }
  return { faults, warnings }
}

/** Why a failover could lose an acknowledged payment; null: every commit waits for a standby. */
function replicationFault(found: Record<string, unknown>): string | null {
  if (!found.names_standbys) {
    return (
      'No standby is synchronous, so a failover can lose acknowledged payments; ' +
      'set synchronous_standby_names.'
    )
  }
  if (!local_commits.includes(String(found.synchronous_commit))) return null
  return (
    `synchronous_commit=${found.synchronous_commit} does not wait for the standby, so a failover can lose ` +
    'acknowledged payments; set synchronous_commit=on.'
  )
}

const rounds = 3

/**
 * Whether a pooler between here and the server shares connections between transactions. Sessions that are
 * open at the same time must be different server processes, and each must stay the same, whatever the other
 * does.
 */
export async function sharesConnections(
  one: pg.ClientBase,
  other: pg.ClientBase,
): Promise<boolean> {
  for (let round = 0; round < rounds; round += 1) {
    const before = await serverProcess(one)
    if ((await serverProcess(other)) === before) return true
    await other.query('begin')
    if ((await serverProcess(other)) === before) return true
    if ((await serverProcess(one)) !== before) return true
    await other.query('commit')
  }
  return false
}

async function serverProcess(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  return rows[0]?.pid
}

export const shared_connections_fault =
  'DATABASE_URL leads through a pooler that shares connections between transactions, which breaks locks, ' +
  'prepared statements and LISTEN; use session pooling (pgbouncer: pool_mode = session), or no pooler.'
