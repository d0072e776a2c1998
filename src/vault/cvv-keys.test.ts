import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { payments } from '../../test/support/payments.ts'
import { simulatorOf } from '../../test/support/simulators.ts'
import { useMerchant, useWorld } from '../../test/support/use-world.ts'
import { start_of_time } from '../../test/support/world.ts'
import { cvv_life_ms, newCvvKeys } from './cvv-keys.ts'
import { SealBroken } from './seal.ts'

// A security code exists for one authorization, and for at most five minutes. Its key is a file that
// the database never sees: with the file gone, no copy of the ciphertext can be opened.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)
let folder: string
let now_ms: number
const clock = { now: () => now_ms, monotonic: () => now_ms }

beforeEach(async () => {
  now_ms = start_of_time
  if (folder) rmSync(folder, { recursive: true })
  folder = mkdtempSync(join(tmpdir(), 'kaikei-cvv-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
})

const keyFiles = (data_dir = folder) => readdirSync(join(data_dir, 'cvv-keys'))

test('a sealed value opens in its own context, and no two seals are alike', () => {
  const keys = newCvvKeys(folder, clock)
  const [one, other] = [keys.seal('token', '123'), keys.seal('token', '123')]
  expect(keys.open('token', one)).toBe('123')
  expect(one.equals(other)).toBe(false)
  expect(one.includes('123')).toBe(false)
})

test('moved to another token it does not open', () => {
  const keys = newCvvKeys(folder, clock)
  expect(() => keys.open('other', keys.seal('token', '123'))).toThrow(SealBroken)
})

test('any flipped byte is noticed, and what is cut off does not open', () => {
  const keys = newCvvKeys(folder, clock)
  const sealed = keys.seal('token', '123')
  for (let at = 0; at < sealed.length; at += 1) {
    const flipped = Buffer.from(sealed)
    flipped[at] = (flipped[at] ?? 0) ^ 1
    // The first eight bytes name the key: there is none of another minute.
    if (at < 8) expect(keys.open('token', flipped)).toBeNull()
    else expect(() => keys.open('token', flipped)).toThrow(SealBroken)
  }
  for (let length = 0; length < sealed.length; length += 1) {
    expect(() => keys.open('token', sealed.subarray(0, length))).toThrow(SealBroken)
  }
})

test('the key file is gone after five minutes, in memory and on disk', () => {
  const keys = newCvvKeys(folder, clock)
  const sealed = keys.seal('token', '123')
  now_ms += cvv_life_ms - 1
  keys.destroyOld()
  expect(keys.open('token', sealed)).toBe('123')
  now_ms += 1
  expect(keys.open('token', sealed)).toBeNull()
  expect(keyFiles()).toHaveLength(1)
  keys.destroyOld()
  expect(keyFiles()).toEqual([])
  now_ms = start_of_time
  expect(keys.open('token', sealed)).toBeNull()
})

test('one file a minute, and only old ones are destroyed', () => {
  const keys = newCvvKeys(folder, clock)
  const sealed = Array.from({ length: 7 }, (_, minute) => {
    now_ms = start_of_time + minute * 60_000
    return keys.seal('token', String(minute))
  })
  keys.destroyOld()
  expect(sealed.map((one) => keys.open('token', one))).toEqual([
    null,
    null,
    '2',
    '3',
    '4',
    '5',
    '6',
  ])
  expect(keyFiles()).toHaveLength(5)
})

test('two instances on one folder agree on the key', () => {
  const [one, other] = [newCvvKeys(folder, clock), newCvvKeys(folder, clock)]
  expect(other.open('token', one.seal('token', '123'))).toBe('123')
  expect(one.open('token', other.seal('token', '456'))).toBe('456')
  expect(keyFiles()).toHaveLength(1)
})

test('a key file that another process is about to rename is left alone; an old one is not', () => {
  const keys = newCvvKeys(folder, clock)
  keys.seal('token', '123')
  const slot = now_ms / 10_000
  const fresh = `.${slot}.4711`
  for (const name of [fresh, `.${slot - 30}.4711`, 'unknown']) {
    writeFileSync(join(folder, 'cvv-keys', name), '')
  }
  keys.destroyOld()
  expect(keyFiles().sort()).toEqual([fresh, String(slot)])
})

test.skipIf(process.platform === 'win32')('only the owner can read the keys', () => {
  newCvvKeys(folder, clock).seal('token', '123')
  expect(statSync(join(folder, 'cvv-keys')).mode & 0o777).toBe(0o700)
  for (const name of keyFiles()) {
    const path = join(folder, 'cvv-keys', name)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path)).toHaveLength(32)
  }
})

