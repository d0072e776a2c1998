import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { fail } from '../../core/errors.ts'
import { Id, Instant, Label, MetadataSchema, nullable, PageOf } from '../../core/schemas.ts'
import type { Service } from '../../service.ts'
import type { TransactionTokenTable } from '../../store/tables.ts'
import { CreatedOn, compatibilityOf } from '../compatibility.ts'

export type Token = Selectable<TransactionTokenTable>

const Text = nullable(Type.String({ maxLength: 255 }))
const Digits = Type.Unsafe<string | number>({ type: ['string', 'integer'] })

const billing_fields = {
  line1: Type.Optional(Text),
  line2: Type.Optional(Text),
  state: Type.Optional(Text),
  city: Type.Optional(Text),
  country: Type.Optional(nullable(Type.String({ format: 'country' }))),
  zip: Type.Optional(Text),
  phone_number: Type.Optional(
    nullable(Type.Object({ country_code: Digits, local_number: Digits })),
  ),
}

const RedirectUrl = Type.String({ format: 'url' })

export const CardInput = Type.Object({
  cardholder: Label(),
  card_number: Type.String({ minLength: 1, maxLength: 40 }),
  exp_month: Digits,
  exp_year: Digits,
  cvv: Type.Optional(Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'] })),
  ...billing_fields,
  cvv_authorize: Type.Optional(
    Type.Object({
      enabled: Type.Optional(Type.Boolean()),
      currency: Type.Optional(nullable(Type.String({ format: 'currency' }))),
    }),
  ),
  three_ds: Type.Optional(
    Type.Object({
      enabled: Type.Optional(Type.Boolean()),
      redirect_endpoint: Type.Optional(nullable(RedirectUrl)),
    }),
  ),
})
export type CardInput = Static<typeof CardInput>

export const ApplePayInput = Type.Object({
  applepay_token: Type.String({ minLength: 1, maxLength: 20_000 }),
  cardholder: Label(),
  ...billing_fields,
})
export type ApplePayInput = Static<typeof ApplePayInput>

const common = {
  type: Type.Optional(nullable(Type.Enum(['one_time', 'subscription', 'recurring']))),
  usage_limit: Type.Optional(nullable(Type.String({ maxLength: 16 }))),
  email: Type.Optional(nullable(Type.String({ format: 'email' }))),
  ip_address: Type.Optional(nullable(Type.String({ format: 'ipv4' }))),
  metadata: Type.Optional(nullable(MetadataSchema)),
  subscription: Type.Optional(Type.Boolean()),
}

const CardToken = Type.Object({
  payment_type: Type.Literal('card'),
  ...common,
  data: CardInput,
})
const ApplePayToken = Type.Object({
  payment_type: Type.Literal('apple_pay'),
  ...common,
  data: ApplePayInput,
})

/** One branch for each payment type, chosen by it, so that errors speak of the right one. */
export const CreateToken = Type.Unsafe<Static<typeof CardToken> | Static<typeof ApplePayToken>>({
  type: 'object',
  required: ['payment_type'],
  discriminator: { propertyName: 'payment_type' },
  oneOf: [CardToken, ApplePayToken],
})
export type CreateToken = Static<typeof CreateToken>

export const PatchToken = Type.Object({
  email: Type.Optional(Type.String({ format: 'email' })),
  metadata: Type.Optional(MetadataSchema),
  data: Type.Optional(
    Type.Object({
      cvv: CardInput.properties.cvv,
      cardholder: Type.Optional(Label()),
      exp_month: Type.Optional(Digits),
      exp_year: Type.Optional(Digits),
      ...billing_fields,
      cvv_authorize: CardInput.properties.cvv_authorize,
    }),
  ),
})
export type PatchToken = Static<typeof PatchToken>

const ErrorView = nullable(
  Type.Object({ code: Type.Integer(), message: Type.String(), detail: nullable(Type.String()) }),
)

export { ErrorView as ChargeErrorView }

const PhoneView = nullable(
  Type.Object({ country_code: Type.Integer(), local_number: Type.String() }),
)
const text = nullable(Type.String())

const TokenDataView = Type.Object({
  card: Type.Object({
    cardholder: Type.String(),
    exp_month: Type.Integer(),
    exp_year: Type.Integer(),
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
    phone_number: PhoneView,
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
    exempted: nullable(Type.Boolean()),
  }),
})

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
export const TokenItemView = Type.Object({
  ...view_fields,
  created_on: Instant,
  user_data: Type.Object({ cardholder_name: text, email: text, brand: text }),
})
export const TokenPage = PageOf(TokenItemView)

/** A browser that has only the JWT sees what it sent itself, without e-mail, address and metadata. */
function fieldsOf(token: Token, with_secret: boolean) {
  return {
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
    updated_on: token.updated_on.toISOString(),
    last_used_on: token.last_used_on?.toISOString() ?? null,
  }
}

export function viewToken(token: Token, with_secret = true) {
  const { data, cvv_authorize, cvv_authorize_check, three_ds } = token
  return {
    ...fieldsOf(token, with_secret),
    created_on: token.created_on.toISOString(),
    data: { ...data, cvv_authorize, cvv_authorize_check, three_ds },
  }
}

/** The answer to a creation has its own form of `created_on`. */
export function viewNewToken({ config }: Service, token: Token, with_secret: boolean) {
  const created_on = compatibilityOf(config).createdOn(token.created_on)
  return { ...viewToken(token, with_secret), created_on }
}

export function viewTokenItem(token: Token) {
  const { card } = token.data
  return {
    ...fieldsOf(token, true),
    created_on: token.created_on.toISOString(),
    user_data: { cardholder_name: card.cardholder, email: token.email, brand: card.brand },
  }
}

/** The token, if the caller may see it. */
export async function getToken(
  service: Service,
  caller: Caller,
  store_id: string,
  id: string,
): Promise<Token> {
  let tokens = service.db
    .selectFrom('transaction_tokens')
    .selectAll()
    .where('merchant_id', '=', caller.merchant_id)
    .where('store_id', '=', store_id)
    .where('id', '=', id)
  if (caller.mode) tokens = tokens.where('mode', '=', caller.mode)
  return (await tokens.executeTakeFirst()) ?? fail('NOT_FOUND')
}
