import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BookAcquirer, newBookAcquirer } from '../../test/support/acquirer/book-acquirer.ts'
import { enrol, loginToken, newUser, password } from '../../test/support/console-users.ts'
import { payments } from '../../test/support/payments.ts'
import { payouts } from '../../test/support/payouts.ts'
import { useWorld } from '../../test/support/use-world.ts'
import type { TestMerchant } from '../../test/support/world.ts'
import { addConnector } from '../accounts/connectors/connectors-store.ts'
import { queueMail } from '../accounts/mails/mail.ts'
import { setCredentials } from '../accounts/provider-credentials/provider-credentials.ts'
import { createBankFile } from '../commerce/transfers/bank-files/create-bank-file.ts'
import { installation_id } from '../core/ids.ts'
import { inTransaction } from '../service.ts'
import type { Db } from '../store/tables/db.ts'
import { newKeyText, readKeys } from './key-ring.ts'
import { resealAll } from './rotate.ts'
import { sealed_columns, sealedFaults } from './sealed-values.ts'

// One row of everything that is sealed, created by the service itself. Damage is done by SQL and undone
// at the end of each test.
const world = useWorld()
let acquirer: BookAcquirer
let shop: TestMerchant

beforeAll(async () => {
  shop = await world.merchant()
  await sealEverything()
})
afterAll(async () => {
  await acquirer.die()
})

async function make(path: string, body: object, auth: string, headers = {}) {
  world.clock.advance(1000)
  const created = await world.call('POST', path, { auth, body, headers })
  expect(created.status, created.text).toBe(201)
  return created.body
}

async function sealEverything(): Promise<void> {
  const pay = payments(world, shop)
  const { as_merchant: auth, as_store } = shop
  await pay.tokenId({ type: 'recurring' })
  const webhook = { url: 'https://shop.example/hook', triggers: ['charge_finished'] }
  const { id } = await make('/webhooks', { ...webhook, auth_token: 'secret' }, auth)
  await make(`/webhooks/${id}/secret`, {}, auth)
  const account = { holder_name: 'K', bank_name: 'B', country: 'JP', currency: 'JPY' }
  const routing_number = '0001-001'
  await make('/bank_accounts', { ...account, routing_number, account_number: '1234567' }, auth)
  await makeBankFile()
  const charge = await pay.paidOnline()
  const person = { certificate_id: '11010519491231002X', certificate_name: 'Li' }
  const declaration = { customs: 'SHANGHAI_ZS', merchant_customs_no: '1', ...person }
  await make(`${pay.chargePath(charge)}/customs`, { declaration }, as_store)
  const dispute = await make(`/test/charges/${(await pay.settled()).id}/disputes`, {}, as_store)
  const of_dispute = `/stores/${shop.store_id}/disputes/${dispute.id}`
  await pay.patch(of_dispute, { evidence: { explanation: 'Delivered.' } })
  const file = { name: 'a.txt', content_type: 'text/plain', content: 'aGVsbG8=' }
  await make(`${of_dispute}/files`, file, as_store)
  await makeUser()
  await inTransaction(world.service, (tx) =>
    queueMail(tx, {
      merchant_id: shop.id,
      to: 'a@b.example',
      lang: 'en',
      name: 'password_changed',
    }),
  )
  const owner = { merchant_id: shop.id, store_id: null }
  await setCredentials(world.service, 'acquirer', owner, { key: 'secret' })
  acquirer = await newBookAcquirer()
  const settings = { url: acquirer.url, account: 'main' }
  await addConnector(world.service, { name: 'tokyo', kind: 'book', owner: null, settings })
  const phone_number = { country_code: 81, local_number: '312345678' }
  const company_contact_info = {
    ...{ name: 'A', company_name: 'B', phone_number, line1: 'C', city: 'D', state: 'E' },
    ...{ country: 'JP', zip: '100-0001' },
  }
  const company = { homepage_url: 'https://shop.example', company_description: 'Shop' }
  await make('/verification', { ...company, company_contact_info, business_type: 'shop' }, auth)
  await make('/stores', { name: 'Second' }, auth, { 'idempotency-key': 'a' })
}

async function makeBankFile(): Promise<void> {
  const on = payouts(world, shop)
  await on.sell()
  await on.move((await on.onlyTransfer()).id, 'approve')
  const of_bank = { bank_code: '0001', bank_name: '', branch_code: '001', branch_name: '' }
  const account = { account_type: 'ordinary', account_number: '1234567' } as const
  const sender = { code: '1234567890', name: 'K', ...of_bank, ...account }
  await createBankFile(world.service, { sender, day: null, mode: 'test', line_end: 'crlf' })
}

