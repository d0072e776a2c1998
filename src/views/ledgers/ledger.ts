import { type Selectable, sql } from 'kysely'
import Type from 'typebox'
import type { Caller } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, nullable, PageOf } from '../../core/api/schemas.ts'
import { ledger_kinds, ledger_origins } from '../../core/money/ledger-kinds.ts'
import { formatAmount } from '../../core/money/money.ts'
import { namesOf } from '../../core/table-names.ts'
import { accounts } from '../../ledger/accounts.ts'
import type { LedgerEntry } from '../../ledger/post.ts'
import type { Service } from '../../service.ts'
import { type Page, type PageQuery, readPage } from '../../store/sql/reads/page.ts'
import type { LedgerTransactionTable } from '../../store/tables/tables.ts'

/** A ledger transaction with its entries. */
export interface Ledger extends Selectable<LedgerTransactionTable> {
  entries: LedgerEntry[]
  /** The transfer that pays it. */
  paid_by: string | null
}

export const LedgerEntryView = named(
  'LedgerEntry',
  Type.Object({
    account: described(Type.Enum(namesOf(accounts)), 'The account of the ledger.'),
    currency: common.currency,
    amount: Type.Integer({
      description:
        'The amount in the smallest unit of the currency: a debit is positive, a credit negative.',
    }),
  }),
  'An entry of a ledger transaction. All entries of one currency sum to zero.',
)

export const LedgerView = named(
  'Ledger',
  Type.Object({
    id: described(Id, 'The id of the ledger transaction.'),
    merchant_id: common.merchant_id,
    store_id: common.store_id,
    charge_id: described(nullable(Id), 'The charge that caused it; null without one.'),
    refund_id: described(nullable(Id), 'The refund that caused it; null without one.'),
    transfer_id: described(
      nullable(Id),
      'The transfer that pays it, or that it is; null while it is not paid.',
    ),
    mode: common.mode,
    amount: Type.Integer({
      description:
        'The change of the amount owed to the merchant, in the smallest unit of the ' +
        'currency: positive for a sale, negative for fees and refunds.',
    }),
    currency: common.currency,
    amount_formatted: common.amount_formatted,
    percent_fee: described(
      nullable(Type.Number()),
      'Always null: a fee is a ledger transaction of its own.',
    ),
    flat_fee_amount: described(
      nullable(Type.Integer()),
      'Always null: a fee is a ledger transaction of its own.',
    ),
    flat_fee_currency: described(
      nullable(Type.String()),
      'Always null: a fee is a ledger transaction of its own.',
    ),
    flat_fee_formatted: described(
      nullable(Type.Number()),
      'Always null: a fee is a ledger transaction of its own.',
    ),
    exchange_rate: described(
      nullable(Type.Number()),
      'Always null: the entries of a conversion have both amounts.',
    ),
    origin: described(Type.Enum([...ledger_origins]), 'The cause.'),
    kind: described(Type.Enum([...ledger_kinds]), 'The recorded action.'),
    note: described(nullable(Type.String()), 'A note of the operator; null without one.'),
    entries: described(
      Type.Array(LedgerEntryView),
      'The entries by account; those of one currency sum to zero.',
    ),
    created_on: common.created_on,
  }),
  'A transaction of the double-entry ledger.',
)
export const LedgerPage = PageOf(LedgerView)

/**
 * The merchant's claim is a credit in our ledger, so the sign is inverted. A hold or a conversion does not
 * change it: zero, in the currency of its first entry.
 */
function effectOnMerchant(entries: Ledger['entries']): { amount: number; currency: string } {
  const own = entries.filter(({ account }) => account === 'merchant_payable')
  const amount = own.reduce((sum, entry) => sum - entry.amount, 0)
  return { amount, currency: (own[0] ?? entries[0])?.currency ?? '' }
}

export function viewLedger(ledger: Ledger) {
  const { amount, currency } = effectOnMerchant(ledger.entries)
  return {
    id: ledger.id,
    merchant_id: ledger.merchant_id,
    store_id: ledger.store_id,
    charge_id: ledger.charge_id,
    refund_id: ledger.refund_id,
    transfer_id: ledger.transfer_id ?? ledger.paid_by,
    mode: ledger.mode,
    amount,
    currency,
    amount_formatted: formatAmount(amount, currency),
    percent_fee: null,
    flat_fee_amount: null,
    flat_fee_currency: null,
    flat_fee_formatted: null,
    exchange_rate: null,
    origin: ledger.origin,
    kind: ledger.kind,
    note: ledger.note,
    entries: ledger.entries,
    created_on: ledger.created_on.toISOString(),
  }
}

/** All fields except the entry columns, which are returned as entries. */
const ledger_columns = [
  ...(['merchant_id', 'id', 'store_id', 'mode', 'origin', 'kind', 'note', 'created_on'] as const),
  ...(['charge_id', 'refund_id', 'deposit_id', 'transfer_id'] as const),
] as const

/** The ledger as far as the caller may see it: a store's token sees its store and its mode. */
export function ledgersOf(service: Service, { merchant_id, store_id, mode }: Caller) {
  let ledgers = service.db
    .selectFrom('ledger_transactions')
    .select(ledger_columns)
    .select(
      sql`(select json_agg(json_build_object('account', account, 'currency', currency,
          'amount', amount) order by line)
        from unnest(accounts, currencies, amounts) with ordinality
          as entry (account, currency, amount, line))`.as('entries'),
    )
    .select(
      sql<string | null>`(select l.transfer_id from transfer_ledgers l
        where l.merchant_id = ledger_transactions.merchant_id
          and l.ledger_id = ledger_transactions.id and not l.freed)`.as('paid_by'),
    )
    .where('merchant_id', '=', merchant_id)
    .$castTo<Ledger>()
  if (store_id) ledgers = ledgers.where('store_id', '=', store_id)
  if (mode) ledgers = ledgers.where('mode', '=', mode)
  return ledgers
}

export async function getLedger(service: Service, caller: Caller, id: string): Promise<Ledger> {
  const found = await ledgersOf(service, caller).where('id', '=', id).executeTakeFirst()
  return found ?? fail('NOT_FOUND')
}

export interface ChargePath {
  store_id: string
  charge_id: string
}

/** A charge without ledger transactions has an empty list; one that the caller may not see is not found. */
async function requireCharge(
  service: Service,
  { merchant_id, mode }: Caller,
  { store_id, charge_id }: ChargePath,
): Promise<void> {
  let charge = service.db
    .selectFrom('charges')
    .select('id')
    .where('merchant_id', '=', merchant_id)
    .where('store_id', '=', store_id)
    .where('id', '=', charge_id)
  if (mode) charge = charge.where('mode', '=', mode)
  if (!(await charge.executeTakeFirst())) fail('NOT_FOUND')
}

export async function listLedgers(
  service: Service,
  caller: Caller,
  path: ChargePath,
  page: PageQuery,
): Promise<Page<Ledger>> {
  await requireCharge(service, caller, path)
  const ledgers = ledgersOf(service, caller).where('charge_id', '=', path.charge_id)
  return readPage<Ledger>(ledgers, page)
}
