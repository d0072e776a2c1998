import { type Selectable, sql } from 'kysely'
import Type from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { named } from '../../core/described-schemas.ts'
import { fail } from '../../core/errors.ts'
import { ledger_kinds, ledger_origins } from '../../core/money/ledger-kinds.ts'
import { formatAmount } from '../../core/money/money.ts'
import { Id, Instant, nullable, PageOf } from '../../core/schemas.ts'
import { type Account, accounts } from '../../ledger/accounts.ts'
import type { LedgerEntry } from '../../ledger/post.ts'
import type { Service } from '../../service.ts'
import { type Page, type PageQuery, readPage } from '../../store/sql/page.ts'
import type { LedgerTransactionTable } from '../../store/tables/tables.ts'

/** A ledger transaction with its entries. */
export interface Ledger extends Selectable<LedgerTransactionTable> {
  entries: LedgerEntry[]
  /** The transfer that pays it. */
  paid_by: string | null
}

const LedgerEntryView = named(
  'LedgerEntry',
  Type.Object({
    account: Type.Enum(Object.keys(accounts) as Account[]),
    currency: Type.String(),
    amount: Type.Integer({ description: 'A debit is positive, a credit negative' }),
  }),
)

export const LedgerView = named(
  'Ledger',
  Type.Object({
    id: Id,
    merchant_id: Id,
    store_id: Id,
    charge_id: nullable(Id),
    refund_id: nullable(Id),
    transfer_id: nullable(Id),
    mode: Type.Enum(['test', 'live']),
    amount: Type.Integer({
      description:
        'What the merchant is owed more: above zero for a sale, below for fee and refund',
    }),
    currency: Type.String(),
    amount_formatted: Type.Number(),
    percent_fee: nullable(Type.Number()),
    flat_fee_amount: nullable(Type.Integer()),
    flat_fee_currency: nullable(Type.String()),
    flat_fee_formatted: nullable(Type.Number()),
    exchange_rate: nullable(Type.Number()),
    origin: Type.Enum([...ledger_origins]),
    kind: Type.Enum([...ledger_kinds]),
    note: nullable(Type.String()),
    entries: Type.Array(LedgerEntryView),
    created_on: Instant,
  }),
)
export const LedgerPage = PageOf(LedgerView)

/**
 * What the merchant is owed is a credit of ours, so the sign is inverted. A hold or a conversion does
 * not change it: zero, in the currency of its first entry.
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
function ledgersOf(service: Service, { merchant_id, store_id, mode }: Caller) {
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

/** What a transfer pays; for one that failed or was canceled, what it would have paid. */
export async function listTransferLedgers(
  service: Service,
  caller: Caller,
  transfer_id: string,
  page: PageQuery,
): Promise<Page<Ledger>> {
  const ledgers = ledgersOf(service, caller).where('id', 'in', (paid) =>
    paid
      .selectFrom('transfer_ledgers')
      .select('ledger_id')
      .where('merchant_id', '=', caller.merchant_id)
      .where('transfer_id', '=', transfer_id),
  )
  return readPage<Ledger>(ledgers, page)
}
