import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import { mergeMetadata } from '../../api/merge-metadata.ts'
import type { Caller } from '../../core/access/caller.ts'
import { common, TokenTypeText } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail, failField } from '../../core/api/errors.ts'
import { Id, Instant, MetadataSchema, nullable } from '../../core/api/schemas.ts'
import { newUnguessableId } from '../../core/ids.ts'
import { max_amount } from '../../core/money/money.ts'
import { day_ms, minute_ms } from '../../core/time/clock.ts'
import { readInstant } from '../../core/typed/formats.ts'
import { now, type Service } from '../../service.ts'
import type { TokenAliasTable } from '../../store/tables/commerce/transfer-tables.ts'
import { getToken, type Token } from './token.ts'

type TokenAlias = Selectable<TokenAliasTable>

const default_life_ms = 15 * minute_ms
const longest_life_ms = day_ms

export const CreateAlias = named(
  'CreateTokenAlias',
  Type.Object({
    transaction_token_id: described(Id, 'The token to create an alias for.'),
    amount: described(
      Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: max_amount }))),
      'The amount of the planned payment, for the program that reads the alias. Needs `currency`.',
    ),
    currency: described(
      Type.Optional(nullable(Type.String({ format: 'currency' }))),
      'The currency of the planned payment. Needs `amount`.',
    ),
    metadata: described(
      Type.Optional(nullable(MetadataSchema)),
      'Keys and values of your own to store with the alias.',
    ),
    valid_until: described(
      Type.Optional(nullable(Type.String({ format: 'instant' }))),
      "The alias's expiry, at most 24 hours ahead. Default: 15 minutes from now.",
    ),
  }),
  'A new alias of a transaction token.',
)
type CreateAlias = Static<typeof CreateAlias>

export const NewAliasView = named(
  'NewTokenAlias',
  Type.Object({
    key: described(Id, 'The alias: a key that cannot be guessed.'),
    valid_until: described(Instant, "The alias's expiry."),
  }),
  'An alias of a transaction token.',
)

const text = nullable(Type.String())
export const AliasView = named(
  'TokenAlias',
  Type.Object({
    id: described(Id, 'The id of the transaction token.'),
    key: described(Id, 'The alias.'),
    merchant_id: common.merchant_id,
    store_id: common.store_id,
    email: described(text, 'The e-mail of the customer; null without one.'),
    payment_type: common.payment_type,
    active: described(Type.Boolean(), 'Whether the token can be charged.'),
    mode: common.mode,
    type: described(TokenTypeText, 'The kind of token.'),
    amount: described(
      nullable(Type.Integer()),
      'The amount of the planned payment, in the smallest unit of the currency; null if not given.',
    ),
    currency: described(text, 'The currency of the planned payment; null if not given.'),
    alias_metadata: described(
      MetadataSchema,
      'The keys and values that were stored with the alias.',
    ),
    valid_until: described(Instant, "The alias's expiry."),
    created_on: described(Instant, 'The creation time of the token.'),
    last_used_on: described(
      nullable(Instant),
      "The time of the token's last charge; null before it.",
    ),
  }),
  'The transaction token behind an alias.',
)

export function viewNewAlias({ id, valid_until }: TokenAlias) {
  return { key: id, valid_until: valid_until.toISOString() }
}

/** The token under its other name, with what the alias says of the payment. */
export function viewAlias(alias: TokenAlias, token: Token) {
  const { id, merchant_id, store_id, email, payment_type, active, mode, type } = token
  return {
    ...{ id, merchant_id, store_id, email, payment_type, active, mode, type },
    amount: alias.amount,
    currency: alias.currency,
    alias_metadata: alias.metadata,
    ...viewNewAlias(alias),
    created_on: token.created_on.toISOString(),
    last_used_on: token.last_used_on?.toISOString() ?? null,
  }
}

/** An unguessable name for the token, with an expiry. */
export async function createAlias(
  service: Service,
  caller: Caller & { store_id: string },
  body: CreateAlias,
): Promise<TokenAlias> {
  const { amount = null, currency = null, metadata } = body
  if (amount !== null && currency === null)
    failField('currency', 'REQUIRED_VALUE', 'is required with amount')
  if (currency !== null && amount === null)
    failField('amount', 'REQUIRED_VALUE', 'is required with currency')
  const token = await getToken(service, caller, caller.store_id, body.transaction_token_id)
  if (!token.active) fail('NOT_FOUND')
  const { merchant_id, store_id, mode, id: transaction_token_id } = token
  return service.db
    .insertInto('token_aliases')
    .values({
      ...{ merchant_id, store_id, mode, transaction_token_id, amount },
      id: newUnguessableId(),
      currency: currency?.toUpperCase() ?? null,
      metadata: JSON.stringify(mergeMetadata({}, metadata ?? {})),
      valid_until: readEnd(service, body.valid_until),
      created_on: now(service),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

function readEnd(service: Service, given: string | null | undefined): Date {
  const now_ms = service.clock.now()
  const end = given ? readInstant(given) : null
  if (!end) return new Date(now_ms + default_life_ms)
  if (end.getTime() <= now_ms) failField('valid_until', 'MUST_BE_FUTURE_TIME')
  if (end.getTime() > now_ms + longest_life_ms) {
    failField('valid_until', 'EXPIRATION_DATE_OUT_OF_BOUNDS', 'must lie within 24 hours')
  }
  return end
}

export interface AliasPath {
  store_id: string
  alias_key: string
}

/** An alias whose time is over is as gone as one that never was. */
export async function getAlias(
  service: Service,
  caller: Caller,
  { store_id, alias_key }: AliasPath,
): Promise<{ alias: TokenAlias; token: Token }> {
  const alias = await service.db
    .selectFrom('token_aliases')
    .selectAll()
    .where('merchant_id', '=', caller.merchant_id)
    .where('store_id', '=', store_id)
    .where('id', '=', alias_key)
    .where('valid_until', '>', now(service))
    .executeTakeFirst()
  if (!alias) fail('NOT_FOUND')
  return { alias, token: await getToken(service, caller, store_id, alias.transaction_token_id) }
}

export async function deleteAlias(
  service: Service,
  caller: Caller,
  path: AliasPath,
): Promise<void> {
  const { alias } = await getAlias(service, caller, path)
  const gone = await service.db
    .deleteFrom('token_aliases')
    .where('merchant_id', '=', alias.merchant_id)
    .where('id', '=', alias.id)
    .returning('id')
    .executeTakeFirst()
  if (!gone) fail('NOT_FOUND')
}
