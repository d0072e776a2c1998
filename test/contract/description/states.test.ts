import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type MachineName, machines, statesOf } from '../../../src/core/payments/states.ts'
import { payments } from '../../support/payments.ts'
import { paymentFaults } from '../../support/rules/payment-checks.ts'
import { useMerchant, useWorld } from '../../support/use-world.ts'
import type { ApiResponse } from '../../support/world.ts'

// The transitions of each state follow the table, over HTTP and in the database itself.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

const root = fileURLToPath(new URL('../../..', import.meta.url))
const declined = { data: { card_number: '4000000000000002' } }
const broken = { token: { email: 'x+charge-failure-501@example.com' } }
const post = (id: string, what: string, body = {}) =>
  pay.post(`${pay.chargePath(id)}/${what}`, body)
const part = { amount: 400, currency: 'JPY' }

/** A charge in each state, and in each intermediate state. */
const states = {
  pending: async () => (await pay.charge()).body.id,
  authorized: async () => (await pay.settled({ capture: false })).id,
  'authorized, capture begun': async () => {
    const { id } = await pay.settled({ capture: false })
    await post(id, 'capture')
    return id
  },
  'authorized, cancel begun': async () => {
    const { id } = await pay.settled({ capture: false })
    await post(id, 'cancels')
    return id
  },
  successful: async () => (await pay.settled()).id,
  'successful, refunded': async () => {
    const { id } = await pay.settled()
    await post(id, 'refunds', { amount: 1000, currency: 'JPY' })
    await pay.work()
    return id
  },
  failed: async () => (await pay.settled({}, declined)).id,
  error: async () => (await pay.settled({}, broken)).id,
  canceled: async () => {
    const { id } = await pay.settled({ capture: false })
    await post(id, 'cancels')
    await pay.work()
    return id
  },
  // No provider asks a customer for a card yet, so this state is set by SQL.
  awaiting: async () => {
    const { id } = (await pay.charge()).body
    const moved = "update charges set status = 'awaiting', due_on = null where id = $1"
    await world.store.pool.query(moved, [id])
    return id
  },
} satisfies Record<string, () => Promise<string>>

const operations = {
  capture: (id: string) => post(id, 'capture', part),
  cancel: (id: string) => post(id, 'cancels'),
  refund: (id: string) => post(id, 'refunds', part),
  patch: (id: string) => pay.patch(pay.chargePath(id), { metadata: { touched: 1 } }),
} satisfies Record<string, (id: string) => Promise<ApiResponse>>

const no_capture = '400 VALIDATION_ERROR'
const no_cancel = '400 CANCEL_NOT_ALLOWED'
const no_refund = '400 CANNOT_REFUND_UNSUCCESSFUL_CHARGE'
const captured = '400 ALREADY_CAPTURED'
const too_much = '400 REFUND_EXCEEDS_CHARGE_AMOUNT'

/** State: the responses of capture, cancel and refund, and the resulting charge. */
const table: Record<keyof typeof states, [capture: string, cancel: string, refund: string]> = {
  pending: [no_capture, no_cancel, no_refund],
  authorized: ['200 -> successful', '201 -> canceled', no_refund],
  'authorized, capture begun': [captured, no_cancel, no_refund],
  'authorized, cancel begun': [no_capture, no_cancel, no_refund],
  successful: [captured, no_cancel, '201 -> successful'],
  'successful, refunded': [captured, no_cancel, too_much],
  failed: [no_capture, no_cancel, no_refund],
  error: [no_capture, no_cancel, no_refund],
  canceled: [no_capture, no_cancel, no_refund],
  awaiting: [no_capture, '201 -> canceled', no_refund],
}

async function snapshot(): Promise<Record<string, unknown[]>> {
  const tables = [
    'charges',
    'refunds',
    'cancels',
    'events',
    'ledger_transactions',
    'ledger_entries',
  ]
  const all: Record<string, unknown[]> = {}
  for (const name of [...tables, 'simulator_operations', 'ledger_balances']) {
    const query = `select * from ${name} where merchant_id = $1 order by 1, 2, 3, 4, 5`
    all[name] = (await world.store.pool.query(query, [shop.id])).rows
  }
  return all
}

const pairs = Object.entries(table).flatMap(([state, responses]) =>
  (['capture', 'cancel', 'refund'] as const).map(
    (operation, index) =>
      [state as keyof typeof states, operation, responses[index] ?? ''] as const,
  ),
)

