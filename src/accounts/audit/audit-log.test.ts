import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { signIn } from '../../../test/support/console-calls.ts'
import {
  enrol,
  logIn,
  newUser,
  password,
  type TestUser,
} from '../../../test/support/console-users.ts'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { minute_ms } from '../../core/time/clock.ts'
import { auditFaults } from '../../doctor/audit-rules.ts'
import { type KnownAnchor, newestAnchor, rememberedAnchor } from './audit-anchors.ts'

const world = useWorld()
const shop = useMerchant(world, { passed_ms: 10 * minute_ms })
let owner: TestUser
let auth: string

beforeEach(async () => {
  owner = await newUser(world, shop)
  auth = (await enrol(world, owner.email)).auth
})

// biome-ignore lint/suspicious/noExplicitAny: lines of every shape
type Line = any
const lines = async (query: Record<string, string> = {}): Promise<Line[]> =>
  (await world.call('GET', '/audit_log', { auth, query: { limit: '100', ...query } })).body.items

test('a change has a line before it and one about its outcome: who, what, before, after, where', async () => {
  const { id } = await payments(world, shop).settled({ amount: 1000 })
  const browser = await signIn(world, (await newUser(world, shop, { role: 'staff' })).email)
  const staff = (await browser.call('GET', '/console/session')).body.user
  const path = `/stores/${shop.store_id}/charges/${id}/refunds`
  const headers = { 'user-agent': 'Browser/1', 'x-request-id': 'request-1' }
  const body = { amount: 10, currency: 'JPY', message: 'Broken' }
  const charge = await world.call('GET', path.replace('/refunds', ''), { auth })
  const refund = await browser.api('POST', path, { body, headers })
  expect(refund.status).toBe(201)
  const [ended, begun] = await lines({ action: 'createRefund' })
  expect(begun).toMatchObject({
    kind: 'begun',
    action_id: begun.id,
    user_id: staff.id,
    user_email: staff.email,
    resource_id: id,
    request_id: 'request-1',
    user_agent: 'Browser/1',
    ip_address: '127.0.0.1',
    mode: 'test',
    path,
    input: body,
    before: charge.body,
    status: null,
  })
  expect(ended).toMatchObject({
    kind: 'ended',
    action_id: begun.id,
    number: begun.number + 1,
    resource_id: refund.body.id,
    status: 201,
    error_code: null,
    after: { id: refund.body.id, amount: 10 },
  })
  expect((await lines({ resource_id: id })).map(({ id: one }) => one)).toEqual([begun.id])
  expect((await lines({ user_id: staff.id })).map(({ kind }) => kind)).toEqual([
    'ended',
    'begun',
    'signed_in',
  ])
  const later = new Date(world.clock.now() + 1).toISOString()
  expect(await lines({ from: later })).toEqual([])
  expect((await lines({ to: later })).length).toBeGreaterThan(3)
})

test('an update has the resource before and after; reads have no line', async () => {
  const name = 'Renamed'
  const before = (await world.call('GET', '/me', { auth })).body
  const headers = { 'idempotency-key': 'rename' }
  await world.call('PATCH', '/me', { auth, headers, body: { name } })
  await world.call('GET', '/stores', { auth })
  const plan = { amount: 980, currency: 'JPY', period: 'monthly' }
  await world.call('POST', '/subscriptions/simulate_plan', { auth, body: plan })
  const [ended, begun] = await lines()
  expect(begun).toMatchObject({ action: 'updateMerchant', before: { name: before.name } })
  expect(ended).toMatchObject({ action: 'updateMerchant', after: { name } })
})

test('refused calls are there too, with the reason', async () => {
  const { email, id } = await newUser(world, shop, { role: 'viewer' })
  const browser = await signIn(world, email)
  const charge = await payments(world, shop).settled()
  const path = `/stores/${shop.store_id}/charges/${charge.id}/refunds`
  const body = { amount: 10, currency: 'JPY' }
  expect((await browser.api('POST', path, { body })).status).toBe(403)
  const [first] = await lines({ user_id: id })
  expect(first).toMatchObject({
    kind: 'refused',
    action: 'createRefund',
    resource_id: charge.id,
    status: 403,
    error_code: 'INVALID_PERMISSIONS',
  })
  const too_much = { amount: 10_000_000, currency: 'JPY' }
  await world.call('POST', path, { auth, body: too_much })
  const [failed] = await lines({ action: 'createRefund' })
  expect(failed).toMatchObject({ kind: 'ended', error_code: 'REFUND_EXCEEDS_CHARGE_AMOUNT' })
})

