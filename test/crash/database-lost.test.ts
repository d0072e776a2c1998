import { existsSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { startEmbeddedPostgres } from '../../src/store/server/embedded/embedded-postgres.ts'
import {
  breakServer,
  isAlive,
  mendServer,
  postmasterPid,
  type Running,
  removeFolder,
  startProcess,
} from '../support/fleet/running-process.ts'
import { usedFolder } from '../support/setup/used-folder.ts'

// The embedded server dies and cannot be restarted, or hangs. The service must stay responsive, stop on
// request, and not retry for ever.
const folders: string[] = []
const started: Running[] = []

afterEach(async () => {
  await Promise.all(started.splice(0).map((running) => running.stop('SIGKILL')))
  for (const folder of folders.splice(0)) removeFolder(folder)
})

async function start(environment: Record<string, string> = {}) {
  const data_dir = usedFolder()
  folders.push(data_dir)
  const running = await startProcess({ DATA_DIR: data_dir, ...environment })
  started.push(running)
  return { data_dir, running }
}

async function isLive({ url }: Running): Promise<boolean> {
  return (await fetch(`${url}/livez`, { signal: AbortSignal.timeout(30_000) })).status === 200
}

/** The exit code, unless the process is still there long after it should have ended. */
function endOf({ child }: Running): Promise<unknown> {
  const ended = new Promise((resolve) => child.once('close', resolve))
  return Promise.race([ended, sleep(30_000, 'still running', { ref: false })])
}

function waits({ output }: Running): number[] {
  return [...output().matchAll(/next attempt is in (\d+) ms/g)].map(([, ms]) => Number(ms))
}

test.each(['1', '2'])(
  'DATA_DIR is gone and the database is dead: few attempts, one sentence, exit code 1 (PROCESSES=%s)',
  async (PROCESSES) => {
    const { data_dir, running } = await start({ PROCESSES })
    const postmaster = postmasterPid(data_dir)
    const ended = endOf(running)
    rmSync(data_dir, { recursive: true, force: true })
    process.kill(postmaster, 'SIGKILL')
    await vi.waitFor(() => expect(running.output()).toContain('stopped unexpectedly'))
    expect(await isLive(running)).toBe(true)
    expect(await ended).toBe(1)
    expect(waits(running).length).toBeLessThan(10)
    const sentences = running
      .output()
      .split('\n')
      .filter((line) => line.startsWith('kaikei: '))
    expect(sentences).toEqual([
      `kaikei: The embedded database stopped, and its folder ${data_dir}/postgres is gone. ` +
        'Restore DATA_DIR from a backup, or start with another DATA_DIR.',
    ])
  },
)

test('retry delays grow, end when the server starts, and SIGTERM ends them', async () => {
  const { data_dir, running } = await start()
  const ready = async () => (await fetch(`${running.url}/readyz`)).status
  breakServer(data_dir)
  process.kill(postmasterPid(data_dir), 'SIGKILL')
  await vi.waitFor(() => expect(waits(running).slice(0, 3)).toEqual([250, 500, 1000]))
  expect(await isLive(running)).toBe(true)
  await vi.waitFor(async () => expect(await ready()).toBe(503))
  mendServer(data_dir)
  await vi.waitFor(async () => expect(await ready()).toBe(200), { timeout: 60_000, interval: 200 })

  breakServer(data_dir)
  process.kill(postmasterPid(data_dir), 'SIGKILL')
  await vi.waitFor(() => expect(waits(running).length).toBeGreaterThan(4))
  const ended = endOf(running)
  running.child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

test('a server that cannot be restarted is given up, and the message says why', async () => {
  const data_dir = usedFolder()
  folders.push(data_dir)
  const messages: string[] = []
  const policy = {
    first_wait_ms: 10,
    max_wait_ms: 100,
    give_up_start_ms: 10_000,
    give_up_ms: 1500,
    give_up_gone_ms: 1500,
    healthy_ms: 1000,
  }
  const onCrash = (message: string) => void messages.push(message)
  const server = await startEmbeddedPostgres(data_dir, true, onCrash, { policy })
  breakServer(data_dir)
  process.kill(postmasterPid(data_dir), 'SIGKILL')
  const { message } = await server.lost
  expect(message).toMatch(
    /^The embedded database stopped and could not be restarted\. See \S+server\.log\.$/,
  )
  expect(messages.length).toBeGreaterThan(2)
  await server.stop()
})

/** The postmaster and its children, found by their parent. */
function serverProcesses(postmaster: number): number[] {
  const children = readdirSync('/proc').filter((name) => {
    const path = `/proc/${name}/stat`
    if (!/^\d+$/.test(name) || !existsSync(path)) return false
    return readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ')[1] === String(postmaster)
  })
  return [postmaster, ...children.map(Number)]
}

async function stopWhileItHangs(WORKER: 'on' | 'off'): Promise<void> {
  const { data_dir, running } = await start({ WORKER })
  const server = serverProcesses(postmasterPid(data_dir))
  for (const pid of server) process.kill(pid, 'SIGSTOP')
  // A changed key file is compared with the database: that is in progress at the stop.
  utimesSync(join(data_dir, 'keys.json'), new Date(), new Date())
  await sleep(1500)
  try {
    const ended = endOf(running)
    running.child.kill('SIGTERM')
    expect(await ended).toBe(0)
  } finally {
    for (const pid of server.filter(isAlive)) process.kill(pid, 'SIGKILL')
  }
  // Its remains must not prevent the start.
  const again = await startProcess({ DATA_DIR: data_dir })
  started.push(again)
  expect((await fetch(`${again.url}/readyz`)).status).toBe(200)
}

test('a database that hangs does not prevent the service from stopping, busy or idle', async () => {
  await Promise.all([stopWhileItHangs('on'), stopWhileItHangs('off')])
})
