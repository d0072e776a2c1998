import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { deployedFile, newDisk, writeSettings } from './deployed-files.ts'
import type { EtcdMember } from './etcd.ts'
import { type Host, newHost } from './hosts.ts'

// Three members as in deploy/patroni: PostgreSQL and Patroni on each.

const password = 'of-the-lab'
/** A member that was away this long after it could have come back needs help. */
const patience_ms = 120_000
const disk_size = '3g'

export interface Member {
  readonly host: Host
  readonly name: string
  readonly folder: string
  startPatroni(): void
}

interface MemberState {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
}

export interface DatabaseCluster {
  readonly members: readonly Member[]
  /** All members by name; the primary is found. */
  readonly url: string
  /** The same, by address. */
  readonly plain_url: string
  /** The address of each member by its name. */
  readonly names: Readonly<Record<string, string>>
  leader(): Promise<Member>
  /** Waits until there is a leader, a synchronous standby and nobody else is missing. */
  untilHealthy(): Promise<void>
  switchOver(): Promise<void>
  /** Asks the primary, when there is one again. */
  query<Row extends object>(text: string): Promise<Row[]>
}

function newMember(number: number, folder_of_lab: string, bin_dir: string): Member {
  const name = `database-${number}`
  const host = newHost(`db${number}`, 20 + number, folder_of_lab)
  const folder = newDisk(join(folder_of_lab, name), disk_size)
  const sockets = `  parameters: { unix_socket_directories: '${folder}' }\n`
  const patroni = writeSettings(
    folder,
    'patroni.yaml',
    deployedFile('patroni.yaml', name, host)
      .replace(/data_dir: .*/, `data_dir: ${join(folder, 'data')}`)
      .replace(/bin_dir: .*/, `bin_dir: ${bin_dir}`)
      .replace(/pgpass: .*\n/, `pgpass: ${join(folder, 'pgpass')}\n${sockets}`)
      // Namespaces have no watchdog.
      .replace('mode: required', 'mode: "off"'),
  )
  const environment = Object.fromEntries(
    ['SUPERUSER', 'REPLICATION', 'REWIND', 'RESTAPI'].map((one) => [
      `PATRONI_${one}_PASSWORD`,
      password,
    ]),
  )
  const program = (process.env.LAB_PATRONI ?? 'patroni').split(' ')
  return {
    host,
    name,
    folder,
    startPatroni: () => {
      // Like an init, it notices immediately when PostgreSQL, which it adopts, has ended. Process 1 of a
      // container may take seconds, and Patroni waits for it.
      const command = ['tini', '-s', '--', ...program, patroni]
      host.start('patroni', command, { user: 'postgres', environment })
    },
  }
}

const serviceUrl = (hosts: readonly string[]) =>
  `postgresql://kaikei:${password}@${hosts.map((host) => `${host}:5432`).join(',')}/kaikei?target_session_attrs=read-write`

const adminUrl = ({ host }: Member, database: string) =>
  `postgresql://postgres:${password}@${host.address}:5432/${database}`

/** A commit waits for it, or for another one like it. */
const isConfirming = ({ role }: MemberState) => role === 'sync_standby' || role === 'quorum_standby'