test('sign-ins, good and bad, and sign-outs are there; the secrets of none of them', async () => {
  const headers = { 'user-agent': 'Program/2' }
  const { email, id } = await newUser(world, shop, { role: 'staff' })
  await logIn(world, email, { password: 'a wrong password' })
  await expect.poll(async () => (await lines({ user_id: id }))[0]?.kind).toBe('sign_in_failed')
  const browser = await signIn(world, email)
  const [, cookie] = browser.cookie.split('=')
  await browser.call('POST', '/console/session/confirm', { body: { password }, headers })
  await browser.call('DELETE', '/console/session')
  expect((await lines({ user_id: id })).map(({ kind, action }) => [kind, action])).toEqual([
    ['ended', 'deleteConsoleSession'],
    ['begun', 'deleteConsoleSession'],
    ['ended', 'confirmConsoleSession'],
    ['begun', 'confirmConsoleSession'],
    ['signed_in', 'logIn'],
    ['sign_in_failed', 'logIn'],
  ])
  const { rows } = await world.store.pool.query('select * from audit_log')
  const text = JSON.stringify(rows)
  for (const secret of [password, 'a wrong password', cookie]) {
    expect(text.includes(String(secret))).toBe(false)
  }
})

test('secrets and card numbers are masked, wherever they are', async () => {
  const url = 'http://127.0.0.1:9/hook'
  const webhook = { url, triggers: ['charge_finished'], auth_token: 'topsecret' }
  await world.call('POST', '/webhooks', { auth, body: webhook })
  const token = await world.call('POST', '/app_jwts', { auth, body: {} })
  const account = { holder_name: 'A', bank_name: 'B', country: 'JP', currency: 'JPY' }
  const body = { ...account, account_number: '7654321' }
  expect((await world.call('POST', '/bank_accounts', { auth, body })).status).toBe(201)
  const { rows } = await world.store.pool.query('select * from audit_log where merchant_id = $1', [
    shop.id,
  ])
  const text = JSON.stringify(rows)
  for (const secret of ['topsecret', 'whsec_', token.body.secret, token.body.jwt, '7654321']) {
    expect(text.includes(secret), secret).toBe(false)
  }
  expect(text).toContain(url)
})

test('only owners read the log, and only that of their merchant', async () => {
  const other = await world.merchant()
  const stranger = (await enrol(world, (await newUser(world, other)).email)).auth
  const seen = (await world.call('GET', '/audit_log', { auth: stranger })).body.items
  const { rows } = await world.store.pool.query('select id from audit_log where merchant_id = $1', [
    other.id,
  ])
  expect(seen.map(({ id }: Line) => id).sort()).toEqual(rows.map(({ id }) => id).sort())
})

test('concurrent actions are numbered without gaps', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `Name ${index}`)
  await Promise.all(names.map((name) => world.call('PATCH', '/me/user', { auth, body: { name } })))
  const numbers = (await lines()).map(({ number }) => number)
  expect(numbers).toEqual(numbers.map((_, index) => numbers.length - index))
  expect(await auditFaults(world.service.db, world.service.keys)).toEqual([])
})

/** Changes lines as an attacker could who may write to the database: no trigger stops them. */
async function tamper(statements: string, known: readonly KnownAnchor[] = []): Promise<string> {
  const { db, keys } = world.service
  const tx = await db.startTransaction().execute()
  try {
    await sql`alter table audit_log disable trigger user`.execute(tx)
    await sql`alter table audit_anchors disable trigger user`.execute(tx)
    for (const text of statements.replaceAll('SHOP', `'${shop.id}'`).split(';')) {
      await sql.raw(text).execute(tx)
    }
    return (await auditFaults(tx, keys, known)).join(' ')
  } finally {
    await tx.rollback().execute()
  }
}

const of_shop = 'where merchant_id = SHOP'

