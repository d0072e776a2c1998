import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { program } from '../test/support/fleet/running-process.ts'
import type { DatabaseCluster } from './cluster/database-cluster.ts'
import type { EtcdMember } from './cluster/etcd.ts'
import type { Host } from './cluster/hosts.ts'

export interface Deployment {
  readonly cluster: DatabaseCluster
  readonly nodes: readonly Node[]
  readonly redis: Host
  /** A number below a bound, from the seed of the run. */
  below(bound: number): number
}

export interface Node {
  readonly host: Host
  /** A member of etcd runs on the machine of each node. */
  readonly etcd: EtcdMember
  start(): void
  /** Puts its clock ahead, or back, by some seconds. */
  shiftClock(seconds: number): void
}

/** The faults, and how each is repaired. */
export interface Fault {
  readonly name: string
  /** The longest time without an acknowledged write that is accepted, in seconds; null: none is promised. */
  readonly bar_s: number | null
  /** The duration of the fault in seconds. */
  readonly lasts_s: number
  /**
   * It is repaired as soon as another member leads and payments continue; `lasts_s` is the longest time
   * then.
   */
  readonly until_takeover?: true
  begin(on: Deployment): Promise<() => void | Promise<void>>
}

const oneOf = (on: Deployment): Node => {
  const node = on.nodes[on.below(on.nodes.length)]
  if (!node) throw new Error('There is no node.')
  return node
}

const disk_delay_ms = 100
const clock_shifts_s = [300, -300, 3600, -5]
const between_shifts_ms = 3000
const stall_ms = 150
const between_stalls_ms = 250

export const faults: readonly Fault[] = [
  {
    name: 'switchover',
    bar_s: 3,
    lasts_s: 5,
    begin: async ({ cluster }) => {
      await cluster.switchOver()
      return () => {}
    },
  },
  {
    name: 'kill -9 of PostgreSQL',
    bar_s: 6,
    lasts_s: 5,
    begin: async ({ cluster }) => {
      const leader = await cluster.leader()
      leader.host.signal('SIGKILL', 'postgres')
      return () => {}
    },
  },
  {
    name: 'kill -9 of Patroni and PostgreSQL',
    bar_s: 25,
    lasts_s: 60,
    until_takeover: true,
    begin: async ({ cluster }) => {
      const leader = await cluster.leader()
      leader.host.signal('SIGKILL', 'patroni')
      leader.host.signal('SIGKILL', 'postgres')
      return leader.startPatroni
    },
  },
  {
    name: 'host lost',
    bar_s: 25,
    lasts_s: 60,
    until_takeover: true,
    begin: async ({ cluster }) => {
      const leader = await cluster.leader()
      leader.host.cut()
      leader.host.signal('SIGKILL')
      return () => {
        leader.host.join()
        leader.startPatroni()
      }
    },
  },
  {
    name: 'frozen leader that comes back',
    bar_s: 25,
    lasts_s: 60,
    until_takeover: true,
    begin: async ({ cluster }) => {
      const leader = await cluster.leader()
      leader.host.signal('SIGSTOP')
      return () => leader.host.signal('SIGCONT')
    },
  },
  {
    name: 'partition of the leader',
    bar_s: 25,
    lasts_s: 60,
    until_takeover: true,
    begin: async ({ cluster }) => {
      const { host } = await cluster.leader()
      host.cut()
      return host.join
    },
  },
  {
    name: 'kill -9 of a node',
    bar_s: 3,
    lasts_s: 5,
    begin: async (on) => {
      const { host, start } = oneOf(on)
      host.signal('SIGKILL', program)
      return start
    },
  },
  {
    name: 'partition of a node',
    bar_s: 6,
    lasts_s: 10,
    begin: async (on) => {
      const { host } = oneOf(on)
      host.cut()
      return host.join
    },
  },
  {
    name: 'partition of Redis',
    bar_s: 3,
    lasts_s: 10,
    begin: async ({ redis }) => {
      redis.cut()
      return redis.join
    },
  },
  {
    name: 'majority of etcd lost',
    bar_s: null,
    lasts_s: 30,
    begin: async (on) => {
      const spared = oneOf(on)
      const lost = on.nodes.filter((one) => one !== spared)
      for (const { etcd } of lost) etcd.kill()
      return () => {
        for (const { etcd } of lost) etcd.start()
      }
    },
  },
  {
    name: 'disk of the leader full',
    // PostgreSQL continues as primary while it can write its log: until there is room again.
    bar_s: null,
    lasts_s: 30,
    begin: async ({ cluster }) => {
      const { folder } = await cluster.leader()
      const file = join(folder, 'fills-the-disk')
      spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M'])
      return () => rmSync(file, { force: true })
    },
  },
  {
    name: 'slow disk of the leader',
    bar_s: null,
    lasts_s: 15,
    begin: async ({ cluster }) => {
      const { host } = await cluster.leader()
      const processes = host.pids('postgres').flatMap((pid) => ['-p', String(pid)])
      const slow = `inject=fsync,fdatasync:delay_exit=${disk_delay_ms}ms`
      const options = ['-f', '-qq', '-e', 'trace=fsync,fdatasync', '-e', slow]
      const tracer = spawn('strace', [...options, ...processes], { stdio: 'ignore' })
      return () => void tracer.kill('SIGTERM')
    },
  },
  {
    name: 'clock of a node that jumps',
    bar_s: 3,
    lasts_s: 1,
    begin: async (on) => {
      const { shiftClock } = oneOf(on)
      for (const seconds of clock_shifts_s) {
        shiftClock(seconds)
        await sleep(between_shifts_ms)
      }
      return () => shiftClock(0)
    },
  },
  {
    name: 'switchover while a node has stale names',
    bar_s: 3,
    lasts_s: 10,
    begin: async (on) => {
      const { host } = oneOf(on)
      const { names, switchOver } = on.cluster
      // Every name leads to one member, which will not be the primary.
      const leader = await on.cluster.leader()
      const stale = Object.keys(names).map((name) => [name, leader.host.address])
      host.setNames(Object.fromEntries(stale))
      await switchOver()
      return () => host.setNames(names)
    },
  },
  {
    name: 'database that stalls again and again',
    bar_s: null,
    lasts_s: 15,
    begin: async ({ cluster }) => {
      const { host } = await cluster.leader()
      let is_over = false
      const stalls = async () => {
        while (!is_over) {
          host.signal('SIGSTOP', 'postgres')
          await sleep(stall_ms)
          host.signal('SIGCONT', 'postgres')
          await sleep(between_stalls_ms)
        }
      }
      const ended = stalls()
      return () => {
        is_over = true
        return ended
      }
    },
  },
]
