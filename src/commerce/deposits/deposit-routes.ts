import { operation, type Route } from '../../api/routes/operation.ts'
import { DepositPage, ListDeposits, listDeposits } from './list-deposits.ts'

export const depositRoutes: readonly Route[] = [
  operation({
    at: 'GET /deposits',
    id: 'listDeposits',
    client: 'deposits.list',
    tag: 'deposits',
    summary: 'List expected and received deposits',
    text: 'Deposits at convenience stores and banks. An awaiting charge is listed as `expected`.',
    right: 'settings',
    query: ListDeposits,
    responses: { 200: DepositPage },
    handle: ({ service, caller, query }) => listDeposits(service, caller, query),
  }),
]
