import Type, { type Static } from 'typebox'
import { type Names, storeNames } from '../../accounts/stores/store-names.ts'
import { compatibilityOf } from '../../api/responses/compatibility.ts'
import type { Caller, Mode } from '../../core/access/caller.ts'
import { common, filters } from '../../core/api/common-fields.ts'
import { described, named, textOf } from '../../core/api/described-schemas.ts'
import { Id, Instant, nullable, PageOf, PageParameters, withTotal } from '../../core/api/schemas.ts'
import { formatAmount } from '../../core/money/money.ts'
import type { ChargeError } from '../../core/payments/charge-errors.ts'
import { statesOf } from '../../core/payments/states.ts'
import type { Metadata } from '../../core/text/metadata.ts'
import { typedDigits } from '../../core/typed/typed-digits.ts'
import { ChargeErrorView } from '../../methods/pieces/shown-pieces.ts'
import type { Service } from '../../service.ts'
import { type BankStatus, bankStatusOf, refundsOf, type ShownRefund } from './history-extras.ts'
import { readHistory } from './read-history.ts'

const Moment = Type.String({
  maxLength: 40,
  description: 'A time as ISO-8601, or milliseconds since 1970.',
})
/** One name, or several as `brand[]=a&brand[]=b`. */
const Name = Type.Unsafe<string | string[]>({
  type: ['array', 'string'],
  items: { type: 'string', maxLength: 64 },
  maxItems: 50,
  maxLength: 64,
  description: 'One name, or several as name[]=a&name[]=b.',
})
const statuses = [...new Set([...statesOf('charge'), ...statesOf('refund')])]
const StatusNames = Type.Unsafe<string | string[]>({
  type: ['array', 'string'],
  items: { type: 'string', enum: statuses },
  maxItems: statuses.length,
  maxLength: 16,
})
const Whole = Type.Integer({ minimum: 0, maximum: 999_999_999_999 })

/** The statuses of charges and refunds. */
export const history_statuses: readonly string[] = statuses

export const HistoryQuery = Type.Object({
  ...PageParameters,
  from: described(
    Type.Optional(Moment),
    'Only items created at this time or later, as ISO-8601 or milliseconds since 1970.',
  ),
  to: described(
    Type.Optional(Moment),
    'Only items created before this time, as ISO-8601 or milliseconds since 1970.',
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'An id, an error code, or words of cardholder, e-mail, last four digits, metadata and error, ' +
        'each by its beginning.',
    }),
  ),
  type: described(Type.Optional(Type.Enum(['charge', 'refund'])), 'Only charges, or only refunds.'),
  status: described(
    Type.Optional(StatusNames),
    'Only items with this status; several as status[]=a&status[]=b.',
  ),
  error_code: described(
    Type.Optional(Type.Integer({ minimum: 0, maximum: 999 })),
    'Only items that failed with this error code, such as 306.',
  ),
  expires_within_hours: described(
    Type.Optional(Type.Integer({ minimum: 1, maximum: 8784 })),
    'Only authorized charges that expire within this number of hours and are not being captured or canceled.',
  ),
  amount_from: described(Type.Optional(Whole), 'Only items with this amount or more.'),
  amount_to: described(Type.Optional(Whole), 'Only items with less than this amount.'),
  subscription_id: described(Type.Optional(Id), 'Only items of this subscription.'),
  customer_id: described(
    Type.Optional(Id),
    'Only items of tokens with this id under `svc-customer-id`, of its newest 1000 tokens.',
  ),
  customer_key: described(
    Type.Optional(Id),
    'Only items of the customer with this key: matched by e-mail and the customer ids used ' +
      'with it, among the newest 10,000 of each.',
  ),
  mode: filters.mode,
  id: described(Type.Optional(Id), 'Only the charge or refund with this id.'),
  email: described(
    Type.Optional(Type.String({ maxLength: 254 })),
    'Only items of the customer with this e-mail.',
  ),
  metadata: described(
    Type.Optional(Type.String({ maxLength: 255 })),
    'Only items whose metadata contains words that begin with each of these.',
  ),
  card_last_four: described(
    Type.Optional(typedDigits(Type.String({ pattern: '^\\d{4}$' }))),
    'Only cards that end in these four digits.',
  ),
  cardholder: described(
    Type.Optional(Type.String({ maxLength: 255 })),
    'Only cards of this cardholder.',
  ),
  card_exp: described(
    Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}$' })),
    'Only cards that expire in this month, such as 2030-12.',
  ),
  currency: filters.currency,
  payment_type: described(
    Type.Optional(Type.String({ maxLength: 32 })),
    'Only items of this payment type.',
  ),
  short_id: Type.Optional(
    Type.String({ minLength: 6, maxLength: 6, description: 'The last six characters of an id.' }),
  ),
  gateway_transaction_id: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'The reference at the provider, which is the id of the resource.',
    }),
  ),
  brand: described(
    Type.Optional(Name),
    'Only items of this brand; several as brand[]=a&brand[]=b.',
  ),
  service_provider: described(
    Type.Optional(Name),
    'Only items of this provider; several as service_provider[]=a&service_provider[]=b.',
  ),
  service_providers: described(Type.Optional(Name), 'The same as `service_provider`.'),
})
export type HistoryQuery = Static<typeof HistoryQuery>

