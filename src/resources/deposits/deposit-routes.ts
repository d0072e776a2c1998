import type { RouteModule } from '../route.ts'
import { DepositPage, ListDeposits, listDeposits } from './list-deposits.ts'

export const depositRoutes: RouteModule = (http) => {
  http.get(
    '/deposits',
    {
      schema: {
        tags: ['deposits'],
        summary: 'List money that arrived or is expected at convenience stores and banks',
        operationId: 'listDeposits',
        querystring: ListDeposits,
        response: { 200: DepositPage },
      },
    },
    ({ service, caller, query }) => listDeposits(service, caller, query),
  )
}