test.each(pairs)('%s: %s gives %s', async (state, operation, expected) => {
  const id = await states[state]()
  const before = await snapshot()
  const { status, body } = await operations[operation](id)
  const [answered, next] = expected.split(' -> ')
  expect(status < 300 ? `${status}` : `${status} ${body.code}`).toBe(answered)
  if (next === undefined) expect(await snapshot()).toEqual(before)
  else if (state !== 'awaiting') {
    await pay.work()
    expect((await pay.get(pay.chargePath(id))).body.status).toBe(next)
    expect(await paymentFaults(world)).toEqual([])
  }
  await world.store.pool.query("delete from charges where status = 'awaiting'")
  await world.store.pool.query(
    'delete from cancels where not exists (select from charges where id = charge_id)',
  )
})

test.each(Object.keys(states) as (keyof typeof states)[])(
  '%s: metadata can be changed, and nothing else changes with it',
  async (state) => {
    const id = await states[state]()
    const before = await snapshot()
    expect(await operations.patch(id)).toMatchObject({
      status: 200,
      body: { metadata: { touched: 1 } },
    })
    const after = await snapshot()
    const strip = (rows: unknown[] = []) =>
      rows.map((row) => ({ ...(row as object), metadata: 0, search_words: 0, updated_on: 0 }))
    expect(strip(after.charges)).toEqual(strip(before.charges))
    expect({ ...after, charges: 0 }).toEqual({ ...before, charges: 0 })
    await world.store.pool.query("delete from charges where status = 'awaiting'")
  },
)

test('every state of the table was checked', () => {
  const looked_at = new Set(Object.keys(states).map((name) => name.split(',')[0]))
  expect([...looked_at].toSorted()).toEqual(statesOf('charge').toSorted())
})

const table_of = {
  charge: 'charges',
  refund: 'refunds',
  cancel: 'cancels',
  customs_declaration: 'customs_declarations',
  deposit: 'deposits',
  subscription: 'subscriptions',
  transfer: 'transfers',
  checkout_session: 'checkout_sessions',
  dispute: 'disputes',
} as const
const names = Object.keys(table_of) as MachineName[]

/** The successors of each state, by the table of the program. */
function follows(name: MachineName): Record<string, string[]> {
  const entries = Object.entries(machines[name] as Record<string, Record<string, string>>)
  const next = entries.map(
    ([state, actions]) => [state, Object.values(actions).toSorted()] as const,
  )
  return Object.fromEntries(next.filter(([, states_after]) => states_after.length > 0))
}

test.each(names)('the trigger on %ss has the same table as the program', (name) => {
  const folder = join(root, 'src/store/migrations')
  const sql = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  const trigger = new RegExp(
    `create trigger ${table_of[name]}_status before update of status[\\s\\S]*?\\(\\s*'([^']+)'\\)`,
  )
  const found: Record<string, string[]> = JSON.parse(trigger.exec(sql)?.[1] ?? 'null')
  const sorted = Object.entries(found).map(([state, next]) => [state, next.toSorted()])
  expect(Object.fromEntries(sorted)).toEqual(follows(name))
})

test.each(names)('the database itself refuses every illegal step of a %s', async (name) => {
  const { id } = await pay.settled()
  await post(id, 'refunds', part)
  await post((await pay.settled({ capture: false })).id, 'cancels')
  await world.store.pool.query(`insert into deposits (merchant_id, id, store_id, charge_id, mode,
    reference, amount, currency, status, created_on, updated_on) values (gen_random_uuid(),
    gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'test', gen_random_uuid(), 5, 'JPY',
    'held', now(), now())`)
  await world.store.pool.query(`insert into customs_declarations (merchant_id, id, store_id,
    charge_id, mode, gateway, customs, merchant_customs_no, certificate_id, certificate_name,
    attempt_id, status, declaration_result, created_on, updated_on) values (gen_random_uuid(),
    gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'test', 'we_chat_online', 'NINGBO',
    '1', '', '', gen_random_uuid(), 'pending', '{}', now(), now())`)
  await world.store.pool.query(
    `insert into transfers (merchant_id, id, mode, currency, amount, "from", "to", status, started_by,
       created_on, updated_on) values ($1, gen_random_uuid(), 'test', 'JPY', 5, now(),
       now() + interval '1 day', 'created', 'operator', now(), now())`,
    [shop.id],
  )
  await pay.post('/subscriptions', {
    transaction_token_id: await pay.tokenId({ type: 'recurring' }),
    amount: 100,
    currency: 'JPY',
    period: 'monthly',
  })
  await pay.post('/checkout_sessions', { amount: 100, currency: 'JPY' })
  await pay.post(`/test/charges/${(await pay.settled()).id}/disputes`)
  const on = table_of[name]
  // A deposit that is no longer held is accounted for.
  const spent = (state: string) => (state === 'held' ? 0 : 5)
  const also = (state: string) => (name === 'deposit' ? `, applied_amount = ${spent(state)}` : '')
  const client = await world.store.pool.connect()
  const columns = await client.query(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [on],
  )
  const { names } = columns.rows[0]
  const taken: string[] = []
  const refused: string[] = []
  for (const from of statesOf(name)) {
    for (const to of statesOf(name)) {
      if (from === to) continue
      await client.query('begin')
      const { rows } = await client.query(
        `insert into ${on} (${names}) select ${names} from (select
           (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),
           'status', $1::text, 'reference', gen_random_uuid(), 'charge_id', gen_random_uuid(),
           'page_id', gen_random_uuid(), 'provider_reference', gen_random_uuid(),
           'applied_amount', ${spent(from)}))).* from ${on} c limit 1) as copied returning id`,
        [from],
      )
      const change = `update ${on} set status = $1${also(to)} where id = $2`
      const moved = await client.query(change, [to, rows[0].id]).then(
        () => true,
        (error) => {
          expect(error.message).toBe(`${on} cannot become ${to} after ${from}`)
          return false
        },
      )
      await client.query('rollback')
      ;(moved ? taken : refused).push(`${from} -> ${to}`)
    }
  }
  client.release()
  const allowed = Object.entries(follows(name)).flatMap(([from, next]) =>
    next.map((to) => `${from} -> ${to}`),
  )
  expect(taken.toSorted()).toEqual(allowed.toSorted())
  expect(refused.length).toBe(statesOf(name).length * (statesOf(name).length - 1) - allowed.length)
})

