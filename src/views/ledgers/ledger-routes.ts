import Type from 'typebox'
import { requireStore } from '../../accounts/stores/store.ts'
import { operation, type Route } from '../../api/routes/operation.ts'
import { PageParameters } from '../../core/api/schemas.ts'
import { viewPage } from '../../store/sql/reads/page.ts'
import { readStatement, StatementPage, StatementQuery } from './account-statement.ts'
import { getLedger, LedgerPage, LedgerView, listLedgers, viewLedger } from './ledger.ts'
import { BalanceQuery, LedgerBalances, readLedgerBalances } from './ledger-balances.ts'
import { EntryPage, ListEntries, listEntries } from './list-entries.ts'
import {
  listNextLedgers,
  listTransferLines,
  NextPartQuery,
  PartQuery,
  PayoutLinePage,
} from './payout-ledgers.ts'

export const ledgerRoutes: readonly Route[] = [
  operation({
    at: 'GET /ledgers/:ledger_id',
    id: 'getLedger',
    client: 'ledgers.get',
    tag: 'ledgers',
    summary: 'Get a ledger transaction',
    text: 'One transaction of the ledger, with the resource that it is for and its amount.',
    right: 'settings',
    responses: { 200: LedgerView },
    handle: async ({ service, caller, params }) =>
      viewLedger(await getLedger(service, caller, params.ledger_id)),
  }),

  operation({
    at: 'GET /stores/:store_id/charges/:charge_id/ledgers',
    id: 'listChargeLedgers',
    client: 'ledgers.listChargeLedgers',
    tag: 'ledgers',
    summary: 'List the ledger transactions of a charge',
    text: 'Every posting of the double-entry ledger that the charge caused.',
    right: 'payments',
    query: Type.Object(PageParameters),
    responses: { 200: LedgerPage },
    handle: async ({ service, caller, params, query }) => {
      await requireStore(service, caller, params.store_id)
      return viewPage(await listLedgers(service, caller, params, query), viewLedger)
    },
  }),

  operation({
    at: 'GET /ledger_balances',
    id: 'getLedgerBalances',
    client: 'ledgers.getBalances',
    tag: 'ledgers',
    summary: 'Get the balances of the ledger',
    text: 'The balances by mode, currency and account, with totals for each mode and currency.',
    right: 'settings',
    query: BalanceQuery,
    responses: { 200: LedgerBalances },
    handle: ({ service, caller, query }) => readLedgerBalances(service, caller, query),
  }),

  operation({
    at: 'GET /ledger_entries',
    id: 'listLedgerEntries',
    client: 'ledgers.listEntries',
    tag: 'ledgers',
    summary: 'List the entries of the ledger',
    text:
      'The cursor is the id of a transaction. A page contains all entries of its last ' +
      'transaction, so it can exceed the limit.',
    right: 'settings',
    query: ListEntries,
    responses: { 200: EntryPage },
    handle: ({ service, caller, query }) => listEntries(service, caller, query),
  }),

  operation({
    at: 'GET /ledger_statement',
    id: 'getLedgerStatement',
    client: 'ledgers.getStatement',
    tag: 'ledgers',
    summary: 'Get the account statement',
    text:
      'Sales, fees, refunds, disputes, adjustments and payouts in one currency, newest first, each with ' +
      "the balance after it. For the next page send the last item's `id` as `cursor`, and its `balance` " +
      'less its `amount` as `balance`.',
    right: 'settings',
    admit_as: 'list',
    query: StatementQuery,
    responses: { 200: StatementPage },
    handle: ({ service, caller, query }) => readStatement(service, caller, query),
  }),
]

/** Shown with the operations of transfers. */
export const transferLedgerRoutes: readonly Route[] = [
  operation({
    at: 'GET /transfers/:transfer_id/ledgers',
    id: 'listTransferLedgers',
    client: 'transfers.listLedgers',
    tag: 'transfers',
    summary: 'List the ledger transactions of a transfer',
    text: 'The ledger transactions that add up to the payout, each with the customer of its charge.',
    right: 'settings',
    access: { level: 'merchant' },
    query: PartQuery,
    responses: { 200: PayoutLinePage },
    handle: ({ service, caller, params, query }) =>
      listTransferLines(service, caller, params.transfer_id, query),
  }),

  operation({
    at: 'GET /transfers/next/ledgers',
    id: 'listNextTransferLedgers',
    client: 'transfers.listNextLedgers',
    tag: 'transfers',
    summary: 'List the ledger transactions of the next payout',
    text: 'The ledger transactions behind the parts of `GET /transfers/next`, in one currency.',
    right: 'settings',
    access: { level: 'merchant' },
    query: NextPartQuery,
    responses: { 200: PayoutLinePage },
    handle: ({ service, caller, query }) => listNextLedgers(service, caller, query),
  }),
]
