import { expect } from 'vitest'
import { good_card, type Payments, payments } from '../payments.ts'
import type { ApiResponse, TestMerchant, World } from '../world.ts'

export const customer_email = 'customer@example.com'

/** The steps of tests about checkout: a shop that creates sessions, and customers on their pages. */
export interface Checkouts extends Payments {
  session(body?: object): Promise<ApiResponse['body']>
  read(id: string): Promise<ApiResponse['body']>
  /** What the page of a session sends. */
  send(
    url: string,
    what: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<ApiResponse>
  payByCard(url: string, data?: object): Promise<ApiResponse>
  state(url: string): Promise<ApiResponse['body']>
}

export const card_data = {
  cardholder: 'Taro Yamada',
  card_number: good_card,
  exp_month: '12',
  exp_year: '2030',
  cvv: '123',
}

export function checkouts(world: World, shop: TestMerchant): Checkouts {
  const pay = payments(world, shop)
  const pathOf = (url: string) => new URL(url).pathname
  const send: Checkouts['send'] = (url, what, body = {}, headers = {}) =>
    world.call('POST', `${pathOf(url)}/${what}`, { body, headers })
  return {
    ...pay,
    send,
    session: async (body = {}) => {
      const created = await pay.post('/checkout_sessions', {
        amount: 1000,
        currency: 'JPY',
        ...body,
      })
      expect(created.status, created.text).toBe(201)
      return created.body
    },
    read: async (id) => (await pay.get(`/stores/${shop.store_id}/checkout_sessions/${id}`)).body,
    payByCard: (url, data = {}) =>
      send(url, 'payments', {
        payment_type: 'card',
        email: customer_email,
        data: { ...card_data, ...data },
      }),
    state: async (url) => (await world.call('GET', `${pathOf(url)}/state`)).body,
  }
}

/** The n-th of many valid card numbers. */
export function cardNumber(n: number): string {
  const head = `42424242${String(n).padStart(7, '0')}`
  const sum = [...head].reduceRight((all, digit, index) => {
    const twice = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return all + (twice > 9 ? twice - 9 : twice)
  }, 0)
  return `${head}${(10 - (sum % 10)) % 10}`
}
