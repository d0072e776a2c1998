import Type from 'typebox'
import type { Caller } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import type { Service } from '../../service.ts'
import { HistoryQuery, type HistoryRow } from './history.ts'
import { readHistory } from './read-history.ts'

/** The filters of the list, without those of its pages. */
export const TotalsQuery = Type.Omit(HistoryQuery, ['limit', 'cursor', 'cursor_direction'])
type TotalsQuery = Omit<HistoryQuery, 'limit' | 'cursor' | 'cursor_direction'>

/** The newest charges and the newest refunds that are added up. */
const max_rows = 10_000

export const HistoryTotals = named(
  'HistoryTotals',
  Type.Object({
    count: described(Type.Integer(), 'The number of charges and refunds that were added up.'),
    is_complete: described(
      Type.Boolean(),
      'Whether these are all; otherwise there are more, and only the newest were added up.',
    ),
    items: described(
      Type.Array(
        named(
          'HistoryTotal',
          Type.Object({
            currency: common.currency,
            count: described(Type.Integer(), 'The number of charges and refunds.'),
            successful: described(Type.Integer(), 'The number of successful charges.'),
            amount: described(Type.Integer(), 'The sum of the successful charges.'),
            refunded_amount: described(
              Type.Integer(),
              'The refunded part of these charges; of a list of refunds, the sum of the successful ones.',
            ),
          }),
          'The sums of a currency.',
        ),
      ),
      'The sums by currency, the most frequent first.',
    ),
  }),
  'The sums of a list of charges and refunds.',
)

/** Adds up the newest charges and refunds that match, at most a fixed number of each. */
export async function readTotals(
  service: Service,
  caller: Caller,
  store_id: string | null,
  filter: TotalsQuery,
) {
  let is_complete = true
  const onCut = () => {
    is_complete = false
  }
  const query = { ...filter, limit: max_rows, cursor_direction: 'desc' } as const
  const kinds = filter.type ? [filter.type] : (['charge', 'refund'] as const)
  const found = await Promise.all(
    kinds.map((kind) => readHistory(service, caller, store_id, query, kind, onCut)),
  )
  const by_id = new Map(found.flat().map((row) => [row.id, row]))
  if (found.some((rows) => rows.length > max_rows)) onCut()
  const sums = new Map<string, ReturnType<typeof newSum>>()
  for (const row of by_id.values()) {
    const sum = sums.get(row.currency) ?? newSum(row.currency)
    sums.set(row.currency, sum)
    add(sum, row, filter.type === 'refund')
  }
  const items = [...sums.values()].sort((a, b) => b.count - a.count)
  return { count: by_id.size, is_complete, items }
}

const newSum = (currency: string) => ({
  currency,
  count: 0,
  successful: 0,
  amount: 0,
  refunded_amount: 0,
})

/** Beside their charges, refunds are counted only: the charge says what of it was refunded. */
function add(sum: ReturnType<typeof newSum>, row: HistoryRow, of_refunds: boolean): void {
  sum.count += 1
  if (row.status !== 'successful') return
  if (row.type === 'refund') {
    if (of_refunds) sum.refunded_amount += row.amount
    return
  }
  sum.successful += 1
  sum.amount += row.amount
  if (row.refunded_currency === row.currency) sum.refunded_amount += row.refunded_amount ?? 0
}
