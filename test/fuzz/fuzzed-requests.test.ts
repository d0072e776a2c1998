import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStore } from '../../src/accounts/stores/create-store.ts'
import { runDue } from '../../src/worker/worker.ts'
import { loginToken, newUser } from '../support/console-users.ts'
import { type MailServer, startMailServer } from '../support/receiver/mail-server.ts'
import { plainOperations } from '../support/rules/plain-schemas.ts'
import { type ApiResponse, newWorld, type TestMerchant, type World } from '../support/world.ts'
import { goodBody } from './good-bodies.ts'
import { type KnownResources, newKnownResources, type PathIds } from './known-resources.ts'
import { broken, fitting, hostile, newRandom, type Schema } from './random-values.ts'
import { playScene } from './scene.ts'

// Requests to every operation, generated from its schemas: valid ones with existing ids, nearly valid
// ones and hostile ones. A 5xx or a response that the API description does not have fails the test.
// FUZZ_REQUESTS=1000000 makes it long; FUZZ_SEED another one; FUZZ_REPORT names a file for the figures.
const total = Number(process.env.FUZZ_REQUESTS ?? 3000)
const is_long = total >= 50_000
const random = newRandom(Number(process.env.FUZZ_SEED ?? 20260115))
const epoch = 4000
const scene_every = is_long ? 2000 : 400
/** A short run sends requests in sequence, so that the same seed finds the same fault again. */
const at_once = is_long ? 8 : 1

let world: World
let mails: MailServer
let shop: TestMerchant
let known: KnownResources
let user: { email: string; auth: string }
/** A store whose configuration may be changed arbitrarily; the others keep accepting payments. */
let decoy_id: string
const successes = new Map<string, number>()
const statuses = new Map<number, number>()
const figures: object[] = []

beforeAll(async () => {
  mails = await startMailServer()
  const settings = { SMTP_URL: mails.url, MAIL_FROM: 'a@kaikei.example' }
  world = await newWorld({ settings })
  known = newKnownResources(Object.keys(world.app.describeRoutes().paths), random)
})
afterAll(async () => {
  await world.close()
  await mails.close()
})

interface Operation {
  name: string
  method: string
  path: string
  level: string
  query: { name: string; schema: Schema }[]
  body: Schema | null
}

function operations(): Operation[] {
  return plainOperations(world.app).map(
    ({ method, path, access, parameters, body }): Operation => ({
      name: `${method} ${path}`,
      method,
      path,
      level: access.level ?? 'any',
      query: parameters.filter((one) => one.in === 'query') as Operation['query'],
      body: body as Schema | null,
    }),
  )
}

function note(operation: string, { status }: ApiResponse): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  if (status < 300) successes.set(operation, (successes.get(operation) ?? 0) + 1)
}

/** New merchants are added, so that neither limits nor deleted stores end everything. */
async function beginEpoch(): Promise<void> {
  known.clear()
  shop = await world.merchant({ domains: ['shop.example'] })
  world.clock.advance(60_000)
  const { email } = await newUser(world, shop)
  user = { email, auth: await loginToken(world, email) }
  decoy_id = (await createStore(world.service, shop.id, { name: 'Decoy' })).id
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
}

const encode = (value: unknown) => encodeURIComponent(text(value).toWellFormed()) || '-'

function authOf({ level }: Operation): string | null {
  const wrong = [shop.as_store, shop.as_merchant, `Bearer ${shop.jwt}`, 'Bearer a.b.c', null]
  if (random.chance(0.08)) return random.pick(wrong)
  if (level === 'public') return null
  if (level === 'user') return user.auth
  if (level === 'merchant') return shop.as_merchant
  if (level === 'store') return shop.as_store
  return random.pick([shop.as_store, shop.as_merchant])
}

const constants: PathIds = { gateway: 'alipay_plus_online', provider: 'simulator' }

function urlOf({ name, path, query }: Operation): { url: string; ids: PathIds } {
  const store_id = name === 'PATCH /stores/{store_id}' ? decoy_id : shop.store_id
  const own = { store_id, merchant_id: shop.id, ...constants }
  const ids = known.idsFor(path, own)
  if (random.chance(0.05)) {
    const names = Object.keys(ids)
    if (names.length > 0) ids[random.pick(names)] = text(hostile(random)).slice(0, 300)
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encode(ids[name]))
  // A poll without changes takes its five seconds.
  const pairs = query
    .filter(({ name }) => name !== 'polling' && random.chance(0.15))
    .map(({ name, schema }) => {
      const value = random.chance(0.8) ? fitting(schema, random) : hostile(random)
      return `${name}=${encode(value)}`
    })
  // A route ignores parameters that it does not have, also those of other lists.
  for (const name of ['cursor', 'limit', 'search', 'store_id']) {
    if (random.chance(0.03) && query.every((one) => one.name !== name)) {
      pairs.push(`${name}=${encode(hostile(random))}`)
    }
  }
  return { url: pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled, ids }
}