async function storedCvv(id: string): Promise<Buffer | null> {
  const { rows } = await world.store.pool.query(
    'select cvv from transaction_tokens where id = $1',
    [id],
  )
  return rows[0].cvv
}

/** The risk after a thief copied the database earlier. */
function expectGone(id: string, copied: Buffer): void {
  world.clock.advance(cvv_life_ms)
  world.service.cvv_keys.destroyOld()
  expect(world.service.cvv_keys.open(id, copied)).toBeNull()
  expect(keyFiles(world.service.config.data_dir)).toEqual([])
}

test.each<[string, object, object, string]>([
  ['approved', {}, {}, 'successful'],
  ['declined', {}, { card_number: '4000000000000002' }, 'failed'],
  ['broken', { email: 'x+charge-failure-501@example.com' }, {}, 'error'],
  ['timed out and resolved', { email: 'x+timeout@example.com' }, {}, 'successful'],
])(
  'after an authorization that was %s no security code is left',
  async (_, token, data, status) => {
    for (const type of ['one_time', 'recurring']) {
      const id = await pay.tokenId({ type, ...token }, data)
      const copied = await storedCvv(id)
      expect(copied && world.service.cvv_keys.open(id, copied)).toBe('123')
      const wanted = { transaction_token_id: id, amount: 1, currency: 'JPY' }
      const { body: charge } = await pay.post('/charges', wanted)
      await pay.work()
      world.clock.advance(2000)
      await pay.work()
      expect((await pay.get(pay.chargePath(charge.id))).body.status).toBe(status)
      expect(await storedCvv(id)).toBeNull()
      expectGone(id, copied ?? Buffer.alloc(0))
    }
  },
)

test('while the outcome of a charge stays unknown the code goes after five minutes', async () => {
  const { body: token } = await pay.token({ type: 'recurring' })
  const copied = await storedCvv(token.id)
  const card = simulatorOf(world.service, 'card')
  const { authorize, inquire } = card
  const silent = async () => ({ outcome: 'unknown', ask_again_ms: 1000 }) as const
  Object.assign(card, { authorize: silent, inquire: silent })
  try {
    const wanted = { transaction_token_id: token.id, amount: 1, currency: 'JPY' }
    expect((await pay.post('/charges', wanted)).status).toBe(201)
    await pay.work()
    expect(await storedCvv(token.id)).not.toBeNull()
    world.clock.advance(cvv_life_ms)
    await pay.work()
  } finally {
    Object.assign(card, { authorize, inquire })
  }
  expect(await storedCvv(token.id)).toBeNull()
  expectGone(token.id, copied ?? Buffer.alloc(0))
})

test('the worker purges the security code of a token that is never used', async () => {
  const id = await pay.tokenId({ type: 'recurring' })
  const copied = await storedCvv(id)
  await pay.work()
  expect(await storedCvv(id)).not.toBeNull()
  world.clock.advance(cvv_life_ms)
  await pay.work()
  expect(await storedCvv(id)).toBeNull()
  expectGone(id, copied ?? Buffer.alloc(0))
  const wanted = { transaction_token_id: id, amount: 1, currency: 'JPY' }
  const { body } = await pay.post('/charges', wanted)
  await pay.work()
  expect((await pay.get(pay.chargePath(body.id))).body.status).toBe('successful')
})

test('an Idempotency-Key stores no hash that depends on the security code', async () => {
  const create = (cvv: string | number, card_number = '4242424242424242') =>
    world.call('POST', '/tokens', {
      auth: shop.as_store,
      headers: { 'idempotency-key': 'order-1' },
      body: {
        payment_type: 'card',
        email: 'customer@example.com',
        data: { cardholder: 'Taro', card_number, exp_month: 12, exp_year: 2030, cvv },
      },
    })
  const first = await create('123')
  expect(first.status).toBe(201)
  const again = await create('456')
  expect([again.status, again.text]).toEqual([201, first.text])
  expect((await create('123', '5555555555554444')).body.code).toBe('IDEMPOTENCY_KEY_CONFLICT')
})
