import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  fetchWhenFree,
  freePort,
  type Running,
  removeFolder,
  startProcess,
} from '../support/fleet/running-process.ts'
import { cardTraces, filesBelow, tracesIn } from '../support/rules/card-traces.ts'
import { runWords } from '../support/setup/command-line.ts'
import { usedFolder } from '../support/setup/used-folder.ts'

// A card number that occurs nowhere else goes through everything the program does with cards, and into
// fields where it does not belong. Afterwards its digits are searched wherever they could remain.
const canary = '4539706148293172'
const spaced = canary.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
const cvv = '917'
/** Not a card number, so it is refused; long enough to be found by its digits alone. */
const long_cvv = '918273645546'
const holder = 'CANARY HOLDER QXZ'
const metrics_port = String(await freePort())

let data_dir: string
let running: Running
let store_id: string
let authorization: string
const responses: string[] = []
const statuses = new Map<string, number>()

beforeAll(async () => {
  data_dir = usedFolder()
  running = await startProcess({
    DATA_DIR: data_dir,
    LOG_LEVEL: 'trace',
    METRICS_PORT: metrics_port,
  })
  const credentials = JSON.parse(readFileSync(join(data_dir, 'credentials.json'), 'utf8'))
  store_id = credentials.store_id
  authorization = `Bearer ${credentials.secret}.${credentials.jwt}`
})
afterAll(async () => {
  await running.stop('SIGKILL')
  removeFolder(data_dir)
})

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetchWhenFree(`${running.url}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  responses.push(text)
  statuses.set(`${method} ${path} ${statuses.size}`, response.status)
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : null }
}

function newToken(body: object = {}, data: object = {}, headers: Record<string, string> = {}) {
  const given = {
    payment_type: 'card',
    email: 'canary@example.com',
    ...body,
    data: {
      cardholder: holder,
      card_number: canary,
      exp_month: '12',
      exp_year: '2040',
      cvv,
      ...data,
    },
  }
  return call('POST', '/tokens', given, headers)
}

/** Charges a new token and waits for its result. */
async function charge(body: object = {}, token: object = {}, data: object = {}) {
  const { body: created } = await newToken(token, data)
  const wanted = { transaction_token_id: created.id, amount: 1000, currency: 'JPY', ...body }
  const { id } = (await call('POST', '/charges', wanted)).body
  for (let attempts = 0; attempts < 60; attempts += 1) {
    const path = `/stores/${store_id}/charges/${id}`
    const read = await call('GET', `${path}?polling=true`)
    if (read.body.status !== 'pending') return { ...read.body, path }
  }
  throw new Error('The charge stays pending.')
}

async function payInEveryWay(): Promise<void> {
  expect((await newToken({}, { card_number: spaced })).status).toBe(201)
  const paid = await charge()
  expect(paid.status).toBe('successful')
  expect((await charge({}, { email: 'x+charge-failure-306@example.com' })).status).toBe('failed')
  expect((await charge({}, { email: 'x+charge-failure-501@example.com' })).status).toBe('error')
  expect((await charge({}, { email: 'x+timeout@example.com' })).status).toBe('successful')
  const held = await charge({ capture: false })
  expect((await call('POST', `${held.path}/cancels`, {})).status).toBe(201)
  const refund = { amount: 400, currency: 'JPY' }
  expect((await call('POST', `${paid.path}/refunds`, refund)).status).toBe(201)
  expect((await call('PATCH', paid.path, { metadata: { order: 1 } })).status).toBe(200)
  await call('GET', `${paid.path}/refunds`)
  await call('GET', '/charges')
  await call('GET', '/transaction_history')
}

async function changeTokens(): Promise<void> {
  for (const type of ['recurring', 'subscription']) {
    const { id } = (await newToken({ type })).body
    const path = `/stores/${store_id}/tokens/${id}`
    expect((await call('GET', path)).status).toBe(200)
    const change = { data: { cvv, cardholder: `${holder} II`, card_number: canary } }
    expect((await call('PATCH', path, change)).status).toBe(200)
    expect((await newToken({ type })).status).toBe(type === 'recurring' ? 201 : 409)
    await call('GET', '/tokens')
    expect((await call('DELETE', path)).status).toBe(204)
  }
}

async function sendNonsense(): Promise<void> {
  expect((await newToken({}, { cvv: long_cvv })).status).toBe(400)
  expect((await newToken({}, { cvv: Number(long_cvv) })).status).toBe(400)
  expect((await newToken({}, { exp_month: canary })).status).toBe(400)
  expect((await newToken({}, { card_number: Number(canary) })).status).toBe(400)
  expect((await newToken({}, { card_number: [canary] })).status).toBe(400)
  expect((await newToken({ email: canary, type: canary, ip_address: canary })).status).toBe(400)
  expect((await newToken({ payment_type: canary })).status).toBe(400)
  const wanted = { transaction_token_id: canary, amount: Number(canary), currency: canary }
  expect((await call('POST', '/charges', wanted)).status).toBe(400)
  expect((await call('POST', '/tokens', `{"card_number": "${canary}", `)).status).toBe(400)
  expect((await call('POST', '/tokens', `{"a": ${canary}}}`)).status).toBe(400)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await call('POST', '/tokens', `card_number=${canary}&cvv=${cvv}`, form)).status).toBe(415)
}

async function sendToWrongPlaces(): Promise<void> {
  const encoded = encodeURIComponent(spaced)
  for (const path of [`/${canary}`, `/cards/${encoded}`, `/stores/${canary}/tokens`]) {
    expect((await call('GET', path)).status).toBeGreaterThanOrEqual(400)
  }
  expect((await call('GET', `/nowhere?card_number=${canary}&cvv=${cvv}`)).status).toBe(404)
  expect((await call('GET', `/charges?limit=${canary}&cursor=${canary}`)).status).toBe(400)
  for (const path of ['/tokens?search=', '/charges?metadata=', '/charges?card_number=']) {
    for (const number of [canary, encoded, canary.slice(0, 15)]) {
      expect((await call('GET', `${path}${number}`)).status).toBe(200)
    }
  }
  await sendInTexts()
  for (const id of [canary, `order-${canary}`, spaced.replaceAll(' ', '-')]) {
    expect((await call('GET', '/me', undefined, { 'x-request-id': id })).status).toBe(200)
    const repeated = { 'idempotency-key': id }
    expect((await newToken({}, {}, repeated)).status).toBe(201)
    expect((await newToken({}, {}, repeated)).status).toBe(201)
    const other = await newToken({ email: 'other@example.com' }, {}, repeated)
    expect(other.status).toBe(409)
  }
  for (const given of [`Bearer ${canary}`, `Basic ${canary}`, canary]) {
    expect((await call('GET', '/me', undefined, { authorization: given })).status).toBe(401)
  }
  await sendRaw(`GET /${canary} HTTP/9.9\r\n\r\n`)
  await sendRaw(`${canary}\r\n\r\n`)
  await sendRaw(`GET /me HTTP/1.1\r\nhost: x\r\n${canary}: \u0001\r\n\r\n`)
}

interface Parameter {
  readonly in: string
  readonly name: string
  readonly $ref?: string
}

interface Described {
  readonly paths: Record<string, { get?: { parameters?: Parameter[] } }>
  readonly components: { readonly parameters: Record<string, Parameter> }
}

/** Credentials of a merchant, for routes that a store's token may not call. */
async function merchantAuthorization(): Promise<string> {
  const words = ['app-tokens', 'create', 'demo']
  const { output, errors } = await runWords(words, { DATA_DIR: data_dir })
  expect(errors).toBe('')
  const { secret, jwt } = JSON.parse(output)
  return `Bearer ${secret}.${jwt}`
}

/**
 * The number as every parameter of every route that is read, and as parameters that a route does
 * not have.
 */
async function sendInQueries(): Promise<void> {
  const as_merchant = await merchantAuthorization()
  const { merchant_id } = JSON.parse(readFileSync(join(data_dir, 'credentials.json'), 'utf8'))
  const ids: Record<string, string> = { store_id, merchant_id }
  const send = async (url: string, given: string): Promise<number> => {
    const { status } = await call('GET', url, undefined, { authorization: given })
    if (status !== 429) return status
    statuses.delete([...statuses.keys()].at(-1) ?? '')
    await sleep(100)
    return send(url, given)
  }
  const { paths, components } = (await call('GET', '/openapi.json')).body as Described
  const resolved = (one: Parameter) =>
    components.parameters[one.$ref?.split('/').at(-1) ?? ''] ?? one
  const read = Object.entries(paths).flatMap(([path, { get }]) => (get ? [{ path, get }] : []))
  expect(read.length).toBeGreaterThan(100)
  for (const { path, get } of read) {
    const place = path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? store_id)
    const declared = (get.parameters ?? []).map(resolved).filter((one) => one.in === 'query')
    const names = new Set([...declared.map(({ name }) => name), 'cursor', 'limit', 'card_number'])
    const queries = [...names].map((name) => `${name}=${canary}`)
    for (const query of [...queries, queries.join('&')]) {
      const status = await send(`${place}?${query}`, as_merchant)
      if (status === 403) await send(`${place}?${query}`, authorization)
    }
  }
}

/** Statements that fail with the number in a value: the server's own log must not repeat it. */
async function failInDatabase(): Promise<void> {
  const { output } = await runWords(['database-url'], { DATA_DIR: data_dir })
  const client = new pg.Client({ connectionString: output.trim() })
  await client.connect()
  const unique = 'create temporary table shown (value text unique)'
  await client.query(unique)
  await client.query('insert into shown values ($1)', ['a'])
  for (const [statement, values] of [
    ['select $1::uuid', [canary]],
    ['select $1::int', [canary]],
    [`select '${canary}'::uuid`, []],
    [`insert into shown select v from unnest($1::text[]) v`, [[`x${canary}`, `x${canary}`]]],
    [`do $$ begin raise exception '${canary}'; end $$`, []],
    [`do $$ begin raise warning '${canary}'; end $$`, []],
    [`syntax ${canary}`, []],
  ] as const) {
    await client.query(statement, [...values]).catch(() => {})
  }
  await client.end()
}

/** Texts that are stored unchanged: the number is refused there, in any spelling. */
async function sendInTexts(): Promise<void> {
  const triggers = ['charge_finished']
  for (const text of [canary, spaced, spaced.replaceAll(' ', '-'), `card ${canary} 12/40`]) {
    for (const change of [{ line1: text }, { city: text }, { cardholder: text }]) {
      expect((await newToken({}, change)).status).toBe(400)
    }
    for (const metadata of [{ text }, { [text]: 1 }, { a: { b: [text] } }]) {
      expect((await newToken({ metadata })).status).toBe(400)
    }
    const webhook = { url: `https://shop.example/${encodeURIComponent(text)}`, triggers }
    expect((await call('POST', `/stores/${store_id}/webhooks`, webhook)).status).toBe(400)
  }
  expect((await newToken({ metadata: { number: Number(canary) } })).status).toBe(400)
}

