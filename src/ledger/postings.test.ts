import { expect, test } from 'vitest'
import {
  authorizationHeld,
  authorizationReleased,
  captured,
  deposited,
  type NewLedgerTransaction,
  paidOut,
  refunded,
  sentBack,
} from './post.ts'

// The accounts that each event debits (first) and credits. A wrong account would still sum to zero.
const owner = { merchant_id: 'merchant', store_id: 'store', mode: 'test' } as const
const charge = { ...owner, id: 'charge', requested_amount: 1000, requested_currency: 'JPY' }
const jpy = (amount: number) => ({ amount, currency: 'JPY' })

const linesOf = (transactions: readonly NewLedgerTransaction[]) =>
  transactions.map(({ origin, kind, entries }) => [
    `${origin} ${kind}`,
    ...entries.map(({ account, currency, amount }) => `${account} ${amount} ${currency}`),
  ])
const none = { refund_id: null, deposit_id: null, transfer_id: null, note: null }

test.each([
  [
    'a hold',
    authorizationHeld(charge),
    ['charge authorization', 'authorization_hold 1000 JPY', 'authorized_by_customer -1000 JPY'],
    none,
  ],
  [
    'the end of a hold by a cancel',
    authorizationReleased(charge),
    ['cancel release', 'authorized_by_customer 1000 JPY', 'authorization_hold -1000 JPY'],
    none,
  ],
  [
    'the end of a hold by a capture',
    authorizationReleased(charge, 'charge'),
    ['charge release', 'authorized_by_customer 1000 JPY', 'authorization_hold -1000 JPY'],
    none,
  ],
  [
    'a refund',
    refunded(charge, { id: 'refund', ...jpy(300) }),
    ['refund refund', 'merchant_payable 300 JPY', 'provider_receivable -300 JPY'],
    { ...none, refund_id: 'refund' },
  ],
  [
    'a deposit',
    deposited(charge, { id: 'deposit', ...jpy(400) }),
    ['charge deposit', 'provider_receivable 400 JPY', 'suspense -400 JPY'],
    { ...none, deposit_id: 'deposit' },
  ],
  [
    'a deposit that goes back',
    sentBack(charge, { id: 'deposit', ...jpy(400) }),
    ['charge return', 'suspense 400 JPY', 'provider_receivable -400 JPY'],
    { ...none, deposit_id: 'deposit' },
  ],
])('%s', (_, transactions, lines, of) => {
  expect(linesOf(transactions)).toEqual([lines])
  expect(transactions).toMatchObject([{ ...owner, charge_id: 'charge', ...of }])
})

test('a capture is the sale and the fee; deposits pay it from the account that holds them', () => {
  const sale = ['charge capture', 'provider_receivable 1000 JPY', 'merchant_payable -1000 JPY']
  const fee = ['charge fee', 'merchant_payable 36 JPY', 'fee_income -36 JPY']
  expect(linesOf(captured(charge, { ...jpy(1000), fee: 36 }))).toEqual([sale, fee])
  expect(linesOf(captured(charge, { ...jpy(1000), fee: 0 }))).toEqual([sale])
  const paid = linesOf(captured(charge, { ...jpy(1000), fee: 0, from: 'suspense' }))
  expect(paid).toEqual([['charge capture', 'suspense 1000 JPY', 'merchant_payable -1000 JPY']])
})

test('a converted capture clears what was captured of the requested amount', () => {
  const usd = { ...charge, requested_currency: 'USD' }
  const conversion = (requested: number) => [
    'charge conversion',
    `conversion_requested ${requested} USD`,
    `fx_clearing ${-requested} USD`,
    'fx_clearing 1500 JPY',
    'conversion_charged -1500 JPY',
  ]
  const whole = linesOf(captured(usd, { ...jpy(1500), fee: 0 }))
  expect(whole.at(-1)).toEqual(conversion(1000))
  const part = linesOf(captured(usd, { ...jpy(1500), fee: 0, requested_amount: 400 }))
  expect(part.at(-1)).toEqual(conversion(400))
})

test('a payout settles each store separately; a store with nothing has no transaction', () => {
  const { merchant_id, mode } = owner
  const transfer = { merchant_id, mode, id: 'transfer', currency: 'JPY' }
  const paid = paidOut(transfer, [
    { store_id: 'sold', amount: 900 },
    { store_id: 'idle', amount: 0 },
    { store_id: 'refunded', amount: -100 },
  ])
  expect(linesOf(paid)).toEqual([
    ['manual payout', 'merchant_payable 900 JPY', 'paid_out -900 JPY'],
    ['manual payout', 'merchant_payable -100 JPY', 'paid_out 100 JPY'],
  ])
  expect(paid).toMatchObject(
    ['sold', 'refunded'].map((store_id) => ({
      ...none,
      merchant_id,
      mode,
      store_id,
      charge_id: null,
      transfer_id: 'transfer',
    })),
  )
})
