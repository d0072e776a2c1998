import { createHash } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { payouts } from '../../../../test/support/payouts.ts'
import { useWorld } from '../../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../../test/support/world.ts'
import {
  createBankFile,
  previewBankFile,
  readStoredFile,
  type WantedFile,
} from './create-bank-file.ts'

const world = useWorld()
let wanted: WantedFile

beforeEach(() => {
  wanted = {
    sender: {
      code: '1234567890',
      name: 'ｶ)ｶｲｹｲ',
      bank_code: '0001',
      bank_name: '',
      branch_code: '001',
      branch_name: '',
      account_type: 'ordinary',
      account_number: '1234567',
    },
    day: '2026-01-30',
    mode: 'test',
    line_end: 'crlf',
  }
})

const account = {
  holder_name: '株式会社アオヤマフラワー',
  bank_name: 'みずほ銀行',
  branch_name: 'シブヤ',
  country: 'JP',
  currency: 'JPY',
  routing_number: '０００１－００２',
  account_number: '0123456',
  account_type: 'savings',
}

/** A merchant with an approved transfer. */
async function owed(amount: number, fields: object = account): Promise<[TestMerchant, string]> {
  const shop = await world.merchant()
  const body = { ...account, ...fields }
  const created = await world.call('POST', '/bank_accounts', { auth: shop.as_merchant, body })
  expect(created.status, created.text).toBe(201)
  const on = payouts(world, shop)
  await on.sell({ amount })
  const { id } = await on.onlyTransfer()
  await on.move(id, 'approve')
  return [shop, id]
}

async function statusOf(shop: TestMerchant, id: string): Promise<string> {
  return (await world.call('GET', `/transfers/${id}`, { auth: shop.as_merchant })).body.status
}

test('a file has each approved transfer once, as its merchant and the bank call it', async () => {
  const [shop, id] = await owed(9675)
  const [other, other_id] = await owed(120_000, {
    holder_name: 'ヤマダ ハナコ',
    account_number: '1000',
  })
  const sums = { count: 2, total: 129_675 }
  expect(await previewBankFile(world.service, wanted)).toEqual({ ...sums, warnings: [] })
  expect(await statusOf(shop, id)).toBe('approved')

  const { file, bytes } = await createBankFile(world.service, wanted)
  expect(file).toMatchObject({ transfers: 2, total: 129_675, day: '2026-01-30' })
  expect(file.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  const [, first = '', second = ''] = bytes.toString('latin1').split('\r\n')
  expect(first.slice(0, 5) + first.slice(20, 23) + first.slice(42, 50)).toBe(
    '20001' + '002' + '10123456',
  )
  expect(first.slice(5, 20).trim()).toBe('')
  expect(first.slice(80, 90)).toBe('0000009675')
  expect(first.slice(91, 106)).toBe(`TR-${id.slice(-12).toUpperCase()}`)
  expect(second.slice(42, 50)).toBe('10001000')
  expect(await statusOf(shop, id)).toBe('processing')
  expect(await statusOf(other, other_id)).toBe('processing')
  const { items } = (
    await world.call('GET', `/transfers/${id}/status_changes`, { auth: shop.as_merchant })
  ).body
  expect(items[0]).toMatchObject({ new_status: 'processing', reason: `bank file ${file.id}` })

  expect((await readStoredFile(world.service, file.id)).equals(bytes)).toBe(true)
  await expect(createBankFile(world.service, wanted)).rejects.toThrow('No transfer in yen')
  const { rows } = await world.store.pool.query('select line from bank_file_lines')
  expect(JSON.stringify(rows)).not.toContain('0123456')
  await expect(world.store.pool.query('update bank_files set total = 1')).rejects.toThrow('never')
})

test('two transfers of one amount to one account are named before a file is written', async () => {
  const [, one] = await owed(4321)
  const [, other] = await owed(4321)
  await owed(4322)
  const { warnings } = await previewBankFile(world.service, wanted)
  expect(warnings).toEqual([`The transfers ${one} and ${other} pay one amount to one account.`])
  await createBankFile(world.service, wanted)
})

test('two files at the same time never have the same transfer', async () => {
  await owed(1000)
  await owed(2000)
  const made = await Promise.allSettled(
    Array.from({ length: 8 }, () => createBankFile(world.service, wanted)),
  )
  const files = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value.file] : []))
  expect(files).toMatchObject([{ transfers: 2, total: 3000 }])
})

test('one that cannot be written stops the file, and every such transfer is named', async () => {
  const [fine, fine_id] = await owed(500)
  const [, kanji] = await owed(700, { holder_name: '青山花子' })
  const [, codeless] = await owed(800, { routing_number: null })
  const [, foreign] = await owed(900, { country: 'US' })
  const refused = createBankFile(world.service, wanted)
  await expect(refused).rejects.toThrow('No file was written.')
  await expect(refused).rejects.toThrow(new RegExp(`${kanji}.*青 山 花 子.*katakana`))
  await expect(refused).rejects.toThrow(new RegExp(`${codeless}.*0001-001`))
  await expect(refused).rejects.toThrow(new RegExp(`${foreign}.*not in Japan`))
  expect(await statusOf(fine, fine_id)).toBe('approved')
})

test.each([
  ['2026-01-14', 'is past'],
  ['2026-01-18', 'The next day is 2026-01-19'],
  ['2026-02-11', 'The next day is 2026-02-12'],
  ['30.1.2026', 'must be a day'],
])('no file is written for %s', async (day, why) => {
  await expect(createBankFile(world.service, { ...wanted, day })).rejects.toThrow(why)
})
