import { expect } from 'vitest'
import type { MatchAmount } from '../../src/core/payments/match-amounts.ts'
import type { Payments } from './payments.ts'
import { readBalances } from './rules/ledger-checks.ts'
import { paymentFaults } from './rules/payment-checks.ts'
import type { TestMerchant, World } from './world.ts'

/** Everything visible of a charge by bank transfer, in short words. */
export interface Seen {
  /** `successful 1000`, or the code of its error. */
  charge: string
  /** In the order of arrival: `held 400`, `applied 1000, returned 5 surplus`. */
  deposits: string[]
  /** The merchant's view, oldest first, such as `deposit 1000 -> 1000`. */
  statement: string[]
  /** The events of the merchant: `insufficient 400 (400 -600)`: latest, balance, difference. */
  told: string[]
  /** Nonzero accounts of the shop. */
  ledger: Record<string, number>
}

/** The steps of tests about deposits. A charge is open for half an hour. */
export interface Deposits {
  transfer(match_amount?: MatchAmount | null, body?: object): Promise<string>
  atTheTill(): Promise<string>
  /** Money arrives; the service is not notified yet. */
  pay(id: string, amount: number, name?: string): Promise<void>
  /** Money arrives, and the service is notified. */
  arrive(id: string, amount: number, name?: string): Promise<void>
  depositsOf(id: string): Promise<string[]>
  reportedOf(id: string): Promise<string[]>
  ledger(): Promise<Record<string, number>>
  seen(id: string): Promise<Seen>
}

export const bank = { brand: 'aozora_bank', expiration_period: 'PT30M' }
export const till = {
  customer_name: 'Hanako',
  convenience_store: 'lawson',
  phone_number: { country_code: '81', local_number: '9012345678' },
  expiration_period: 'PT30M',
}

export function deposits(world: World, shop: TestMerchant, pay: Payments): Deposits {
  const rows = async (query: string, ...values: unknown[]) =>
    (await world.store.pool.query(query, values)).rows

  async function payIn(id: string, amount: number, name?: string): Promise<void> {
    const body = { amount, ...(name ? { name } : {}) }
    const created = await pay.post(`/test/charges/${id}/deposits`, body)
    expect(created.status, created.text).toBe(201)
  }

  async function depositsOf(id: string): Promise<string[]> {
    const found = await rows('select * from deposits where charge_id = $1 order by id', id)
    return found.map(({ status, amount, applied_amount, return_amount, return_reason }) => {
      if (status === 'held') return `held ${amount}`
      const applied = applied_amount > 0 ? `applied ${applied_amount}` : ''
      const back = return_amount > 0 ? `${status} ${return_amount} ${return_reason}` : ''
      return [applied, back].filter(Boolean).join(', ')
    })
  }

  async function statementOf(id: string): Promise<string[]> {
    const path = `${pay.chargePath(id)}/bank_transfer_ledgers`
    const query = { limit: '100' }
    const { status, body, text } = await world.call('GET', path, { auth: shop.as_merchant, query })
    expect(status, text).toBe(200)
    const lines = body.items.map(
      (one: { bank_ledger_type: string; amount: number; balance: number }) =>
        `${one.bank_ledger_type} ${one.amount} -> ${one.balance}`,
    )
    return lines.reverse()
  }

  async function reportedOf(id: string): Promise<string[]> {
    const found = await rows(
      `select data from events where resource_id = $1
         and name = 'bank_transfer_status_updated' order by sequence`,
      id,
    )
    return found.map(({ data }) => {
      const { payment_status, latest_deposit_amount, balance, amount_difference } = data
      return `${payment_status} ${latest_deposit_amount} (${balance} ${amount_difference})`
    })
  }

  async function ledger(): Promise<Record<string, number>> {
    const balances = await readBalances(world.service, shop.id)
    const used = balances.filter(({ balance }) => balance !== 0)
    return Object.fromEntries(used.map(({ account, balance }) => [account, balance]))
  }

  return {
    transfer: (match_amount = null, body = {}) =>
      pay.waiting('bank_transfer', { ...bank, ...(match_amount ? { match_amount } : {}) }, body),
    atTheTill: () => pay.waiting('konbini', till),
    pay: payIn,
    arrive: async (id, amount, name) => {
      await payIn(id, amount, name)
      await pay.work()
    },
    depositsOf,
    reportedOf,
    ledger,
    seen: async (id) => {
      const { status, charged_amount, error } = (await pay.get(pay.chargePath(id))).body
      expect(await paymentFaults(world)).toEqual([])
      return {
        charge: [status, charged_amount ?? error?.code].filter(Boolean).join(' '),
        deposits: await depositsOf(id),
        statement: await statementOf(id),
        told: await reportedOf(id),
        ledger: await ledger(),
      }
    },
  }
}
