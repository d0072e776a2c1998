import Type, { type Static } from 'typebox'
import type { Caller, Mode } from '../../core/caller.ts'
import { named } from '../../core/described-schemas.ts'
import { formatAmount } from '../../core/money/money.ts'
import {
  Id,
  Instant,
  MetadataSchema,
  nullable,
  PageOf,
  PageParameters,
} from '../../core/schemas.ts'
import { statesOf } from '../../core/states.ts'
import type { Metadata } from '../../core/text/metadata.ts'
import type { Service } from '../../service.ts'
import { type Names, storeNames } from '../stores/store-names.ts'
import { type BankStatus, bankStatusOf, refundsOf, type ShownRefund } from './history-extras.ts'
import { readHistory } from './read-history.ts'

const Moment = Type.String({ maxLength: 40, description: 'ISO-8601, or epoch milliseconds' })
/** One name, or several as `brand[]=a&brand[]=b`. */
const Name = Type.Unsafe<string | string[]>({
  type: ['array', 'string'],
  items: { type: 'string', maxLength: 64 },
  maxItems: 50,
  maxLength: 64,
  description: 'One name, or several as name[]=a&name[]=b',
})
const statuses = [...new Set([...statesOf('charge'), ...statesOf('refund')])]

export const HistoryQuery = Type.Object({
  ...PageParameters,
  from: Type.Optional(Moment),
  to: Type.Optional(Moment),
  search: Type.Optional(
    Type.String({ maxLength: 255, description: 'An id, or words by their beginning' }),
  ),
  type: Type.Optional(Type.Enum(['charge', 'refund'])),
  status: Type.Optional(Type.Enum(statuses)),
  mode: Type.Optional(Type.Enum(['test', 'live'])),
  id: Type.Optional(Id),
  email: Type.Optional(Type.String({ maxLength: 254 })),
  metadata: Type.Optional(Type.String({ maxLength: 255 })),
  card_last_four: Type.Optional(Type.String({ pattern: '^\\d{4}$' })),
  cardholder: Type.Optional(Type.String({ maxLength: 255 })),
  card_exp: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}$' })),
  currency: Type.Optional(Type.String({ format: 'currency' })),
  payment_type: Type.Optional(Type.String({ maxLength: 32 })),
  short_id: Type.Optional(
    Type.String({ minLength: 6, maxLength: 6, description: 'The last six characters of an id' }),
  ),
  gateway_transaction_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'The reference at the provider, which is the id' }),
  ),
  brand: Type.Optional(Name),
  service_provider: Type.Optional(Name),
  service_providers: Type.Optional(Name),
})
export type HistoryQuery = Static<typeof HistoryQuery>

const text = nullable(Type.String())

const RefundView = named(
  'HistoryRefund',
  Type.Object({
    refund_id: Id,
    amount: Type.Integer(),
    currency: Type.String(),
    amount_formatted: Type.Number(),
    status: Type.String(),
    reason: text,
  }),
)

const HistoryItems = PageOf(
  named(
    'HistoryItem',
    Type.Object({
      merchant_name: Type.String(),
      store_id: Id,
      store_name: Type.String(),
      resource_id: Id,
      charge_id: Id,
      amount: Type.Integer(),
      currency: Type.String(),
      amount_formatted: Type.Number(),
      type: Type.String(),
      status: Type.String(),
      metadata: MetadataSchema,
      created_on: Instant,
      mode: Type.String(),
      payment_type: Type.String(),
      charge_type: Type.String(),
      user_data: named(
        'HistoryPayer',
        Type.Object({
          type: Type.String({ description: 'The payment type' }),
          cardholder_name: text,
          cardholder_email_address: text,
          brand: text,
          gateway: text,
          service_provider: text,
          refunds: Type.Array(RefundView),
          reason: text,
        }),
      ),
      bank_transfer_payment_status: text,
      bank_transfer_latest_deposit_date: nullable(Instant),
    }),
  ),
)
export const HistoryPage = named(
  'HistoryPage',
  Type.Object({
    ...HistoryItems.properties,
    next_cursor: Type.Optional(
      nullable(Type.String({ format: 'uuid', description: 'The cursor of the next page' })),
    ),
  }),
)

/** A charge or a refund, with the fields of the charge. */
export interface HistoryRow {
  id: string
  charge_id: string
  store_id: string
  type: 'charge' | 'refund'
  amount: number
  currency: string
  status: string
  metadata: Metadata
  created_on: Date
  mode: Mode
  wanted_amount: number
  payment_type: string
  provider: string | null
  charge_type: string
  cardholder: string | null
  email: string | null
  brand: string | null
  reason: string | null
}

/**
 * Charges and refunds in one list. Each table returns at most a page by its own index; the two pages
 * are merged, so the cost does not grow with the data. Related data is read for the whole page.
 */
export async function listHistory(
  service: Service,
  caller: Caller,
  store_id: string | null,
  query: HistoryQuery,
) {
  const kinds = query.type ? [query.type] : (['charge', 'refund'] as const)
  const pages = kinds.map((kind) => readHistory(service, caller, store_id, query, kind))
  const rows = (await Promise.all(pages)).flat().sort((a, b) => (a.id < b.id ? -1 : 1))
  if (query.cursor_direction === 'desc') rows.reverse()
  const shown = rows.slice(0, query.limit)
  const has_more = rows.length > query.limit
  const extras = await extrasOf(service, caller, shown)
  return {
    items: shown.map((row) => viewItem(row, extras(row))),
    has_more,
    next_cursor: has_more ? (shown.at(-1)?.id ?? null) : null,
  }
}

interface Extras {
  readonly names: Names
  readonly refunds: readonly ShownRefund[]
  readonly bank: BankStatus | null
}

async function extrasOf(
  service: Service,
  { merchant_id }: Caller,
  rows: readonly HistoryRow[],
): Promise<(row: HistoryRow) => Extras> {
  const charges = rows.filter(({ type }) => type === 'charge')
  const transfers = charges.filter(({ payment_type }) => payment_type === 'bank_transfer')
  const ids = charges.map(({ id }) => id)
  const [namesOf, refunds, banks] = await Promise.all([
    storeNames(service, merchant_id, rows),
    refundsOf(service, merchant_id, ids),
    bankStatusOf(service, merchant_id, transfers),
  ])
  return (row) => ({
    names: namesOf(row),
    refunds: refunds.get(row.id) ?? [],
    bank: banks.get(row.id) ?? null,
  })
}

function viewItem(row: HistoryRow, { names, refunds, bank }: Extras) {
  const { provider } = row
  return {
    ...names,
    store_id: row.store_id,
    resource_id: row.id,
    charge_id: row.charge_id,
    amount: row.amount,
    currency: row.currency,
    amount_formatted: formatAmount(row.amount, row.currency),
    type: row.type,
    status: row.status,
    metadata: row.metadata,
    created_on: row.created_on.toISOString(),
    mode: row.mode,
    payment_type: row.payment_type,
    charge_type: row.charge_type,
    user_data: {
      type: row.payment_type,
      cardholder_name: row.cardholder,
      cardholder_email_address: row.email,
      brand: row.brand,
      gateway: provider,
      service_provider: provider,
      refunds: [...refunds],
      reason: row.reason,
    },
    bank_transfer_payment_status: bank?.payment_status ?? null,
    bank_transfer_latest_deposit_date: bank?.latest_deposit_date?.toISOString() ?? null,
  }
}
