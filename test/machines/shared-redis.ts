import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'iovalkey'
import { findRedis, redis_advice } from '../../scripts/programs/redis.mjs'
import { freePort, temporaryFolder } from '../support/fleet/running-process.ts'

/** A real server that keeps nothing on disk, for one test file. */
export interface SharedRedis {
  readonly url: string
  /** For what a test wants to know; not while the server is away. */
  readonly client: Redis
  kill(): Promise<void>
  restart(): Promise<void>
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

const password = 'a-password'
const max_attempts = 600

export async function startRedis(): Promise<SharedRedis> {
  const program = findRedis()
  if (program === null) throw new Error(redis_advice)
  const port = await freePort()
  const folder = temporaryFolder()
  const url = `redis://:${password}@127.0.0.1:${port}`
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => 50 })
  client.on('error', () => {})
  let server: ChildProcess | null = null

  async function restart(): Promise<void> {
    const settings = { port, dir: folder, save: '', appendonly: 'no', requirepass: password }
    const args = Object.entries({ ...settings, bind: '127.0.0.1' }).flatMap(([name, value]) => [
      `--${name}`,
      String(value),
    ])
    server = spawn(program ?? '', args, { stdio: 'ignore' })
    for (let attempt = 0; ; attempt += 1) {
      const response = await client.ping().catch((error: Error) => error)
      if (!(response instanceof Error)) return
      if (attempt === max_attempts) throw response
      await sleep(50)
    }
  }

  async function kill(): Promise<void> {
    const ended = new Promise((resolve) => server?.once('exit', resolve))
    server?.kill('SIGKILL')
    await ended
  }

  await restart()
  return {
    url,
    client,
    restart,
    kill,
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    close: async () => {
      client.disconnect()
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
