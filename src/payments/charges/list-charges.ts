import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { storeNames } from '../../accounts/stores/store-names.ts'
import type { Caller } from '../../core/access/caller.ts'
import { filters } from '../../core/api/common-fields.ts'
import { described } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, PageParameters } from '../../core/api/schemas.ts'
import { readInstant } from '../../core/typed/formats.ts'
import { typedDigits } from '../../core/typed/typed-digits.ts'
import type { Service } from '../../service.ts'
import { refuseLongScan } from '../../store/sql/reads/bounded-list.ts'
import { idAt, pageOf, readPage, readRows } from '../../store/sql/reads/page.ts'
import { metadataHasWords, readBounded, readSearchPage } from '../../store/sql/reads/search.ts'
import type { Tables } from '../../store/tables/tables.ts'
import { type Charge, viewCharge } from './charge.ts'

const Whole = Type.Integer({ minimum: 0, maximum: 999_999_999_999 })

export const ListCharges = Type.Object({
  ...PageParameters,
  last_four: described(
    Type.Optional(typedDigits(Type.String({ pattern: '^\\d{4}$' }))),
    'Only cards that end in these four digits. Needs `name`, `exp_month` and `exp_year`.',
  ),
  name: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Only cards of this cardholder. Needs `last_four`, `exp_month` and `exp_year`.',
    }),
  ),
  exp_month: described(
    Type.Optional(Type.Integer({ minimum: 1, maximum: 12 })),
    'Only cards that expire in this month. Needs `last_four`, `name` and `exp_year`.',
  ),
  exp_year: described(
    Type.Optional(Type.Integer({ minimum: 0, maximum: 9999 })),
    'Only cards that expire in this year. Needs `last_four`, `name` and `exp_month`.',
  ),
  from: filters.from,
  to: filters.to,
  email: described(
    Type.Optional(Type.String({ maxLength: 254 })),
    'Only those of the customer with this e-mail.',
  ),
  phone: described(
    Type.Optional(Type.String({ pattern: '^\\+?\\d{1,18}$' })),
    'Only those of the customer with this phone number.',
  ),
  amount_from: described(Type.Optional(Whole), 'Only those with this requested amount or more.'),
  amount_to: described(Type.Optional(Whole), 'Only those with less than this requested amount.'),
  currency: described(
    Type.Optional(Type.String({ format: 'currency' })),
    'Only those requested or charged in this currency.',
  ),
  mode: filters.mode,
  metadata: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Only those whose metadata has these words, each by its beginning.',
    }),
  ),
  transaction_token_id: described(Type.Optional(Id), 'Only those of this transaction token.'),
})
export type ListCharges = Static<typeof ListCharges>

const card_filters = ['last_four', 'name', 'exp_month', 'exp_year'] as const

/** A card is looked for by all four of its traits or not at all. */
function requireWholeCard(filter: ListCharges): void {
  const missing = card_filters.filter((name) => filter[name] === undefined)
  if (missing.length === 0 || missing.length === card_filters.length) return
  fail('VALIDATION_ERROR', {
    message: 'Send last_four, name, exp_month and exp_year together.',
    errors: missing.map((field) => ({ field, reason: 'REQUIRED_VALUE' })),
  })
}

/** What the charges of a list belong to, and the card they were made with. */
interface Belonging {
  readonly subscription_id?: string
  readonly payment_id?: string
  readonly fingerprints?: readonly Buffer[] | null
}

type Charges = SelectQueryBuilder<Tables, 'charges', object>

