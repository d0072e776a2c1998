import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { named } from '../../core/described-schemas.ts'
import { fail, failField } from '../../core/errors.ts'
import { newUnguessableId } from '../../core/ids.ts'
import { max_amount } from '../../core/money/money.ts'
import { Id, Instant, MetadataSchema, nullable } from '../../core/schemas.ts'
import { readInstant } from '../../core/text/formats.ts'
import type { Metadata } from '../../core/text/metadata.ts'
import { day_ms, minute_ms } from '../../core/time/clock.ts'
import { now, type Service } from '../../service.ts'
import type { TokenAliasTable } from '../../store/tables/transfer-tables.ts'
import { mergeMetadata } from '../merge-metadata.ts'
import { getToken, type Token } from './token.ts'

type TokenAlias = Selectable<TokenAliasTable>

const default_life_ms = 15 * minute_ms
const longest_life_ms = day_ms

export const CreateAlias = named(
  'CreateTokenAlias',
  Type.Object({
    transaction_token_id: Id,
    amount: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: max_amount }))),
    currency: Type.Optional(nullable(Type.String({ format: 'currency' }))),
    metadata: Type.Optional(nullable(MetadataSchema)),
    valid_until: Type.Optional(nullable(Type.String({ format: 'instant' }))),
  }),
)
type CreateAlias = Static<typeof CreateAlias>

export const NewAliasView = named('NewTokenAlias', Type.Object({ key: Id, valid_until: Instant }))

const text = nullable(Type.String())
export const AliasView = named(
  'TokenAlias',
  Type.Object({
    id: Id,
    key: Id,
    merchant_id: Id,
    store_id: Id,
    email: text,
    payment_type: Type.String(),
    active: Type.Boolean(),
    mode: Type.String(),
    type: Type.String(),
    amount: nullable(Type.Integer()),
    currency: text,
    alias_metadata: MetadataSchema,
    valid_until: Instant,
    created_on: Instant,
    last_used_on: nullable(Instant),
  }),
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

/** An unguessable name for the token, which expires by itself. */
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
      metadata: JSON.stringify(mergeMetadata({}, (metadata ?? {}) as Metadata)),
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