export async function startCluster(
  folder: string,
  bin_dir: string,
  etcd: readonly EtcdMember[],
): Promise<DatabaseCluster> {
  const members = [1, 2, 3].map((number) => newMember(number, folder, bin_dir))
  for (const { start } of etcd) start()
  for (const member of members) member.startPatroni()

  /** One member's view of all members; null if it does not respond. */
  async function view({ host }: Member): Promise<MemberState[] | null> {
    try {
      const signal = AbortSignal.timeout(2000)
      const response = await fetch(`http://${host.address}:8008/cluster`, { signal })
      return ((await response.json()) as { members: MemberState[] }).members
    } catch {
      return null
    }
  }

  async function anyView(): Promise<MemberState[]> {
    const views = await Promise.all(members.map(view))
    return views.find((one) => one?.some(({ role }) => role === 'leader')) ?? []
  }

  const find = (name: string | undefined) => members.find((one) => one.name === name)

  const cluster: DatabaseCluster = {
    members,
    url: serviceUrl(members.map(({ name }) => name)),
    plain_url: serviceUrl(members.map(({ host }) => host.address)),
    names: Object.fromEntries(members.map(({ name, host }) => [name, host.address])),
    leader: async () => {
      for (;;) {
        const found = (await anyView()).find(({ role }) => role === 'leader')
        const member = find(found?.name)
        if (member) return member
        await sleep(500)
      }
    },
    untilHealthy: async () => {
      let deadline_ms = Date.now() + patience_ms
      let was_copied = false
      for (;;) {
        for (const { supervise } of etcd) supervise()
        for (const member of members) superviseMember(member)
        const seen = await anyView()
        const isUp = ({ state }: MemberState) => state === 'running' || state === 'streaming'
        const has_standby = seen.some(isConfirming)
        const are_up = seen.length === members.length && seen.every(isUp) && has_standby
        if (are_up && (await allResponse(members, await cluster.leader()))) return
        if (Date.now() > deadline_ms && was_copied) {
          throw new Error(`Not healthy: ${JSON.stringify(seen)}`)
        }
        if (Date.now() > deadline_ms) {
          const down = seen.filter((one) => !isUp(one)).flatMap(({ name }) => find(name) ?? [])
          for (const member of down) await copyAgain(member)
          was_copied = true
          deadline_ms = Date.now() + patience_ms
        }
        await sleep(500)
      }
    },
    switchOver: async () => {
      const seen = await anyView()
      const leader = seen.find(({ role }) => role === 'leader')?.name
      // Without a candidate: a standby that is not the candidate waits two seconds before it confirms writes.
      await command(find(leader), 'switchover', { leader })
    },
    query: async (text) => {
      const client = new pg.Client(adminUrl(await cluster.leader(), 'kaikei'))
      await client.connect()
      const { rows } = await client.query(text)
      await client.end()
      return rows
    },
  }
  await cluster.untilHealthy()
  await createDatabase(await cluster.leader())
  return cluster
}

/** A member that was rewound may stream and not answer yet: until the log has grown, without load it does not. */
async function allResponse(members: readonly Member[], leader: Member): Promise<boolean> {
  const ask = async (member: Member, text: string) => {
    const client = new pg.Client({
      connectionString: adminUrl(member, 'postgres'),
      connectionTimeoutMillis: 2000,
    })
    client.on('error', () => {})
    await client.connect()
    await client.query(text).finally(() => client.end())
  }
  try {
    await ask(leader, `select pg_create_restore_point('lab')`)
    await Promise.all(members.map((member) => ask(member, 'select 1')))
    return true
  } catch {
    return false
  }
}

/** Restarts processes that have ended, as systemd does. */
function superviseMember({ host, startPatroni }: Member): void {
  if (host.pids('patroni').length === 0) startPatroni()
}

/** Reinitializes a member that does not recover, as an operator would. */
async function copyAgain(member: Member): Promise<void> {
  process.stdout.write(`${member.name} does not come back by itself and is copied anew.\n`)
  await command(member, 'reinitialize', { force: true })
}

async function command(member: Member | undefined, name: string, body: object): Promise<void> {
  const authorization = `Basic ${Buffer.from(`patroni:${password}`).toString('base64')}`
  const response = await fetch(`http://${member?.host.address}:8008/${name}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`)
}

async function createDatabase(leader: Member): Promise<void> {
  const client = new pg.Client(adminUrl(leader, 'postgres'))
  await client.connect()
  await client.query(`create role kaikei login password '${password}'`)
  await client.query('create database kaikei owner kaikei')
  await client.end()
}
