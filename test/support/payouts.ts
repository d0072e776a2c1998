import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { patchMerchant } from '../../src/accounts/merchants/patch-merchant.ts'
import {
  createTransfers,
  type NewTransfers,
} from '../../src/commerce/transfers/create-transfers.ts'
import { moveTransfer, type TransferAction } from '../../src/commerce/transfers/move-transfer.ts'
import type { Transfer } from '../../src/commerce/transfers/transfer.ts'
import type { Mode } from '../../src/core/access/caller.ts'
import { captured, type LedgerCharge, postLedger, refunded } from '../../src/ledger/post.ts'
import { inTransaction, type Service } from '../../src/service.ts'
import type { TestMerchant, World } from './world.ts'

export interface Sale {
  amount?: number
  currency?: string
  fee?: number
  store_id?: string
  mode?: Mode
}

/**
 * The steps of tests about payouts. Sales are posted to the ledger directly, each a second later than
 * the previous one: transfers pay what the ledger says.
 */
export function payouts(world: World, shop: TestMerchant) {
  function newCharge({ amount = 1000, currency = 'JPY', ...of }: Sale): LedgerCharge {
    const { store_id = shop.store_id, mode = 'test' } = of
    const asked = { requested_amount: amount, requested_currency: currency }
    return { merchant_id: shop.id, store_id, mode, id: randomUUID(), ...asked }
  }

  async function sell(sale: Sale = {}, service: Service = world.service): Promise<string[]> {
    world.clock.advance(1000)
    const { amount = 1000, currency = 'JPY', fee = 0 } = sale
    const money = { amount, currency, fee }
    return inTransaction(service, (tx) => postLedger(tx, captured(newCharge(sale), money)))
  }

  async function refund(
    amount: number,
    sale: Sale = {},
    service: Service = world.service,
  ): Promise<string[]> {
    world.clock.advance(1000)
    const money = { id: randomUUID(), amount, currency: sale.currency ?? 'JPY' }
    return inTransaction(service, (tx) => postLedger(tx, refunded(newCharge(sale), money)))
  }

  const create = (given: Partial<NewTransfers> = {}, service: Service = world.service) => {
    world.clock.advance(1000)
    return createTransfers(service, { merchant_id: shop.id, started_by: 'operator', ...given })
  }

  async function onlyTransfer(given: Partial<NewTransfers> = {}): Promise<Transfer> {
    const created = await create(given)
    expect(created).toHaveLength(1)
    return created[0] as Transfer
  }

  async function move(id: string, ...actions: TransferAction[]): Promise<void> {
    for (const action of actions) {
      world.clock.advance(1000)
      await moveTransfer(world.service, id, action, `to ${action}`)
    }
  }

  const configure = (configuration: object) =>
    patchMerchant(world.service, shop.id, { configuration }, 'operator')
  const get = (path: string, auth = shop.as_merchant) => world.call('GET', path, { auth })

  return { sell, refund, create, onlyTransfer, move, configure, get }
}

export type Payouts = ReturnType<typeof payouts>

/** The same service at another time, which dates its sales. */
export function serviceAt(world: World, ms: number): Service {
  const clock = { ...world.clock, now: () => ms }
  return { ...world.service, clock, clocks: { ...world.service.clocks, of: () => clock } }
}