/** Bytes that are no HTTP. */
async function sendRaw(text: string): Promise<void> {
  const { hostname, port } = new URL(running.url)
  const socket = connect(Number(port), hostname)
  socket.on('data', (chunk) => responses.push(String(chunk)))
  socket.end(text)
  await new Promise((resolve) => socket.once('close', resolve))
}

const forbidden = cardTraces({ 'card number': canary, 'long cvv': long_cvv }, cvv)
const found = (where: string, content: Buffer) => tracesIn(forbidden, where, content)

test('canary card: 0 hits in responses, logs, metrics, database files, WAL and keys', async () => {
  await payInEveryWay()
  await changeTokens()
  await sendNonsense()
  await sendToWrongPlaces()
  await sendInQueries()
  await failInDatabase()
  expect([...statuses].filter(([, status]) => status >= 500 || status === 429)).toEqual([])
  const metrics = await (await fetch(`http://127.0.0.1:${metrics_port}/metrics`)).text()
  expect(metrics).toContain('kaikei_http_request_seconds_count')
  await sleep(1500)
  expect(await running.stop('SIGTERM')).toBe(0)

  const output = running.output()
  expect(output.split('\n').length).toBeGreaterThan(80)
  expect(output).toContain('[card]')
  const files = filesBelow(data_dir)
  for (const part of ['/pg_wal/', '/base/', 'keys.json', 'server.log']) {
    expect(
      files.some((path) => path.includes(part)),
      part,
    ).toBe(true)
  }
  expect(files.filter((path) => readFileSync(path).includes(holder)).length).toBeGreaterThan(1)
  const hits = [
    ...found('the output', Buffer.from(output)),
    ...found('the metrics', Buffer.from(metrics)),
    ...responses.flatMap((text) => found(`an answer: ${text.slice(0, 80)}`, Buffer.from(text))),
    ...files.flatMap((path) => found(path, readFileSync(path))),
  ]
  expect(hits).toEqual([])
})

test('the search can find: each form that is planted in the folder is reported', () => {
  const path = join(data_dir, 'planted')
  for (const [name, bytes] of forbidden) {
    writeFileSync(path, Buffer.concat([Buffer.from([0, 255]), bytes, Buffer.from([7])]))
    const hits = filesBelow(data_dir).filter((file) => file === path)
    expect(found(path, readFileSync(hits[0] ?? ''))).toContain(`${name} in ${path}`)
  }
  const text = Buffer.from(`{"card_number":"${canary}"}`).toString('base64')
  expect(found('base64', Buffer.from(text))).toHaveLength(1)
  rmSync(path)
})
