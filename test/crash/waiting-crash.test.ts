import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningConnection } from '../../src/store/server/embedded/embedded-postgres.ts'
import { bank, till } from '../support/deposits-seen.ts'
import {
  fetchWhenFree,
  type Running,
  removeFolder,
  runCommand,
  startProcess,
} from '../support/fleet/running-process.ts'
import { usedFolder } from '../support/setup/used-folder.ts'

// Charges that wait for their customers: the real program is killed at each step between the customer's
// action and its stored result. After the restart it ends correctly, and once. The cases share one database.
let data_dir: string
let running: Running
let auth: string
let store_path: string

beforeAll(async () => {
  data_dir = usedFolder()
  await start(0)
})
afterAll(async () => {
  await running.stop('SIGKILL')
  removeFolder(data_dir)
})

/** Starts the process that dies at this of all places; after the last one, a process that does not. */
async function start(index: number): Promise<void> {
  const FAILPOINT = cases.flatMap(([, places]) => places)[index]
  running = await startProcess({ DATA_DIR: data_dir, ...(FAILPOINT ? { FAILPOINT } : {}) })
  const text = readFileSync(join(data_dir, 'credentials.json'), 'utf8')
  const { secret, jwt, store_id } = JSON.parse(text)
  auth = `Bearer ${secret}.${jwt}`
  store_path = `/stores/${store_id}`
}

/** Null: the process died before it responded. */
async function call(method: string, path: string, body?: object) {
  const headers = { authorization: auth, ...(body ? { 'content-type': 'application/json' } : {}) }
  const request = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
  try {
    const response = await fetchWhenFree(`${running.url}${path}`, request)
    return { status: response.status, body: JSON.parse(await response.text()) }
  } catch {
    return null
  }
}

const gone = (): Promise<void> =>
  running.child.exitCode !== null || running.child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => running.child.once('exit', () => resolve()))

interface Found {
  id: string
  status: string
  deposits: string
  /** The provider's operations, each with its count. */
  done: string
}

const find_charge = `
  select c.id, c.status,
    (select coalesce(string_agg(status || ' ' || amount, ', ' order by id), '') from deposits
      where charge_id = c.id) as deposits,
    (select coalesce(string_agg(kind || ' ' || count, ', ' order by kind), '') from (
      select kind, count(*) as count from simulator_operations
      where charge_id = c.id and outcome ->> 'outcome' = 'approved' group by 1) as each) as done
  from charges c where c.id <> all ($1::uuid[])`

/** The charges of the cases before. */
const ended: string[] = []

/** The state of the test's charge, read beside the running process. */
async function look(): Promise<Found | null> {
  const connection = await runningConnection(data_dir)
  if (!connection) return null
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<Found>(find_charge, [ended])
    expect(rows.length).toBeLessThanOrEqual(1)
    return rows[0] ?? null
  } finally {
    await client.end()
  }
}

async function until(wanted: (found: Found) => boolean): Promise<Found> {
  for (let attempts = 0; attempts < 1200; attempts += 1) {
    const found = await look()
    if (found && wanted(found)) return found
    await sleep(50)
  }
  throw new Error(`It did not get there: ${JSON.stringify(await look())} ${running.output()}`)
}

const challenge_card = {
  cardholder: 'A B',
  card_number: '4000000000003220',
  exp_month: 12,
  exp_year: 2040,
  cvv: '123',
}
const data_of = {
  card: challenge_card,
  online: { brand: 'alipay_online', call_method: 'http_get' },
  konbini: till,
  bank_transfer: { ...bank, match_amount: 'disabled' },
}
type PaymentType = keyof typeof data_of

async function charge(payment_type: PaymentType): Promise<void> {
  const email = 'crash@example.com'
  const token = await call('POST', '/tokens', { payment_type, email, data: data_of[payment_type] })
  const money = { amount: 1000, currency: 'JPY' }
  await call('POST', '/charges', { transaction_token_id: token?.body.id, ...money })
}

type Act = 'nothing' | 'complete' | 'deposits' | 'cancels'

async function act(what: Act, body: object = {}): Promise<void> {
  const id = (await look())?.id
  const path = what === 'cancels' ? `${store_path}/charges/${id}` : `/test/charges/${id}`
  await call('POST', `${path}/${what}`, body)
}

const pays = { outcome: 'successful' }

/**
 * Killed at the first failpoint, in the recovery at the second, and so on. The process that completes a case is the
 * one that the next case kills: so neighbours die at different operations.
 */
const cases: [string, places: string[], PaymentType, Act, object, Omit<Found, 'id'>][] = [
  [
    'a slip for the till',
    ['before provider authorize', 'after provider authorize'],
    'konbini',
    'nothing',
    {},
    { status: 'awaiting', deposits: '', done: '' },
  ],
  [
    'a challenge that was passed',
    ['after challenge', 'before provider authorize', 'after provider authorize'],
    'card',
    'complete',
    pays,
    { status: 'successful', deposits: '', done: 'authenticate 1, authorize 1' },
  ],
  [
    'a payment on a page',
    ['before notification is done', 'before notification is done'],
    'online',
    'complete',
    pays,
    { status: 'successful', deposits: '', done: 'authorize 1' },
  ],
  [
    'a cancel',
    ['before provider void', 'after provider void'],
    'online',
    'cancels',
    {},
    { status: 'canceled', deposits: '', done: 'void 1' },
  ],
  [
    'a surplus that goes back',
    [
      'before notification is done',
      'before provider return_deposit',
      'after provider return_deposit',
    ],
    'bank_transfer',
    'deposits',
    { amount: 1500 },
    { status: 'successful', deposits: 'returned 1500', done: 'deposit 1, return 1' },
  ],
  [
    'a part by transfer',
    ['before notification is done'],
    'bank_transfer',
    'deposits',
    { amount: 400 },
    { status: 'awaiting', deposits: 'held 400', done: 'deposit 1' },
  ],
]

let killed = 0

test.each(cases)(
  '%s, killed %j',
  async (_, places, type, what, body, end) => {
    await charge(type)
    if (what !== 'nothing') {
      await until(({ status }) => status === 'awaiting')
      await act(what, body)
    }
    for (const _place of places) {
      await gone()
      expect(running.child.signalCode).toBe('SIGKILL')
      killed += 1
      await start(killed)
    }
    const { id } = await until((found) => isDeepStrictEqual({ ...end, id: found.id }, { ...found }))
    if (end.status === 'awaiting') {
      // It is not affected: the missing amount is paid, and ends it.
      await act('complete', pays)
      await until(({ status }) => status === 'successful')
    } else expect(await look()).toEqual({ ...end, id })
    ended.push(id)
    // What all of them did is checked after the last.
    if (ended.length < cases.length) return
    const checked = await runCommand(['doctor'], { DATA_DIR: data_dir })
    expect(checked.output).not.toContain('WRONG')
    expect(checked.code).toBe(0)
  },
  180_000,
)