/** With an authenticator app, and a second one that is not confirmed yet. */
async function makeUser(): Promise<void> {
  const { email } = await newUser(world, shop)
  const { code } = await enrol(world, email)
  world.clock.advance(60_000)
  const auth = await loginToken(world, email, { totp: code() })
  world.clock.advance(60_000)
  await make('/me/totp', { password, totp: code() }, auth)
}

const faults = (db: Db = world.service.db) => sealedFaults(db, world.service.keys)

async function damaged(work: (db: Db) => Promise<unknown>): Promise<string[]> {
  const found: string[] = []
  const undone = world.service.db.transaction().execute(async (db) => {
    await work(db)
    found.push(...(await faults(db)))
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  return found
}

test('every column of bytes is sealed and checked, or is a hash, a key check or a security code', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' order by 1`.execute(world.service.db)
  const not_sealed = [
    ...['app_tokens.secret_hash', 'bank_accounts.fingerprint', 'charges.card_fingerprint'],
    ...['idempotency_records.fingerprint', 'key_checks.check_value', 'password_links.token_hash'],
    ...['token_confirmations.code_hash', 'transaction_tokens.card_fingerprint'],
    'reconciliation_runs.digest',
    ...['audit_anchors.audit_hash', 'audit_anchors.hash', 'audit_heads.hash', 'audit_heads.seal'],
    ...['audit_log.hash', 'console_links.token_hash'],
    // Sealed under its own key, which is destroyed after five minutes.
    'transaction_tokens.cvv',
  ]
  const sealed = sealed_columns.map(({ table, column }) => `${table}.${column}`)
  expect(rows.map(({ name }) => name).sort()).toEqual([...sealed, ...not_sealed].sort())
})

test('everything that the service has sealed opens', async () => {
  for (const { table, column } of sealed_columns) {
    const { rows } = await sql`select 1 from ${sql.table(table)}
      where ${sql.ref(column)} is not null`.execute(world.service.db)
    expect([table, column, rows.length > 0]).toEqual([table, column, true])
  }
  expect(await faults()).toEqual([])
})

const places = sealed_columns.map(({ table, column }) => [table, column] as const)

test.each(places)('a damaged value of %s.%s is reported', async (table, column) => {
  const value = sql.ref(column)
  const found = await damaged((db) =>
    sql`update ${sql.table(table)} set ${value} = set_byte(${value}, octet_length(${value}) - 1,
      get_byte(${value}, octet_length(${value}) - 1) # 1)`.execute(db),
  )
  const owner = table === 'connectors' ? installation_id : shop.id
  expect(found).toEqual([
    expect.stringMatching(
      `^Values of ${table}\\.${column} that .* cannot open: \\d+ of \\d+ .* of merchant ${owner}`,
    ),
  ])
})

test.each(places)('an unknown key in %s.%s is reported', async (table, column) => {
  const value = sql.ref(column)
  const found = await damaged((db) =>
    sql`update ${sql.table(table)}
      set ${value} = overlay(${value} placing ${Buffer.from('deadbeef')} from 3)`.execute(db),
  )
  expect(found).toEqual([
    expect.stringMatching(
      `^Values of ${table}\\.${column} that cannot be opened.*"deadbeef", which is not given: \\d+`,
    ),
  ])
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['one byte', Buffer.from([1])],
  ['bytes that are no text', Buffer.from([1, 200, 0, 255, 254])],
])('%s instead of a sealed value is reported, not fallen over', async (_, bytes) => {
  const found = await damaged((db) =>
    sql`update transaction_tokens set card_number = ${bytes} where card_number is not null`.execute(
      db,
    ),
  )
  expect(found).toEqual([
    expect.stringContaining('transaction_tokens.card_number that cannot be opened'),
  ])
})

test('application tokens of a signing key that is not there are reported', async () => {
  const found = await damaged((db) =>
    sql`update app_tokens set signing_key_id = 'gone' where id = ${shop.token_id}`.execute(db),
  )
  expect(found).toEqual([
    'Application tokens that need the signing key "gone", which is not given: 1, for example ' +
      `${shop.token_id}. Restore the keys.json that holds it, or add the key to the end of SIGNING_KEYS.`,
  ])
})

test('values of an old key are opened with it, and reported without it', async () => {
  const { config, db, keys } = world.service
  const old = config.vault_keys ?? ''
  const both = readKeys({ ...config, vault_keys: `${newKeyText()},${old}` })
  const undone = db.transaction().execute(async (tx) => {
    await resealAll(tx, both.vault)
    expect(await sealedFaults(tx, both)).toEqual([])
    const found = (await sealedFaults(tx, keys)).join('\n')
    for (const { table, column } of sealed_columns.slice(0, -1)) {
      expect(found).toContain(`Values of ${table}.${column} that cannot be opened`)
    }
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
})
