import { operation, type Route } from '../../api/routes/operation.ts'
import { DepositPage, ListDeposits, listDeposits } from './list-deposits.ts'

export const depositRoutes: readonly Route[] = [
  operation({
    at: 'GET /deposits',
    id: 'listDeposits',
    client: 'deposits.list',
    tag: 'deposits',
    summary: 'List money that arrived or is expected at convenience stores and banks',
    text: 'Charges that wait for their customer are `expected`; the others have arrived.',
    right: 'settings',
    query: ListDeposits,
    responses: { 200: DepositPage },
    handle: ({ service, caller, query }) => listDeposits(service, caller, query),
  }),
]
