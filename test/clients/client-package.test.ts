import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../client/src/generated/api-routes.ts'
import {
  type ApiDescription,
  describeClient,
  describeConsole,
} from '../../scripts/build-steps/describe-client.ts'
import { removeFolder, startRelease, temporaryFolder } from '../support/fleet/running-process.ts'
import { bundleModule } from '../support/rules/bundle-module.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const api: ApiDescription = JSON.parse(read('openapi.json'))

test('the types and routes are generated from openapi.json; if not: npm run generate', () => {
  const of_console = describeConsole(JSON.parse(read('console-openapi.json')), api)
  for (const [name, text] of Object.entries(describeClient(api))) {
    expect(read(`client/src/generated/${name}`) === text, name).toBe(true)
  }
  for (const [name, text] of Object.entries(of_console)) {
    expect(read(`web/console/api/generated/${name}`) === text, name).toBe(true)
  }
})

test('every operation has its method', () => {
  const called = new Set(
    Object.values(routes).flatMap((methods) =>
      Object.values<string>(methods).flatMap((entry) => {
        const [verb = '', path = ''] = entry.split(' ')
        const method = verb === 'LIST' ? 'GET' : verb
        const paths = path.includes('?')
          ? [path.replace('?', ''), path.replace('/stores/{store_id?}', '')]
          : [path]
        return paths.map((one) => `${method} ${one}`)
      }),
    ),
  )
  const missing = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([verb]) => {
        const without_merchant = path.replace(/^\/merchants\/\{merchant_id\}/, '')
        return !called.has(`${verb.toUpperCase()} ${without_merchant}`)
      })
      .map(([, { operationId }]) => operationId),
  )
  expect(missing.sort()).toEqual([
    'getHeartbeat',
    'getIssuerTokenAlias',
    'getLiveness',
    'getReadiness',
    'receiveMerchantNotification',
    'receiveNotification',
    'updateChargeRefund',
    'updateStoreRefund',
  ])
})

test('the client is at most 8 kB, minified and compressed', async () => {
  const bytes = gzipSync(await bundleModule('client/src/kaikei-client.ts'), { level: 9 }).length
  expect(bytes).toBeLessThanOrEqual(8 * 1024)
})

test('the README has the sizes of the file that is shipped', () => {
  const shipped = readFileSync(join(root, 'client/dist/kaikei-client.js'))
  const kilobytes = (bytes: number) => Math.ceil(bytes / 1000)
  const sizes = `${kilobytes(shipped.length)} kB, ${kilobytes(gzipSync(shipped).length)} kB gzipped`
  expect(read('client/README.md')).toContain(sizes)
})

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string; readonly mode: number }[]
}

/** Packs a folder as npm does, with its scripts, which write to standard error only. */
function pack(folder: string, destination: string): Packed {
  const args = ['pack', '--json', '--pack-destination', destination]
  const npm = process.env.npm_execpath
  const output = execFileSync(npm ? process.execPath : 'npm', npm ? [npm, ...args] : args, {
    cwd: join(root, folder),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return JSON.parse(output.slice(output.indexOf('[\n')))[0]
}

/** Installs a packed tarball below the folder. */
function unpack(filename: string, name: string): string {
  const installed = join(folder, 'node_modules', name)
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['xzf', join(folder, filename), '-C', installed, '--strip-components=1'])
  return installed
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaikei-pack-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the package of the service has what npx kaikei needs, and nothing else', () => {
  const { files } = pack('.', folder)
  const paths = files.map(({ path }) => path)
  const migrations = paths.filter((path) => /^dist\/migrations\/\d{4}-[\w-]+\.sql$/.test(path))
  expect(migrations.length).toBeGreaterThan(18)
  const parts = paths.filter((path) =>
    /^dist\/([\w.-]+\.js|documents\/.+\.md|web\/.+\.(css|js|svg|png|ico)(\.br|\.gz)?|web\/console\/files\.json)$/.test(
      path,
    ),
  )
  expect(parts).toContain('dist/cli.js')
  const others = paths.filter((path) => !migrations.includes(path) && !parts.includes(path))
  expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json'])
})

