import Type from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { PageParameters } from '../../core/schemas.ts'
import type { RouteModule } from '../route.ts'
import { requireStore } from '../stores/store.ts'
import { getLedger, LedgerPage, LedgerView, listLedgers, viewLedger } from './ledger.ts'
import { BalanceQuery, LedgerBalances, readLedgerBalances } from './ledger-balances.ts'
import { EntryPage, ListEntries, listEntries } from './list-entries.ts'

const tags = ['ledgers']

export const ledgerRoutes: RouteModule = (http) => {
  http.get(
    '/ledgers/:ledger_id',
    {
      schema: {
        tags,
        summary: 'Read a ledger transaction',
        operationId: 'getLedger',
        params: Type.Object(pathIds('ledger_id')),
        response: { 200: LedgerView },
      },
    },
    async ({ service, caller, params }) =>
      viewLedger(await getLedger(service, caller, params.ledger_id)),
  )

  http.get(
    '/stores/:store_id/charges/:charge_id/ledgers',
    {
      schema: {
        tags,
        summary: 'List the ledger transactions of a charge',
        operationId: 'listChargeLedgers',
        params: Type.Object(pathIds('store_id', 'charge_id')),
        querystring: Type.Object(PageParameters),
        response: { 200: LedgerPage },
      },
    },
    async ({ service, caller, params, query }) => {
      await requireStore(service, caller, params.store_id)
      const { items, has_more } = await listLedgers(service, caller, params, query)
      return { items: items.map(viewLedger), has_more }
    },
  )

  http.get(
    '/ledger_balances',
    {
      schema: {
        tags,
        summary: 'Read the balances of the ledger, and that they sum to zero',
        operationId: 'getLedgerBalances',
        querystring: BalanceQuery,
        response: { 200: LedgerBalances },
      },
    },
    ({ service, caller, query }) => readLedgerBalances(service, caller, query),
  )

  http.get(
    '/ledger_entries',
    {
      schema: {
        tags,
        summary: 'List the entries of the ledger',
        operationId: 'listLedgerEntries',
        querystring: ListEntries,
        response: { 200: EntryPage },
      },
    },
    ({ service, caller, query }) => listEntries(service, caller, query),
  )
}
