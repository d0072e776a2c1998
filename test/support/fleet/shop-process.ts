import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { freePort } from './running-process.ts'

/** The demo shop as its reader starts it, behind a proxy that records every byte of its traffic. */
export interface ShopProcess {
  url: string
  output(): string
  /** The messages that the shop received and sent, in the order of the bytes. */
  traffic(): string
  /** A snapshot of its memory, as text. */
  memory(): Promise<string>
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../../../examples/shop/start.mjs', import.meta.url))

/** Starts the program of the shop; it ends by itself where the service does not run. */
export function launchShop(environment: Record<string, string>) {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, ['--heapsnapshot-signal=SIGUSR2', program], {
    env: { PATH, ...environment },
    cwd: environment.DATA_DIR,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        text += chunk
        if (text.includes('shop at ')) resolve()
      })
    }
  })
  return { child, output: () => text, ready, ended }
}

async function openProxy(port: number): Promise<{ server: Server; chunks: Buffer[] }> {
  const chunks: Buffer[] = []
  const server = createServer((incoming) => {
    const outgoing = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      from.on('data', (chunk) => chunks.push(chunk))
      from.on('error', () => to.destroy())
      from.pipe(to)
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { server, chunks }
}

export async function startShop(data_dir: string): Promise<ShopProcess> {
  const port = await freePort()
  const { server, chunks } = await openProxy(port)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { child, output, ready, ended } = launchShop({
    DATA_DIR: data_dir,
    PORT: String(port),
    SHOP_URL: url,
  })
  await Promise.race([ready, ended.then(() => Promise.reject(new Error(output())))])

  async function memory(): Promise<string> {
    const find = () => readdirSync(data_dir).find((name) => name.endsWith('.heapsnapshot'))
    child.kill('SIGUSR2')
    // The file is complete when it ends like JSON.
    const read = () => readFileSync(join(data_dir, find() ?? 'missing'), 'utf8')
    await expect.poll(() => find() && read().trimEnd().endsWith('}')).toBe(true)
    const text = read()
    rmSync(join(data_dir, find() ?? ''))
    return text
  }

  return {
    url,
    output,
    traffic: () => Buffer.concat(chunks).toString(),
    memory,
    stop: async () => {
      child.kill()
      await ended
      server.close()
    },
  }
}
