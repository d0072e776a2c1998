import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type TransferAction,
  transfer_actions,
} from '../../../src/commerce/transfers/move-transfer.ts'
import { nextState, type StateOf } from '../../../src/core/payments/states.ts'
import { transfer_rules } from '../../../src/doctor/money-rules/transfer-rules.ts'
import { payouts } from '../../support/payouts.ts'
import { ledgerFaults, readBalances } from '../../support/rules/ledger-checks.ts'
import { useWorld } from '../../support/use-world.ts'

// Any order of sales, refunds and transfers: a small model knows what is owed and paid.
const world = useWorld()

const least = 500
const currencies = ['JPY', 'USD'] as const
type Currency = (typeof currencies)[number]

interface ModelTransfer {
  id: string
  currency: Currency
  sales: number[]
  status: StateOf<'transfer'>
}

const currency = fc.constantFrom(...currencies)
const amount = fc.integer({ min: 1, max: 1000 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('sell' as const), currency, amount, second: fc.boolean() }),
  fc.record({ kind: fc.constant('refund' as const), currency, amount, second: fc.boolean() }),
  fc.record({ kind: fc.constant('create' as const) }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      which: fc.nat({ max: 3 }),
      pick: fc.nat(),
      is_allowed: fc.boolean(),
    }),
  },
)

/** Half of the time something that the state allows: otherwise few transfers would get far. */
function actionFor(
  status: StateOf<'transfer'>,
  { pick, is_allowed }: { pick: number; is_allowed: boolean },
): TransferAction {
  const allowed = transfer_actions.filter((one) => nextState('transfer', status, one))
  const actions = is_allowed && allowed.length > 0 ? allowed : transfer_actions
  return actions[pick % actions.length] ?? 'approve'
}

const sumOf = (amounts: number[]) => amounts.reduce((sum, one) => sum + one, 0)

test('whatever happens, each sale is paid once and the rest is still owed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const shop = await world.merchant()
      const on = payouts(world, shop)
      await on.configure({ min_transfer_payout: { amount: least, currency: 'JPY' } })
      const second_store = crypto.randomUUID()
      const open: Record<Currency, number[]> = { JPY: [], USD: [] }
      const transfers: ModelTransfer[] = []
      const isEnough = (of: Currency) => sumOf(open[of]) >= (of === 'JPY' ? least : 1)

      for (const one of steps) {
        if (one.kind === 'sell' || one.kind === 'refund') {
          const sale = { ...one, store_id: one.second ? second_store : shop.store_id }
          if (one.kind === 'sell') await on.sell(sale)
          else await on.refund(one.amount, sale)
          open[one.currency].push(one.kind === 'sell' ? one.amount : -one.amount)
        } else if (one.kind === 'create') {
          const made = await on.create()
          const expected = currencies.filter(isEnough)
          expect(made.map((transfer) => [transfer.currency, transfer.amount])).toEqual(
            expected.map((of) => [of, sumOf(open[of])]),
          )
          for (const [index, of] of expected.entries()) {
            const id = made[index]?.id ?? ''
            transfers.push({ id, currency: of, sales: open[of], status: 'created' })
            open[of] = []
          }
        } else {
          const transfer = transfers[one.which % (transfers.length || 1)]
          if (!transfer) continue
          const action = actionFor(transfer.status, one)
          const status = nextState('transfer', transfer.status, action)
          const moved = on.move(transfer.id, action)
          if (!status) await expect(moved).rejects.toThrow('is not possible')
          else await moved
          transfer.status = status ?? transfer.status
          if (status === 'failed' || status === 'canceled') {
            open[transfer.currency].push(...transfer.sales)
          }
        }
      }

      const balances = await readBalances(world.service, shop.id)
      const total = (account: string, of: Currency) =>
        sumOf(
          balances
            .filter((row) => row.account === account && row.currency === of)
            .map(({ balance }) => -balance),
        )
      for (const of of currencies) {
        const part = (isPart: (transfer: ModelTransfer) => boolean) =>
          sumOf(
            transfers
              .filter((one) => one.currency === of && isPart(one))
              .flatMap(({ sales }) => sales),
          )
        const on_its_way = part(({ status }) => /created|approved|processing/.test(status))
        expect(total('paid_out', of)).toBe(part(({ status }) => status === 'paid'))
        expect(total('merchant_payable', of)).toBe(sumOf(open[of]) + on_its_way)
      }
    }),
    { numRuns: 60 },
  )
  for (const { check, rule } of transfer_rules) {
    expect(await rule(world.service.db), check).toEqual([])
  }
  expect(await ledgerFaults(world.service.db)).toEqual([])
})
