import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Hosts on one machine: each is a network namespace with an address of its own on a bridge.

/** Labs with different numbers can run at the same time. */
const lab_number = Number(process.env.LAB_NUMBER ?? 0)
export const network = `10.77.${lab_number}`
/** The lab itself, where the client and the receiver of webhooks run. */
export const lab_address = `${network}.1`
const bridge = `kaikei-lab${lab_number}`
const prefix = `kaikei-${lab_number}-`
const cable_prefix = `kk${lab_number}-`

export interface Host {
  readonly name: string
  readonly address: string
  /** Starts a program on the host; its output goes to a file in the lab's folder. */
  start(program: string, command: readonly string[], options?: StartOptions): ChildProcess
  /** Sends a signal to all that runs on the host, or to programs whose command line contains a text. */
  signal(signal: NodeJS.Signals, text?: string): void
  /** Programs of the host whose command line contains a text. */
  pids(text?: string): number[]
  /** The address of each name on the host; running programs see a change. */
  setNames(addresses: Readonly<Record<string, string>>): void
  cut(): void
  join(): void
}

interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** The user that runs the command; by default the lab's user. */
  readonly user?: string
}

export function ip(...args: string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function quietly(run: () => void): void {
  try {
    run()
  } catch {
    // It was not there.
  }
}

export function openNetwork(): void {
  closeNetwork()
  ip('link', 'add', bridge, 'type', 'bridge')
  ip('address', 'add', `${lab_address}/24`, 'dev', bridge)
  ip('link', 'set', bridge, 'up')
}

/** Ends everything that runs on a host of the lab, also of one that was interrupted. */
export function closeNetwork(): void {
  const names = ip('netns', 'list').match(/^\S+/gm) ?? []
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    for (const pid of pidsOf(name)) quietly(() => process.kill(pid, 'SIGKILL'))
    quietly(() => void ip('netns', 'delete', name))
    rmSync(filesOf(name), { recursive: true, force: true })
  }
  // A cable stays while a process of its host is still ending.
  const cables = ip('-o', 'link', 'show', 'type', 'veth').match(/\bkk\d+-\d+/g) ?? []
  for (const cable of cables.filter((one) => one.startsWith(cable_prefix))) {
    quietly(() => void ip('link', 'delete', cable))
  }
  quietly(() => void ip('link', 'delete', bridge))
}

function pidsOf(namespace: string): number[] {
  return ip('netns', 'pids', namespace).split('\n').filter(Boolean).map(Number)
}

/** A host sees the files of this folder in its `/etc`. */
const filesOf = (namespace: string) => join('/etc/netns', namespace)

export function newHost(name: string, number: number, folder: string): Host {
  const namespace = `${prefix}${name}`
  const cable = `${cable_prefix}${number}`
  const address = `${network}.${number}`
  ip('netns', 'add', namespace)
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
  ip('link', 'set', cable, 'master', bridge, 'up')
  for (const args of [
    ['address', 'add', `${address}/24`, 'dev', 'eth0'],
    ['link', 'set', 'lo', 'up'],
    ['link', 'set', 'eth0', 'up'],
  ]) {
    ip('-n', namespace, ...args)
  }
  mkdirSync(filesOf(namespace), { recursive: true })
  const setNames = (addresses: Readonly<Record<string, string>>) => {
    const lines = Object.entries(addresses).map(([one, at]) => `${at} ${one}\n`)
    // Written in place: programs see the file, not its name.
    writeFileSync(join(filesOf(namespace), 'hosts'), `127.0.0.1 localhost\n${lines.join('')}`)
  }
  setNames({})
  const pids = (text = '') =>
    pidsOf(namespace).filter((pid) => text === '' || commandOf(pid).includes(text))
  return {
    name,
    address,
    pids,
    setNames,
    start: (program, command, { environment = {}, user } = {}) => {
      const as_user = user
        ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--']
        : []
      const out = openSync(join(folder, `${name}-${program}.log`), 'a')
      const child = spawn('ip', ['netns', 'exec', namespace, ...as_user, ...command], {
        env: { PATH: process.env.PATH, ...environment },
        stdio: ['ignore', out, out],
        cwd: '/',
      })
      closeSync(out)
      return child
    },
    signal: (signal, text) => {
      for (const pid of pids(text)) quietly(() => process.kill(pid, signal))
    },
    cut: () => void ip('link', 'set', cable, 'down'),
    join: () => void ip('link', 'set', cable, 'up'),
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