interface Write {
  where: string
  statement: string
}

/** Every statement of the sources that sets the status of one of these tables. */
function statusWrites(sources: [name: string, text: string][]): Write[] {
  return sources.flatMap(([name, text]) => {
    const built = text.matchAll(
      /updateTable\('(?:charges|refunds|cancels|customs_declarations|subscriptions|transfers|checkout_sessions|disputes)'\)([\s\S]*?)\.execute(?:TakeFirst(?:OrThrow)?)?\(\)/g,
    )
    const raw = text.matchAll(
      /update (?:charges|refunds|cancels|customs_declarations|subscriptions|transfers|checkout_sessions|disputes)\b([\s\S]*?)`/g,
    )
    return [...built, ...raw]
      .filter(([, rest = '']) =>
        /[{\s,]status\s*[:,=]|set \$\{change_list\}/.test(rest.split('.where')[0] ?? ''),
      )
      .map((match) => {
        const functions = [...text.slice(0, match.index).matchAll(/function (\w+)/g)]
        return { where: `${name} ${functions.at(-1)?.[1]}`, statement: match[0] }
      })
  })
}

test('only the settling functions write a status, and they name the state they expect', () => {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', 'src']
  const files = execFileSync('git', listed, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const sources = files.map((name): [string, string] => [
    name,
    readFileSync(join(root, name), 'utf8'),
  ])
  const writes = statusWrites(sources)
  expect(writes.map(({ where }) => where).toSorted()).toEqual([
    'src/commerce/cancels/process-cancel.ts finishCancel',
    'src/commerce/checkout/move-checkout-session.ts moveCheckoutSession',
    'src/commerce/customs/declare-customs.ts submitAgain',
    'src/commerce/customs/process-declaration.ts settleDeclaration',
    'src/commerce/disputes/move-dispute.ts moveDispute',
    'src/commerce/refunds/process-refund.ts settleRefund',
    'src/commerce/subscriptions/move-subscription.ts moveSubscription',
    'src/commerce/transfers/move-transfer.ts moveTransferIn',
    'src/payments/charges/settle/settle-charges.ts settleStatement',
  ])
  for (const { where, statement } of writes) {
    expect(statement, where).toMatch(
      /\.where\('status', '=', \w+\.status\)|stillClaimed\((\w+), \1\.status\)|c\.status = i\.was/,
    )
    // Moving a subscription or a transfer locks its row; a session has its number of attempts.
    if (/move(Subscription|TransferIn|CheckoutSession|Dispute)$/.test(where)) continue
    expect(statement, where).toMatch(/stillClaimed\(\w+, |c\.claims = i\.claims/)
  }
})

test('the rule can fail: other forms of writing a status are found', () => {
  const texts = [
    "function a() { db.updateTable('charges').set({ status: 'failed' }).execute() }",
    "function b() { db.updateTable('refunds').set({ id, status, x }).where().execute() }",
    "function c() { sql`update cancels set status = 'failed'` }",
    "function d() { db.updateTable('charges').set({ x }).where('status', '=', s).execute() }",
  ]
  const found = statusWrites(texts.map((text) => ['file.ts', text]))
  expect(found.map(({ where }) => where)).toEqual(['file.ts a', 'file.ts b', 'file.ts c'])
})
