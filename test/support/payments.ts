import { expect } from 'vitest'
import { runAllDue } from '../../src/worker/worker.ts'
import type { ApiResponse, TestMerchant, World } from './world.ts'

/** The steps of tests about money: create a token, charge it, run the worker, read again. */
export interface Payments {
  token(body?: object, data?: object): Promise<ApiResponse>
  tokenId(body?: object, data?: object): Promise<string>
  charge(body?: object, options?: { token?: object; data?: object }): Promise<ApiResponse>
  /** A charge that the worker has processed. */
  settled(body?: object, options?: { token?: object; data?: object }): Promise<ApiResponse['body']>
  /** A charge of another payment type that waits for its customer. */
  waiting(payment_type: string, data: object, body?: object, token?: object): Promise<string>
  /** A charge of an online brand whose customer has paid. */
  paidOnline(brand?: string): Promise<string>
  work(): Promise<void>
  get(path: string): Promise<ApiResponse>
  post(path: string, body?: object): Promise<ApiResponse>
  patch(path: string, body?: object): Promise<ApiResponse>
  chargePath(id: string): string
}

export const good_card = '4242424242424242'

export function payments(world: World, shop: TestMerchant): Payments {
  const call = (method: string, path: string, body?: object) => {
    world.clock.advance(1000)
    return world.call(method, path, { auth: shop.as_store, ...(body ? { body } : {}) })
  }
  const token = (body: object = {}, data: object = {}) =>
    call('POST', '/tokens', {
      payment_type: 'card',
      email: 'customer@example.com',
      ...body,
      data: {
        cardholder: 'Taro Yamada',
        card_number: good_card,
        exp_month: '12',
        exp_year: '2030',
        cvv: '123',
        ...data,
      },
    })
  const tokenId = async (body: object = {}, data: object = {}) => {
    const created = await token(body, data)
    expect(created.status, created.text).toBe(201)
    return created.body.id as string
  }
  const charge: Payments['charge'] = async (body = {}, { token: wanted = {}, data = {} } = {}) =>
    call('POST', '/charges', {
      transaction_token_id: await tokenId(wanted, data),
      amount: 1000,
      currency: 'JPY',
      ...body,
    })
  const work = () => runAllDue(world.service)
  const chargePath = (id: string) => `/stores/${shop.store_id}/charges/${id}`
  const pay: Payments = {
    token,
    tokenId,
    charge,
    work,
    chargePath,
    waiting: async (payment_type, data, body = {}, wanted = {}) => {
      const email = 'customer@example.com'
      const created = await call('POST', '/tokens', { payment_type, email, ...wanted, data })
      expect(created.status, created.text).toBe(201)
      const money = { amount: 1000, currency: 'JPY' }
      const asked = { transaction_token_id: created.body.id, ...money, ...body }
      const charge = await call('POST', '/charges', asked)
      expect(charge.status, charge.text).toBe(201)
      await work()
      const found = await call('GET', chargePath(charge.body.id))
      expect(found.body.status, found.text).toBe('awaiting')
      return charge.body.id
    },
    paidOnline: async (brand = 'we_chat_online') => {
      const id = await pay.waiting('online', { brand, call_method: 'app' })
      await call('POST', `/test/charges/${id}/complete`, { outcome: 'successful' })
      await work()
      return id
    },
    settled: async (body, options) => {
      const created = await charge(body, options)
      expect(created.status, created.text).toBe(201)
      await work()
      return (await call('GET', chargePath(created.body.id))).body
    },
    get: (path) => call('GET', path),
    post: (path, body = {}) => call('POST', path, body),
    patch: (path, body = {}) => call('PATCH', path, body),
  }
  return pay
}
