import { requireStore } from '../../accounts/stores/store.ts'
import { operation, type Route } from '../../api/routes/operation.ts'
import { list_paths, ownerName } from '../../api/routes/store-paths.ts'
import { type FieldError, fail } from '../../core/api/errors.ts'
import { formats } from '../../core/typed/formats.ts'
import { HistoryPage, HistoryQuery, history_statuses, listHistory } from './history.ts'
import { HistoryTotals, readTotals, TotalsQuery } from './history-totals.ts'

export const historyRoutes: readonly Route[] = [
  ...list_paths.map((prefix) =>
    operation({
      at: `GET ${prefix}/transaction_history`,
      id: `list${ownerName(prefix)}TransactionHistory`,
      client: 'history.list',
      tag: 'transaction history',
      summary: 'List charges and refunds',
      text: 'Charges and refunds in one list, the newest first.',
      right: 'settings',
      query: HistoryQuery,
      responses: { 200: HistoryPage },
      handle: async ({ service, caller, params, query }) => {
        const { store_id } = params
        checkHistoryQuery(query)
        if (store_id) await requireStore(service, caller, store_id)
        return listHistory(service, caller, store_id ?? caller.store_id, query)
      },
    }),
  ),
  ...list_paths.map((prefix) =>
    operation({
      at: `GET ${prefix}/transaction_history/totals`,
      id: `get${ownerName(prefix)}TransactionHistoryTotals`,
      client: 'history.getTotals',
      tag: 'transaction history',
      summary: 'Get the totals of the charges and refunds of a list',
      text: 'The totals by currency of the newest 10,000 matching charges and refunds.',
      right: 'settings',
      query: TotalsQuery,
      responses: { 200: HistoryTotals },
      handle: async ({ service, caller, params, query }) => {
        const { store_id } = params
        checkHistoryQuery(query)
        if (store_id) await requireStore(service, caller, store_id)
        return readTotals(service, caller, store_id ?? caller.store_id, query)
      },
    }),
  ),
]

/** Instants have two forms here, and a status may be one or a list, so they are validated in code. */
export function checkHistoryQuery({
  from,
  to,
  status = [],
}: Pick<HistoryQuery, 'from' | 'to' | 'status'>): void {
  const errors = Object.entries({ from, to }).flatMap(([field, value]): FieldError[] => {
    const valid = value === undefined || /^\d{10,14}$/.test(value) || formats.instant.accepts(value)
    return valid ? [] : [{ field, reason: 'INVALID_FORMAT_DATE' }]
  })
  if (![status].flat().every((one) => history_statuses.includes(one))) {
    errors.push({ field: 'status', reason: 'NOT_ALLOWED_VALUE' })
  }
  if (errors.length > 0) fail('VALIDATION_ERROR', { errors })
}
