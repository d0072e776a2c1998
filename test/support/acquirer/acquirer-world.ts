import { afterAll, beforeAll, beforeEach } from 'vitest'
import { setCredentials } from '../../../src/accounts/provider-credentials/provider-credentials.ts'
import type { Capabilities, Provider } from '../../../src/providers/provider.ts'
import { type Payments, payments } from '../payments.ts'
import { newWorld, type TestMerchant, type World } from '../world.ts'
import { acquirer_secret, type FakeAcquirer, newFakeAcquirer } from './fake-acquirer.ts'

/** A card of live mode, which takes no test cards. */
export const card_number = '4532015112830366'

/** The conditions of a routing rule that every payment matches. */
export const any_payment = {
  payment_type: null,
  brand: null,
  currency: null,
  min_amount: null,
  max_amount: null,
  country: null,
}

/** The steps of tests about live payments at the fake acquirer. */
export interface AcquirerWorld {
  world: World
  shop: TestMerchant
  pay: Payments
  acquirer: FakeAcquirer
  /** Replaces the acquirer by one with other capabilities. */
  use(can?: Partial<Capabilities>): void
  /** Live payments go to the first of these that takes them. */
  useProviders(...others: Provider[]): void
  // biome-ignore lint/suspicious/noExplicitAny: tests look into rows of every shape
  rows(query: string, ...values: unknown[]): Promise<any[]>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  chargeNow(id: string): Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into rows of every shape
  storedCharge(id: string): Promise<any>
  /** A card charge of 1000 JPY that has been through the worker. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  settled(body?: object, data?: object): Promise<any>
  kindsSent(): string[]
  minutes(count: number): Promise<void>
}

/** One world for the file; a new live shop and a new acquirer for each test. */
export function useAcquirer(): AcquirerWorld {
  let simulators: readonly Provider[] = []
  const on = {
    use: (can = {}) => {
      on.acquirer = newFakeAcquirer(can)
      on.useProviders(on.acquirer.provider)
    },
    useProviders: (...others) => {
      Object.assign(on.world.service.providers, { all: [...simulators, ...others] })
    },
    rows: async (query, ...values) => (await on.world.store.pool.query(query, values)).rows,
    chargeNow: async (id) => (await on.pay.get(on.pay.chargePath(id))).body,
    storedCharge: async (id) => (await on.rows('select * from charges where id = $1', id))[0],
    settled: (body = {}, data = {}) => on.pay.settled(body, { data: { card_number, ...data } }),
    kindsSent: () => on.acquirer.calls.map(({ kind }) => kind).filter((kind) => kind !== 'inquire'),
    minutes: async (count) => {
      for (let passed = 0; passed < count; passed += 1) {
        on.world.clock.advance(60_000)
        await on.pay.work()
      }
    },
  } as AcquirerWorld

  beforeAll(async () => {
    on.world = await newWorld()
    simulators = on.world.service.providers.all
  })
  afterAll(() => on.world.close())
  beforeEach(async () => {
    on.world.clock.advance(60_000)
    on.use()
    on.shop = await on.world.merchant({ mode: 'live', verified: true })
    on.pay = payments(on.world, on.shop)
    await setCredentials(
      on.world.service,
      'acquirer',
      { merchant_id: on.shop.id, store_id: null },
      {
        account: 'of the merchant',
        notification_secret: acquirer_secret,
      },
    )
  })
  return on
}