test('the tarball of the service, installed with what it declares, starts and serves its pages', async () => {
  const { filename } = pack('.', folder)
  const installed = unpack(filename, 'kaikei')
  const {
    private: is_private,
    publishConfig,
    ...packed
  } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  expect([is_private, publishConfig]).toEqual([undefined, { access: 'public' }])
  for (const name of Object.keys({ ...packed.dependencies, ...packed.optionalDependencies })) {
    const [target, link] = [join(root, 'node_modules', name), join(folder, 'node_modules', name)]
    mkdirSync(dirname(link), { recursive: true })
    if (existsSync(target)) symlinkSync(target, link)
  }
  const data_dir = temporaryFolder()
  const running = await startRelease(join(installed, packed.bin.kaikei), { DATA_DIR: data_dir })
  try {
    for (const path of ['/', '/docs', '/console', '/checkout.js', '/openapi.json', '/readyz']) {
      const accept = path === '/' ? 'text/html' : '*/*'
      const { status } = await fetch(`${running.url}${path}`, { headers: { accept } })
      expect(status, path).toBe(200)
    }
    // The compressed files of the build.
    const packed = await fetch(`${running.url}/checkout.js`, {
      headers: { 'accept-encoding': 'br' },
    })
    expect(packed.headers.get('content-encoding')).toBe('br')
    expect(await packed.text()).toBe(read('web/checkout/shop-script.js'))
    expect(await running.stop()).toBe(0)
  } finally {
    await running.stop('SIGKILL')
    removeFolder(data_dir)
  }
})

/** A program of a shop. It has no cast, and what is wrong in it is known to be wrong. */
const program = `
import { Kaikei, KaikeiError, verifyWebhook, type Charge, type CreateToken } from 'kaikei-client'

const kaikei = new Kaikei({ base_url: 'http://127.0.0.1:8080', secret: 's', jwt: 'a.b.c' })
const card: CreateToken = {
  payment_type: 'card',
  email: 'taro@example.com',
  data: { cardholder: 'Taro', card_number: '4242424242424242', exp_month: 12, exp_year: 2030, cvv: '1' },
}

export async function pay(): Promise<number> {
  const token = await kaikei.tokens.create(card)
  if (token.payment_type === 'card') console.log(token.data.card?.last_four)
  const { id } = await kaikei.charges.create({
    transaction_token_id: token.id, amount: 1000, currency: 'JPY', metadata: { order: 1 },
  })
  const charge: Charge & { status: 'successful' } = await kaikei.charges.waitUntil(id, 'successful')
  const refund = await kaikei.refunds.create(charge.id, { amount: 300, currency: 'JPY' })
  for await (const { id, status } of kaikei.charges.list({ limit: 10 })) console.log(id, status)
  const { items, has_more } = await kaikei.charges.list()
  console.log(items.length, has_more)
  return refund.amount
}

export async function receive(request: Request): Promise<void> {
  const event = await verifyWebhook(await request.text(), request.headers, 'whsec_')
  if (event.event === 'charge_finished') console.log(event.data.charged_amount?.toFixed())
}

export function explain(error: unknown): string {
  if (!(error instanceof KaikeiError)) return 'unknown'
  switch (error.code) {
    case 'CHARGE_TOO_QUICK': return 'later'
    case 'VALIDATION_ERROR': return error.errors.map(({ field }) => field).join()
    case 'TIMED_OUT': return 'slow'
    // @ts-expect-error there is no such code
    case 'CHARGE_TOO_SLOW': return 'never'
    default: return error.request_id ?? ''
  }
}

// @ts-expect-error the currency is missing
void kaikei.charges.create({ transaction_token_id: 't', amount: 1000 })
// @ts-expect-error there is no such status
void kaikei.charges.waitUntil('c', 'paid')
void kaikei.webhooks.create({ url: 'https://shop.example/hook', triggers: ['charge_finished'] })
// @ts-expect-error there is no such event
void kaikei.webhooks.create({ url: 'https://shop.example/hook', triggers: ['charge_paid'] })
// @ts-expect-error there is no such payment type
void kaikei.tokens.create({ payment_type: 'cash', data: {} })
`

