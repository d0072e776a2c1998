import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWebhookSecret, signMessage } from '../../src/core/webhook-signature.ts'
import { type Running, removeFolder, startProcess, temporaryFolder } from '../running-process.ts'

// The blocks of the README, in their order, are one program.
const root = fileURLToPath(new URL('../..', import.meta.url))
const data_dir = temporaryFolder()
const folder = temporaryFolder()
let service: Running

beforeAll(async () => {
  execFileSync(process.execPath, [join(root, 'scripts/build-package.mjs'), 'client'])
  service = await startProcess({ DATA_DIR: data_dir })
})
afterAll(async () => {
  await service.stop()
  removeFolder(data_dir)
  rmSync(folder, { recursive: true, force: true })
})

/** Calls the function of the README with a message that the service has signed. */
function callReceiver(secret: string): string {
  const [id, timestamp] = ['e-1', Math.floor(Date.now() / 1000)]
  const body = JSON.stringify({
    id,
    event: 'charge_finished',
    data: { id: 'c-1', status: 'failed' },
  })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signMessage([secret], { id, timestamp, body }),
  }
  const request = `new Request('http://127.0.0.1', ${JSON.stringify({ method: 'POST', headers, body })})`
  return `console.log('received', (await receive(${request})).status)\n`
}

/** Something happens while the feed is read. */
const another_charge = `setTimeout(() => kaikei.tokens.create({ payment_type: 'online',
  data: { brand: 'alipay_online', call_method: 'http_get' } }), 500)\n`

test('every block of the README of the client works', async () => {
  const readme = readFileSync(join(root, 'client/README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
  expect(blocks).toHaveLength(6)
  const secret = newWebhookSecret('hmac')
  const feed = blocks.pop() ?? ''
  const program = [...blocks, callReceiver(secret), another_charge, feed].join('\n')
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(root, 'client'), join(folder, 'node_modules/kaikei-client'))
  writeFileSync(join(folder, 'readme.mjs'), program)

  const demo = JSON.parse(readFileSync(join(data_dir, 'credentials.json'), 'utf8'))
  const child = spawn(process.execPath, ['readme.mjs'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      KAIKEI_URL: service.url,
      KAIKEI_SECRET: demo.secret,
      KAIKEI_JWT: demo.jwt,
      WEBHOOK_SECRET: secret,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text
    })
  }
  const ended = new Promise((resolve) => child.on('close', resolve))
  await expect.poll(() => output).toMatch(/ token_created$/m)
  child.kill('SIGTERM')
  expect(await ended, output).toBe(0)
  const lines = output.split('\n').map((line) => line.replace(/^[0-9a-f-]{36} /, ''))
  expect(lines.slice(0, 5)).toEqual([
    'That is too much.',
    'successful',
    'c-1 failed',
    'received 204',
    'token_created',
  ])
})