/** Charges the caller may see, newest first; lower bounds belong to the range, upper ones not. */
export async function listCharges(
  service: Service,
  caller: Caller,
  store_id: string | null,
  filter: ListCharges,
  of: Belonging = {},
) {
  requireWholeCard(filter)
  const list = (charges: Charges) => {
    const own = ofCaller(charges.selectAll(), caller, store_id, filter)
    return withContents(withOwner(own, filter, of), caller, filter)
  }
  const { metadata: term, email, last_four, transaction_token_id, from, to } = filter
  // These are found by an index of their own, and few.
  const few = email ?? last_four ?? transaction_token_id ?? of.subscription_id ?? of.payment_id
  const range = {
    table: 'charges',
    merchant_id: caller.merchant_id,
    store_id,
    mode: caller.mode ?? filter.mode ?? null,
    from: from && idAt(readInstant(from)),
    to: to && idAt(readInstant(to)),
  } as const
  const readFrom = (source: RawBuilder<unknown>) => {
    const charges = service.db.selectFrom(sql`${source}`.as('charges'))
    return readRows<Charge>(list(charges as unknown as Charges), filter)
  }
  const { items, has_more } =
    term && !few
      ? await readSearchPage<Charge, 'charges'>(service.db, { ...range, term }, filter, list)
      : few || !hasUnindexed(filter, of)
        ? await readPage<Charge>(list(service.db.selectFrom('charges')), filter)
        : pageOf(
            (await readBounded(service.db, range, filter, readFrom)) ?? refuseLongScan(),
            filter,
          )
  const namesOf = await storeNames(service, caller.merchant_id, items)
  const shown = items.map((charge) => ({ ...viewCharge(service, charge), ...namesOf(charge) }))
  return { items: shown, has_more }
}

/** Whether the list is scanned for a filter: no index has it. */
function hasUnindexed(filter: ListCharges, { fingerprints }: Belonging): boolean {
  const { phone, amount_from, amount_to, currency } = filter
  return !fingerprints && [phone, amount_from, amount_to, currency].some((one) => one !== undefined)
}

function ofCaller(
  charges: Charges,
  caller: Caller,
  store_id: string | null,
  { mode: wanted, from, to }: ListCharges,
): Charges {
  let own = charges.where('merchant_id', '=', caller.merchant_id)
  if (store_id) own = own.where('store_id', '=', store_id)
  for (const mode of [caller.mode, wanted]) {
    // Written out, because an index has those of test mode only.
    if (mode) own = own.where('mode', '=', sql.lit(mode))
  }
  if (from) own = own.where('id', '>=', idAt(readInstant(from)))
  if (to) own = own.where('id', '<', idAt(readInstant(to)))
  return own
}

function withOwner(charges: Charges, filter: ListCharges, of: Belonging): Charges {
  let owned = charges
  const { subscription_id, payment_id, fingerprints } = of
  if (subscription_id) owned = owned.where('subscription_id', '=', subscription_id)
  if (payment_id) owned = owned.where('payment_id', '=', payment_id)
  if (fingerprints) owned = owned.where('card_fingerprint', 'in', [...fingerprints])
  const { last_four, name, exp_month, exp_year, email, phone, transaction_token_id } = filter
  if (last_four !== undefined && name !== undefined && exp_month && exp_year !== undefined) {
    owned = owned
      .where('last_four', '=', last_four)
      .where('cardholder', '=', name.toUpperCase())
      .where('exp_month', '=', exp_month)
      .where('exp_year', '=', exp_year < 100 ? 2000 + exp_year : exp_year)
  }
  if (email) owned = owned.where('email', '=', email.toLowerCase())
  const digits = phone?.replace('+', '').replace(/^0(?=\d)/, '')
  if (digits) owned = owned.where('phone', 'like', `%${digits}`)
  if (transaction_token_id) owned = owned.where('transaction_token_id', '=', transaction_token_id)
  return owned
}

function withContents(charges: Charges, { merchant_id }: Caller, filter: ListCharges): Charges {
  let chosen = charges
  const { amount_from, amount_to, metadata } = filter
  if (amount_from !== undefined) chosen = chosen.where('requested_amount', '>=', amount_from)
  if (amount_to !== undefined) chosen = chosen.where('requested_amount', '<', amount_to)
  const currency = filter.currency?.toUpperCase()
  if (currency) {
    chosen = chosen.where((where) =>
      where.or([
        where('requested_currency', '=', currency),
        where('charged_currency', '=', currency),
      ]),
    )
  }
  if (metadata) {
    chosen = chosen.where(metadataHasWords('charges', merchant_id, metadata))
  }
  return chosen
}
