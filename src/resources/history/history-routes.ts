import Type, { type TProperties } from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { type FieldError, fail } from '../../core/errors.ts'
import { formats } from '../../core/text/formats.ts'
import type { Http, RouteModule } from '../route.ts'
import { ownerName } from '../store-paths.ts'
import { requireStore } from '../stores/store.ts'
import { HistoryPage, HistoryQuery, history_statuses, listHistory } from './history.ts'

export const historyRoutes: RouteModule = (http) => {
  addRoute(http, '/transaction_history', {})
  addRoute(http, '/stores/:store_id/transaction_history', pathIds('store_id'))
}

/** Instants have two forms here, and a status may be one or a list, so they are validated in code. */
export function checkHistoryQuery({ from, to, status = [] }: HistoryQuery): void {
  const errors = Object.entries({ from, to }).flatMap(([field, value]): FieldError[] => {
    const valid = value === undefined || /^\d{10,14}$/.test(value) || formats.instant.accepts(value)
    return valid ? [] : [{ field, reason: 'INVALID_FORMAT_DATE' }]
  })
  if (![status].flat().every((one) => history_statuses.includes(one))) {
    errors.push({ field: 'status', reason: 'NOT_ALLOWED_VALUE' })
  }
  if (errors.length > 0) fail('VALIDATION_ERROR', { errors })
}

function addRoute(http: Http, path: string, params: TProperties): void {
  http.get(
    path,
    {
      schema: {
        tags: ['transaction history'],
        summary: 'List charges and refunds',
        operationId: `list${ownerName(path)}TransactionHistory`,
        params: Type.Object(params),
        querystring: HistoryQuery,
        response: { 200: HistoryPage },
      },
    },
    async ({ service, caller, params, query }) => {
      const { store_id } = params as { store_id?: string }
      checkHistoryQuery(query)
      if (store_id) await requireStore(service, caller, store_id)
      return listHistory(service, caller, store_id ?? caller.store_id, query)
    },
  )
}