/** The page of a shop. */
const page = `
import { loadCheckout, type CardFieldsError } from 'kaikei-client/checkout'

export async function pay(session_url: string, jwt: string): Promise<string> {
  const kaikei = await loadCheckout(new URL(session_url).origin)
  const { status } = await kaikei.checkout(session_url).open({ as: 'overlay' })
  if (status === 'completed') return status
  const fields = kaikei.fields({
    app_token: jwt,
    fields: { card_number: '#number', expiry: '#expiry', cvv: document.body },
    style: { color: '#102030', font_size: 16, font_family: 'serif' },
    locale: 'ja',
  })
  fields.addEventListener('change', ({ detail }) => console.log(detail.brand, detail.error))
  const options = { type: 'recurring', email: 'taro@example.com', data: { cardholder: 'Taro' } } as const
  return fields.createToken(options).catch((error: CardFieldsError) => error.errors.join())
}

export function show(session_url: string): void {
  const element = document.createElement('kaikei-checkout')
  element.setAttribute('session', session_url)
  element.addEventListener('kaikei-canceled', ({ detail }) => console.log(detail.url))
  document.body.append(element)
}

declare const fields: ReturnType<NonNullable<typeof window.Kaikei>['fields']>
// @ts-expect-error card numbers are typed by the customer
void fields.createToken({ email: 'a@example.com', data: { card_number: '4242424242424242' } })
// @ts-expect-error there is no such event
fields.addEventListener('input', () => {})
`

test('the package of the client compiles in a program that uses it without a cast', () => {
  const { files, filename } = pack('client', folder)
  const paths = files.map(({ path }) => path)
  const types = paths.filter((path) => /^dist\/[\w/-]+\.d\.ts$/.test(path))
  expect(paths.filter((path) => !types.includes(path)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist/checkout.js',
    'dist/cjs/checkout.js',
    'dist/cjs/kaikei-client.js',
    'dist/cjs/package.json',
    'dist/kaikei-client.js',
    'package.json',
  ])
  const installed = unpack(filename, 'kaikei-client')
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  writeFileSync(join(folder, 'shop.ts'), program)
  writeFileSync(join(folder, 'page.ts'), page)
  const settings = ['--strict', '--noEmit', '--noUncheckedIndexedAccess', '--types', '']
  const options = ['--target', 'es2022', '--lib', 'es2022,dom', '--module', 'nodenext']
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const programs = ['shop.ts', 'page.ts']
  const output = execFileSync(process.execPath, [compiler, ...settings, ...options, ...programs], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(output).toBe('')
  // The same program as CommonJS, which resolves the package with `require`.
  const common = join(folder, 'common')
  mkdirSync(common)
  writeFileSync(join(common, 'package.json'), '{"type": "commonjs"}')
  writeFileSync(join(common, 'shop.ts'), program)
  writeFileSync(join(common, 'page.ts'), page)
  const as_common = ['--target', 'es2022', '--lib', 'es2022,dom', '--module', 'node16']
  expect(
    execFileSync(process.execPath, [compiler, ...settings, ...as_common, ...programs], {
      cwd: common,
      encoding: 'utf8',
    }),
  ).toBe('')
  const required = `const { Kaikei, verifyWebhook } = require('kaikei-client')
    const { loadCheckout } = require('kaikei-client/checkout')
    console.log(typeof Kaikei, typeof verifyWebhook, typeof loadCheckout)`
  const printed = execFileSync(process.execPath, ['-e', required], {
    cwd: common,
    encoding: 'utf8',
  })
  expect(printed).toBe('function function function\n')
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  expect(version).toBe(JSON.parse(read('package.json')).version)
})