test.each([
  ['a changed field', `update audit_log set action = 'x' ${of_shop} and number = 2`, /line 2 was/],
  [
    'changed details',
    `update audit_log set details = replace(details::text, '127.0.0.1', '10.0.0.1')::json
      ${of_shop} and number = 3`,
    /line 3 was changed/,
  ],
  ['a missing line', `delete from audit_log ${of_shop} and number = 2`, /line 2 is missing/],
  ['a missing first line', `delete from audit_log ${of_shop} and number = 1`, /line 1 is missing/],
  [
    'a reordered pair',
    `update audit_log set number = case number when 2 then 1000003 else 1000002 end
      ${of_shop} and number in (2, 3);
      update audit_log set number = number - 1000000 ${of_shop} and number > 1000000`,
    /line 2 was changed or moved/,
  ],
  ['a cut end', `delete from audit_log ${of_shop} and number > 3`, /lines 4 to 7 are missing/],
  [
    'a cut end with a head that was set back',
    `delete from audit_log ${of_shop} and number > 3;
      update audit_heads set number = 3, hash = (select hash from audit_log ${of_shop} and number = 3)
      ${of_shop}`,
    /the record of its end was changed/,
  ],
  [
    'a cut end without a head',
    `delete from audit_log ${of_shop} and number > 3; delete from audit_heads ${of_shop}`,
    /its end is not recorded/,
  ],
  [
    'an added line',
    `insert into audit_log select merchant_id, gen_random_uuid(), 8, action_id, kind, user_id,
      session_id, action, resource_id, details, created_on, hash from audit_log
      ${of_shop} and number = 7`,
    /line 8 was changed/,
  ],
])('doctor finds %s', async (_, statements, fault) => {
  await world.call('PATCH', '/me/user', { auth, body: { name: 'A' } })
  expect((await lines()).length).toBe(7)
  expect(await tamper('select 1')).toBe('')
  expect(await tamper(statements)).toMatch(fault)
})

test('doctor finds newest lines that were removed while an older head was put back', async () => {
  const { rows } = await world.store.pool.query(
    'select * from audit_heads where merchant_id = $1',
    [shop.id],
  )
  const { number, hash, seal } = rows[0]
  await world.call('PATCH', '/me/user', { auth, body: { name: 'A' } })
  const put_back = `delete from audit_log ${of_shop} and number > ${number};
    update audit_heads set number = ${number}, hash = '\\x${hash.toString('hex')}',
      seal = '\\x${seal.toString('hex')}' ${of_shop}`
  expect(await tamper(put_back)).toMatch(/is missing or was replaced: an older state was put back/)
  const { db, keys, config } = world.service
  const known = rememberedAnchor(config.data_dir)
  const anchored = (await newestAnchor(db))?.number ?? 0
  expect(known).toMatchObject({ number: anchored })
  // The chain is cut as well: only what is stored outside the database knows.
  const cut = `${put_back}; delete from audit_anchors where number > ${anchored - 2}`
  expect(await tamper(cut)).toBe('')
  expect(await tamper(cut, known ? [known] : [])).toMatch(
    new RegExp(`ends with entry ${anchored - 2}, but entry ${anchored} was written`),
  )
  expect(await auditFaults(db, keys, known ? [known] : [])).toEqual([])
})

test('the database itself refuses to change or delete lines', async () => {
  for (const text of [
    `update audit_log set action = 'x'`,
    'delete from audit_log',
    'truncate audit_log',
    'delete from audit_anchors',
  ]) {
    await expect(world.store.pool.query(text)).rejects.toThrow(/never changed/)
  }
})

test('an action that cannot be written to the log does not run', async () => {
  await world.store.pool.query('alter table audit_log rename to audit_log_away')
  const { name } = (await world.call('GET', '/me/user', { auth })).body
  const response = await world.call('PATCH', '/me/user', { auth, body: { name: 'Unseen' } })
  await world.store.pool.query('alter table audit_log_away rename to audit_log')
  expect(response.status).toBeGreaterThanOrEqual(500)
  expect((await world.call('GET', '/me/user', { auth })).body.name).toBe(name)
})

test('doctor finds a genuine line of another history: after a backup was restored, for example', async () => {
  const query = (text: string) => world.store.pool.query(text.replaceAll('SHOP', `'${shop.id}'`))
  const rename = (name: string) => world.call('PATCH', '/me/user', { auth, body: { name } })
  await query(`create table old_head as select * from audit_heads ${of_shop}`)
  await rename('First')
  await query(`create table old_line as select * from audit_log ${of_shop} and number = 7;
    alter table audit_log disable trigger user;
    delete from audit_log ${of_shop} and number > 5; delete from audit_heads ${of_shop};
    insert into audit_heads select * from old_head`)
  await rename('Second')
  const put_back = await auditFaults(world.service.db, world.service.keys)
  expect(put_back.join(' ')).toMatch(/an older state was put back/)
  await query(`delete from audit_log ${of_shop} and number = 7;
    insert into audit_log select * from old_line; alter table audit_log enable trigger user`)
  const faults = await auditFaults(world.service.db, world.service.keys)
  expect(faults.join(' ')).toContain('line 7 was changed or moved')
})