function bodyOf({ name, body: schema }: Operation): string | undefined {
  if (!schema) return random.chance(0.02) ? text(hostile(random)) : undefined
  const good = random.chance(0.7) ? goodBody(name, known, random, user.email) : null
  const body = good ?? fitting(schema, random)
  if (random.chance(0.03)) return text(hostile(random))
  const sent = random.chance(0.3) ? broken(body, random) : body
  if (name !== 'PATCH /me') return text(sent)
  return text({ ...(sent as object), configuration: {} })
}

async function sendOne(operation: Operation): Promise<void> {
  const { url, ids } = urlOf(operation)
  const body = bodyOf(operation)
  const key = random.chance(0.1)
    ? random.pick(['a', 'b', '', 'x y', 'k'.repeat(300), random.uuid()])
    : null
  world.clock.advance(200 + random.below(1500))
  const response = await world.call(operation.method, url, {
    auth: authOf(operation),
    ...(body === undefined ? {} : { body }),
    headers: key === null ? {} : { 'idempotency-key': key },
  })
  expect(response.status, `${operation.method} ${url} ${body} ${response.text}`).toBeLessThan(500)
  note(operation.name, response)
  if (response.status < 300) {
    known.learn(operation.path, ids, response.body)
    if (operation.name === 'POST /tokens/alias') {
      known.add('alias_key', { store_id: shop.store_id, alias_key: response.body.key })
    }
  }
}

/** The shop itself stays: without it nothing else would be found. */
const keeps_going = ({ name }: Operation) =>
  name !== 'DELETE /stores/{store_id}' && name !== 'POST /logout' && name !== 'POST /me/password'

/** Hashing a password takes as long as ten other requests. */
const is_slow = ({ name }: Operation) => name === 'POST /authenticate' || name === 'POST /me/totp'

/**
 * Operations that have not succeeded yet are tried more often: otherwise chance decides the coverage of a
 * short run.
 */
function pickOperation(operations: readonly Operation[]): Operation {
  const open = random.chance(0.3) ? operations.filter(({ name }) => !successes.has(name)) : []
  const picked = random.pick(open.length > 0 ? open : operations)
  return is_slow(picked) && random.chance(0.8) ? pickOperation(operations) : picked
}

test(`${total} requests to every operation: no 5xx, and every response is described`, async () => {
  const all = operations()
  const often = all.filter(keeps_going)
  await beginEpoch()
  for (let sent = 0; sent < total; sent += at_once) {
    if (sent % epoch === 0 && sent > 0) await endEpoch(sent)
    if (sent % scene_every === 0) await playScene(world, shop, known, mails, note)
    await Promise.all(Array.from({ length: at_once }, () => sendOne(pickOperation(often))))
    if (sent % (is_long ? 200 : 50) === 0) await runDue(world.service)
  }
  await endEpoch(total)
  const never = all.map(({ name }) => name).filter((name) => !successes.has(name))
  report(never)
  // A short run does not cover everything; it must cover most.
  expect(never.length).toBeLessThanOrEqual(is_long ? 0 : all.length / 4)
}, 7_200_000)

/** At the end of a merchant come the operations that end something. */
async function endEpoch(sent: number): Promise<void> {
  const created = await world.call('POST', '/stores', {
    auth: shop.as_merchant,
    body: { name: random.uuid() },
  })
  if (created.status === 201) {
    const path = `/stores/${created.body.id}`
    note('DELETE /stores/{store_id}', await world.call('DELETE', path, { auth: shop.as_merchant }))
  }
  const changed = { password: 'tulip-47-garden', new_password: 'garden-47-tulips' }
  // A separate login: that of the epoch may have ended by the clock.
  world.clock.advance(60_000)
  const { email } = await newUser(world, shop)
  const options = { auth: await loginToken(world, email), body: changed }
  note('POST /me/password', await world.call('POST', '/me/password', options))
  global.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  figures.push({ sent, heap_mb: Math.round(heapUsed / 2 ** 20), rss_mb: Math.round(rss / 2 ** 20) })
  world.log.length = 0
  await beginEpoch()
}

function report(never: string[]): void {
  const file = process.env.FUZZ_REPORT
  const found = { total, statuses: Object.fromEntries(statuses), never, figures }
  if (file) writeFileSync(file, JSON.stringify(found, null, 1))
}
