import type { Selectable } from 'kysely'
import Type from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { fail } from '../../core/errors.ts'
import { isoTime } from '../../core/iso-time.ts'
import { Id, Instant, MetadataSchema, nullable, PageOf } from '../../core/schemas.ts'
import type { Service } from '../../service.ts'
import { newRowReader } from '../../store/row-reader.ts'
import type { TokenThreeDs, TransactionTokenTable } from '../../store/tables.ts'
import { isCardData, type TokenData } from '../../store/token-data.ts'
import { CreatedOn, compatibilityOf } from '../compatibility.ts'
import type { Names } from '../stores/store-names.ts'

export type Token = Selectable<TransactionTokenTable>

const ErrorView = nullable(
  Type.Object({ code: Type.Integer(), message: Type.String(), detail: nullable(Type.String()) }),
)

export { ErrorView as ChargeErrorView }

const Phone = Type.Object({ country_code: Type.Integer(), local_number: Type.String() })
const text = nullable(Type.String())
const whole = Type.Integer()

/** Cards and Apple Pay have the first five; what the other payment types have stands below. */
const TokenDataView = Type.Partial(
  Type.Object({
    card: Type.Object({
      cardholder: Type.String(),
      exp_month: whole,
      exp_year: whole,
      card_bin: Type.String(),
      last_four: Type.String(),
      brand: Type.String(),
      card_type: text,
      country: text,
      category: text,
      issuer: text,
      sub_brand: Type.String(),
    }),
    billing: Type.Object({
      line1: text,
      line2: text,
      state: text,
      city: text,
      country: text,
      zip: text,
      phone_number: nullable(Phone),
    }),
    cvv_authorize: Type.Object({
      enabled: Type.Boolean(),
      status: text,
      currency: text,
      charge_id: nullable(Id),
      credentials_id: nullable(Id),
    }),
    cvv_authorize_check: Type.Object({ status: text, charge_id: nullable(Id), date: text }),
    three_ds: Type.Object({
      enabled: Type.Boolean(),
      status: text,
      redirect_endpoint: text,
      redirect_id: nullable(Id),
      error: ErrorView,
      exempted: Type.Boolean(),
    }),
    brand: text,
    gateway: text,
    qr_image_url: text,
    customer_name: Type.String(),
    convenience_store: Type.String(),
    phone_number: nullable(Phone),
    expiration_period: text,
    expiration_time_shift: text,
    call_method: Type.String(),
    issuer_token: text,
    issuer_token_payload: nullable(Type.Object({}, { additionalProperties: true })),
    os_type: text,
    user_identifier: text,
    user_identifier_source: text,
    match_amount: text,
    bank_code: text,
    bank_name: text,
    branch_code: text,
    branch_name: text,
    account_number: text,
    account_holder_name: text,
    account_id: nullable(Id),
    paidy_token: Type.String(),
    shipping_address: nullable(
      Type.Object({ line1: text, line2: text, city: text, state: text, zip: text }),
    ),
  }),
)

const view_fields = {
  id: Id,
  merchant_id: Id,
  store_id: Id,
  email: text,
  payment_type: Type.String(),
  active: Type.Boolean(),
  mode: Type.String(),
  type: Type.String(),
  usage_limit: text,
  confirmed: nullable(Type.Boolean()),
  metadata: MetadataSchema,
  ip_address: text,
  updated_on: Instant,
  last_used_on: nullable(Instant),
}
export const TokenView = Type.Object({ ...view_fields, created_on: Instant, data: TokenDataView })
export const NewTokenView = Type.Object({
  ...view_fields,
  created_on: CreatedOn,
  data: TokenDataView,
})
/** The payer, as lists show it. */
export const UserData = Type.Object({ cardholder_name: text, email: text, brand: text })
export const TokenItemView = Type.Object({
  ...view_fields,
  created_on: Instant,
  merchant_name: Type.String(),
  store_name: Type.String(),
  user_data: UserData,
})
export const TokenPage = PageOf(TokenItemView)

/**
 * A browser that has only the JWT sees what it sent itself, without e-mail, address and metadata. The
 * view is one object, added to and never copied: every new token is shown twice.
 */
function viewOf<Made extends number | string, More extends object>(
  token: Token,
  with_secret: boolean,
  created_on: Made,
  more: More,
) {
  const view = {
    id: token.id,
    merchant_id: token.merchant_id,
    store_id: token.store_id,
    email: with_secret ? token.email : null,
    payment_type: token.payment_type,
    active: token.active,
    mode: token.mode,
    type: token.type,
    usage_limit: token.usage_limit,
    confirmed: token.confirmed,
    metadata: with_secret ? token.metadata : {},
    ip_address: with_secret ? token.ip_address : null,
    updated_on: isoTime(token.updated_on),
    last_used_on: token.last_used_on && isoTime(token.last_used_on),
    created_on,
  }
  return Object.assign(view, more)
}

type ShownThreeDs = TokenThreeDs & { exempted: boolean }

function viewData({ data, cvv_authorize, cvv_authorize_check, three_ds }: Token) {
  if (!isCardData(data)) return data
  const { card, billing } = data
  const exempted = three_ds.exempted ?? false
  const shown = three_ds.exempted === null ? { ...three_ds, exempted } : three_ds
  return { card, billing, cvv_authorize, cvv_authorize_check, three_ds: shown as ShownThreeDs }
}

export function viewToken(token: Token, with_secret = true) {
  return viewOf(token, with_secret, isoTime(token.created_on), { data: viewData(token) })
}

/** The answer to a creation has its own form of `created_on`. */
export function viewNewToken({ config }: Service, token: Token, with_secret: boolean) {
  const created_on = compatibilityOf(config).createdOn(token.created_on)
  return viewOf(token, with_secret, created_on, { data: viewData(token) })
}

export function viewTokenItem(token: Token, names: Names) {
  const more = { ...names, user_data: userData(token) }
  return viewOf(token, true, isoTime(token.created_on), more)
}

export function userData({ data, email }: Pick<Token, 'data' | 'email'>) {
  const { name: cardholder_name, brand } = payerOf(data)
  return { cardholder_name, email, brand }
}

/** Who pays, and with which brand, where that is known. */
export function payerOf(data: TokenData): { name: string | null; brand: string | null } {
  if (isCardData(data)) return { name: data.card.cardholder, brand: data.card.brand }
  if ('convenience_store' in data)
    return { name: data.customer_name, brand: data.convenience_store }
  return { name: null, brand: 'brand' in data ? data.brand : null }
}

/** Tokens by their key, for any caller. */
export const tokenReader = newRowReader('transaction_tokens')

/** The token, if the caller may see it; without a store, in any store of its merchant. */
export async function getToken(
  service: Service,
  caller: Caller,
  store_id: string | null,
  id: string,
): Promise<Token> {
  let tokens = service.db
    .selectFrom('transaction_tokens')
    .selectAll()
    .where('merchant_id', '=', caller.merchant_id)
    .where('id', '=', id)
  if (store_id) tokens = tokens.where('store_id', '=', store_id)
  if (caller.mode) tokens = tokens.where('mode', '=', caller.mode)
  return (await tokens.executeTakeFirst()) ?? fail('NOT_FOUND')
}
