import type { Static } from 'typebox'
import { scope_filters, scopeOf } from '../../accounts/stores/list-scope.ts'
import {
  ListSubscriptions,
  listSubscriptions,
} from '../../commerce/subscriptions/list-subscriptions.ts'
import { ListTransfers, listTransfers, viewTransfer } from '../../commerce/transfers/transfer.ts'
import type { Caller } from '../../core/access/caller.ts'
import { recordOf } from '../../core/read-unknown.ts'
import type { CsvValue } from '../../core/text/formats/csv.ts'
import { ListCharges, listCharges } from '../../payments/charges/list-charges.ts'
import type { Service } from '../../service.ts'
import { type PageQuery, viewPage } from '../../store/sql/reads/page.ts'
import { HistoryQuery, listHistory } from '../history/history.ts'
import { checkHistoryQuery } from '../history/history-routes.ts'
import { ListEntries, listEntries } from '../ledgers/list-entries.ts'
import { listTransferLines, PayoutLinesQuery } from '../ledgers/payout-ledgers.ts'
import { settled_columns, settledMoney } from './settled-money.ts'

type Row = Readonly<Record<string, unknown>>
interface Rows {
  readonly items: readonly Row[]
  readonly has_more: boolean
}

interface ExportedList {
  /** The filters of the list, without those of its pages. */
  readonly query: { readonly properties: Readonly<Record<string, unknown>> }
  /** The columns, each with the field that it shows; a dot leads into an object. */
  readonly columns: Readonly<Record<string, string>>
  /** The field that is the cursor. */
  readonly cursor: string
  read(service: Service, caller: Caller, page: PageQuery): Promise<Rows>
  /** More columns, read for the rows of a page only when one of them is asked for. */
  readonly more?: {
    readonly columns: readonly string[]
    read(
      service: Service,
      caller: Caller,
      items: readonly Row[],
    ): Promise<ReadonlyMap<string, object>>
  }
  /** Refuses filters that the schema alone does not check. */
  check?(query: object): void
}

const of_store = { store_id: scope_filters.store_id }

/** The store that is asked for; lists below a store have it in their path instead. */
async function storeOf(service: Service, caller: Caller, page: PageQuery & { store_id?: string }) {
  return (await scopeOf(service, caller, page.store_id ? { store_id: page.store_id } : {})).store_id
}

/** Columns with the names of their fields. */
function same(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]))
}

const transaction_columns = {
  ...same('resource_id', 'charge_id', 'type', 'status', 'amount', 'currency', 'amount_formatted'),
  ...same('payment_type', 'charge_type', 'mode', 'store_id', 'store_name', 'created_on'),
  customer_name: 'user_data.cardholder_name',
  email: 'user_data.cardholder_email_address',
  brand: 'user_data.brand',
  last_four: 'last_four',
  provider: 'user_data.gateway',
  refunded: 'refunded_amount',
  refunded_currency: 'refunded_currency',
  refund_reason: 'user_data.reason',
  error_code: 'error.code',
  error_message: 'error.message',
  ...same(...settled_columns),
  ...same('bank_transfer_payment_status', 'bank_transfer_latest_deposit_date', 'metadata'),
}

function history(type?: 'refund'): ExportedList {
  return {
    query: { properties: { ...of_store, ...HistoryQuery.properties } },
    columns: transaction_columns,
    cursor: 'resource_id',
    more: {
      columns: settled_columns,
      read: (service, caller, items) =>
        settledMoney(
          service,
          caller.merchant_id,
          items as unknown as Parameters<typeof settledMoney>[2],
        ),
    },
    check: (query: HistoryQuery) => checkHistoryQuery(query),
    read: async (service, caller, page: HistoryQuery) => {
      const query = { ...page, ...(type ? { type } : {}) }
      return listHistory(service, caller, await storeOf(service, caller, page), query)
    },
  }
}

/** Every list that can be exported, by its name in the path. */
export const exported_lists = {
  transactions: history(),
  refunds: history('refund'),
  charges: {
    query: { properties: { ...of_store, ...ListCharges.properties } },
    cursor: 'id',
    columns: {
      ...same('id', 'store_id', 'store_name', 'status', 'requested_amount', 'requested_currency'),
      ...same('requested_amount_formatted', 'charged_amount', 'charged_currency'),
      ...same('charged_amount_formatted', 'fee_amount', 'fee_currency', 'transaction_token_id'),
      ...same('transaction_token_type', 'subscription_id', 'merchant_transaction_id', 'capture_at'),
      ...same('descriptor', 'mode', 'created_on', 'updated_on', 'metadata'),
      error_code: 'error.code',
      error_message: 'error.message',
    },
    read: async (service, caller, page: ListCharges) =>
      listCharges(service, caller, await storeOf(service, caller, page), page),
  },
  subscriptions: {
    query: { properties: { ...of_store, ...ListSubscriptions.properties } },
    cursor: 'id',
    columns: {
      ...same('id', 'store_id', 'store_name', 'status', 'amount', 'currency', 'amount_formatted'),
      ...same(
        'period',
        'cyclical_period',
        'transaction_token_id',
        'mode',
        'created_on',
        'metadata',
      ),
      customer_name: 'user_data.cardholder_name',
      email: 'user_data.email',
      next_payment_date: 'next_payment.due_date',
      next_payment_amount: 'next_payment.amount',
    },
    read: async (service, caller, page: ListSubscriptions) => {
      const store_id = await storeOf(service, caller, page)
      return listSubscriptions(service, caller, store_id, page)
    },
  },
  ledger_entries: {
    query: ListEntries,
    cursor: 'id',
    columns: {
      ledger_id: 'id',
      ...same('line', 'kind', 'account', 'currency', 'amount', 'amount_formatted', 'store_id'),
      ...same('charge_id', 'refund_id', 'deposit_id', 'transfer_id', 'note', 'mode', 'created_on'),
    },
    read: (service, caller, page: ListEntries) => listEntries(service, caller, page),
  },
  transfers: {
    query: ListTransfers,
    cursor: 'id',
    columns: {
      ...same('id', 'status', 'amount', 'currency', 'amount_formatted', 'from', 'to', 'started_by'),
      ...same('bank_account_id', 'error_text', 'mode', 'created_on'),
    },
    read: async (service, caller, page: ListTransfers) =>
      viewPage(await listTransfers(service, caller, page), viewTransfer),
  },
  payout_lines: {
    query: PayoutLinesQuery,
    cursor: 'id',
    columns: {
      ledger_id: 'id',
      ...same('kind', 'amount', 'currency', 'amount_formatted', 'customer_name'),
      email: 'customer_email',
      ...same('charge_id', 'refund_id', 'store_id', 'note', 'transfer_id', 'mode', 'created_on'),
    },
    read: (service, caller, page) => {
      const { transfer_id, ...query } = page as Static<typeof PayoutLinesQuery>
      return listTransferLines(service, caller, transfer_id, query)
    },
  },
} as const satisfies Record<string, ExportedList>
export type ExportName = keyof typeof exported_lists

export function exportedList(name: ExportName): ExportedList {
  return exported_lists[name]
}

/** The value of a field, which may be in an object of the row. Objects are written as JSON. */
export function cellOf(row: Row, field: string): CsvValue {
  let value: unknown = row
  for (const part of field.split('.')) value = recordOf(value)[part]
  if (value === null || value === undefined) return null
  if (typeof value === 'object') return JSON.stringify(value)
  return value as CsvValue
}