const text = nullable(Type.String())

const RefundView = named(
  'HistoryRefund',
  Type.Object({
    refund_id: described(Id, 'The id of the refund.'),
    amount: common.amount,
    currency: common.currency,
    amount_formatted: common.amount_formatted,
    status: described(
      textOf('RefundStatus', statesOf('refund'), 'The status of a refund.'),
      'The status of the refund.',
    ),
    reason: described(text, 'The reason for the refund; null if not given.'),
  }),
  'A refund of a charge in the transaction history.',
)

const HistoryItems = PageOf(
  named(
    'HistoryItem',
    Type.Object({
      merchant_name: common.merchant_name,
      store_id: common.store_id,
      store_name: common.store_name,
      resource_id: described(Id, 'The id of the charge or refund.'),
      charge_id: described(Id, 'The id of the charge: the same for the charge itself.'),
      amount: common.amount,
      currency: common.currency,
      amount_formatted: common.amount_formatted,
      type: described(textOf(null, ['charge', 'refund']), 'Whether it is a charge or a refund.'),
      status: described(textOf(null, statuses), 'The status of the charge or refund.'),
      metadata: common.metadata,
      created_on: common.created_on,
      mode: common.mode,
      payment_type: common.payment_type,
      charge_type: described(
        Type.String(),
        'A payment (`normal`), or the check of a security code (`cvv_auth`).',
      ),
      last_four: described(text, 'The last four digits of the card; null without a card.'),
      refunded_amount: described(
        nullable(Type.Integer()),
        'The refunded amount of a charge, including pending refunds; null for a refund.',
      ),
      refunded_currency: described(text, 'The currency of `refunded_amount`; null without one.'),
      error: ChargeErrorView,
      user_data: described(
        named(
          'HistoryPayer',
          Type.Object({
            type: Type.String({ description: 'The payment type.' }),
            cardholder_name: described(
              text,
              'The name of the customer; null where the payment type has none.',
            ),
            cardholder_email_address: described(
              text,
              'The e-mail of the customer; null without one.',
            ),
            brand: described(text, 'The brand of the card or wallet; null where it is not known.'),
            gateway: described(text, 'The provider of the payment; null without one.'),
            service_provider: described(text, 'The same as `gateway`.'),
            refunds: described(
              Type.Array(RefundView),
              'The newest refunds of the charge; empty for a refund.',
            ),
            reason: described(text, 'Why the money was returned; null for a charge.'),
          }),
          'The customer of a charge, and its refunds.',
        ),
        'The customer, and the result of the payment.',
      ),
      bank_transfer_payment_status: described(
        text,
        'The state of a bank transfer: `unpaid`, `insufficient`, `exact` or `exceeded`; ' +
          'otherwise null.',
      ),
      bank_transfer_latest_deposit_date: described(
        nullable(Instant),
        'The last arrival of money for a bank transfer; otherwise null.',
      ),
    }),
    'A charge or a refund.',
  ),
)
const HistoryList = named(
  'HistoryPage',
  Type.Object({
    ...HistoryItems.properties,
    next_cursor: Type.Optional(
      nullable(
        Type.String({
          format: 'uuid',
          description: 'The cursor of the next page; null on the last one.',
        }),
      ),
    ),
  }),
  'A page of charges and refunds.',
)
export const HistoryPage = withTotal(HistoryList)

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
  last_four: string | null
  refunded_amount: number | null
  refunded_currency: string | null
  error: ChargeError | null
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
  const by_id = new Map((await Promise.all(pages)).flat().map((row) => [row.id, row]))
  const rows = [...by_id.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  if (query.cursor_direction === 'desc') rows.reverse()
  const shown = rows.slice(0, query.limit)
  const has_more = rows.length > query.limit
  const extras = await extrasOf(service, caller, shown)
  const { payerType } = compatibilityOf(service.config)
  return {
    items: shown.map((row) => viewItem(row, extras(row), payerType(row))),
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

function viewItem(row: HistoryRow, { names, refunds, bank }: Extras, payer_type: string) {
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
    last_four: row.last_four,
    refunded_amount: row.refunded_amount,
    refunded_currency: row.refunded_currency,
    error: row.error,
    user_data: {
      type: payer_type,
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
