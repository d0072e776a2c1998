import {
  type Fault,
  newId,
  type Params,
  type Recorded,
  type StoredRefund,
} from './stripe-double-parts.ts'

/** The fee of a payment, and of a dispute. */
export const double_fees = { payment: 36, dispute: 1500 } as const

interface Booked {
  readonly id: string
  readonly object: 'balance_transaction'
  readonly amount: number
  readonly fee: number
  readonly net: number
  readonly currency: string
  readonly created: number
  readonly type: string
  readonly reporting_category: string
  readonly source: object
}

type Entry = Pick<Booked, 'amount' | 'fee' | 'currency' | 'type' | 'source'> & {
  readonly category: string
}

const local_types: readonly string[] = ['konbini', 'customer_balance', 'paypay']

/** The balance of the account at the double: what was recorded, the newest first. */
export function newBalance(faults: ReadonlySet<Fault>, now: () => number) {
  const booked: Booked[] = []
  let lists = 0

  function book({ category, ...entry }: Entry): Booked {
    const made: Booked = {
      id: newId('txn'),
      object: 'balance_transaction',
      ...entry,
      net: entry.amount - entry.fee,
      created: Math.floor(now() / 1000),
      reporting_category: category,
    }
    booked.unshift(made)
    return made
  }

  function chargeOf({
    id,
    amount,
    received,
    currency,
    metadata,
    types,
    customer,
  }: Recorded): object {
    const payment_method_details = { type: types[0] }
    const of = { payment_intent: id, metadata, payment_method_details, customer }
    return { id: `ch_${id}`, object: 'charge', amount, amount_captured: received, currency, ...of }
  }

  return {
    book,
    /** What is captured in part is recorded whole, and the rest is taken back. */
    bookPayment: (one: Recorded) => {
      const { amount, received, currency, types } = one
      const type = local_types.includes(types[0] ?? '') ? 'payment' : 'charge'
      const source = chargeOf(one)
      const fee = double_fees.payment
      book({ amount, fee, currency, type, source, category: 'charge' })
      if (received >= amount) return
      const rest = { amount: received - amount, fee: 0, currency, type: 'refund', source }
      book({ ...rest, category: 'partial_capture_reversal' })
    },
    bookRefund: (refund: StoredRefund) => {
      const { amount, currency } = refund
      const source = { object: 'refund', ...refund }
      book({ amount: -amount, fee: 0, currency, type: 'refund', source, category: 'refund' })
    },
    /** Stripe pays out what is left: that is no line of a payment. */
    bookPayout: (amount: number) =>
      book({
        ...{ amount: -amount, fee: 0, currency: 'jpy', type: 'payout', category: 'payout' },
        source: { id: newId('po'), object: 'payout' },
      }),
    list: (params: Params) => {
      const since = Number(params['created[gte]'] ?? 0)
      const after = faults.has('repeats_pages') ? undefined : params.starting_after?.split('r')[0]
      lists += 1
      const all = booked.filter(({ created }) => created >= since)
      const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
      // Pages are small, so that there are several.
      const data = all.slice(from, from + 5)
      const renamed = faults.has('renames_lines')
        ? data.map((one) => ({ ...one, id: `${one.id}r${lists}` }))
        : data
      const has_more = from + 5 < all.length
      return { object: 'list', url: '/v1/balance_transactions', has_more, data: renamed }
    },
  }
}

export type DoubleBalance = ReturnType<typeof newBalance>
