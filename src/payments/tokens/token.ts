import Type from 'typebox'
import type { Names } from '../../accounts/stores/store-names.ts'
import { CreatedOn, compatibilityOf } from '../../api/responses/compatibility.ts'
import type { Caller } from '../../core/access/caller.ts'
import { common, TokenTypeText } from '../../core/api/common-fields.ts'
import {
  allOf,
  described,
  named,
  oneBy,
  pascalCase,
  shownAs,
} from '../../core/api/described-schemas.ts'
import { Id, Instant, nullable, PageOf, withTotal } from '../../core/api/schemas.ts'
import { isoTime } from '../../core/time/iso-time.ts'
import { cardDataOf, methods, payerOf } from '../../methods/method-table.ts'
import type { Service } from '../../service.ts'
import { requireRow } from '../../store/sql/reads/find-row.ts'
import { newRowReader } from '../../store/sql/reads/row-reader.ts'
import type { TokenThreeDs } from '../../store/tables/payments/token-tables.ts'
import type { Token } from '../../store/tables/rows.ts'

export type { Token }

const text = nullable(Type.String())

/** The fields that each payment method shows. */
const TokenDataView = Type.Unsafe<object>(
  Type.Partial(Type.Object(Object.assign({}, ...Object.values(methods).map(({ shown }) => shown)))),
)

const view_fields = {
  id: described(Id, 'The id of the transaction token.'),
  merchant_id: common.merchant_id,
  store_id: common.store_id,
  email: described(
    text,
    'The e-mail of the customer; null without one, and for a browser without the secret.',
  ),
  payment_type: common.payment_type,
  active: described(
    Type.Boolean(),
    'Whether it can be charged: false when it was used up, deleted or has expired.',
  ),
  mode: common.mode,
  type: described(TokenTypeText, 'The kind of token.'),
  usage_limit: described(
    text,
    'The charge limit: a number, or an interval such as `monthly`; null: no limit.',
  ),
  confirmed: described(
    nullable(Type.Boolean()),
    'Whether the customer has confirmed it; null where no confirmation is needed.',
  ),
  metadata: common.metadata,
  ip_address: described(
    text,
    'The IPv4 address of the customer; null without one, and for a browser without the secret.',
  ),
  updated_on: common.updated_on,
  last_used_on: described(nullable(Instant), 'The time of the last charge; null before it.'),
}
/** Only the response to a renewal, and its event, have it. */
const previous_id = described(
  Type.Optional(Id),
  'After a renewal: the token that this one replaces.',
)
/** The described view of a token: one shape for each payment type. */
const TokenFields = named(
  'TokenFields',
  Type.Object({
    ...view_fields,
    previous_id,
    created_on: described(
      CreatedOn,
      'The creation time: milliseconds since 1970 in the response to the creation, ' +
        'otherwise ISO-8601.',
    ),
  }),
  'The common fields of transaction tokens.',
)
const shapes = Object.entries(methods).map(([name, { shown }]) => {
  const title = `${pascalCase(name)}Token`
  const data = named(
    `${title}Data`,
    Type.Partial(Type.Object(shown)),
    `The payment details that a token of the type \`${name}\` shows.`,
  )
  const own = Type.Object({
    payment_type: Type.Literal(name, { description: 'How the customer pays.' }),
    data: described(data, "The customer's payment details."),
  })
  return named(
    title,
    allOf(TokenFields, own),
    `A transaction token of the payment type \`${name}\`.`,
  )
})
const TokenSchema = named(
  'TransactionToken',
  oneBy('payment_type', shapes),
  'The payment details of a customer. `payment_type` determines the fields of `data`.',
)

export const TokenView = shownAs(
  Type.Object({ ...view_fields, previous_id, created_on: Instant, data: TokenDataView }),
  TokenSchema,
)
export const NewTokenView = shownAs(
  Type.Object({ ...view_fields, created_on: CreatedOn, data: TokenDataView }),
  TokenSchema,
)
/** The payer, as lists show it. */
export const UserData = named(
  'PayerSummary',
  Type.Object({
    cardholder_name: described(
      text,
      'The name of the customer; null where the payment type has none.',
    ),
    email: described(text, 'The e-mail of the customer; null without one.'),
    brand: described(text, 'The brand of the card or wallet; null where it is not known.'),
  }),
  'The payer.',
)
export const TokenItemView = named(
  'TransactionTokenItem',
  Type.Object({
    ...view_fields,
    created_on: common.created_on,
    merchant_name: common.merchant_name,
    store_name: common.store_name,
    user_data: described(UserData, 'The payer.'),
  }),
  'A transaction token in a list.',
)
export const TokenPage = withTotal(PageOf(TokenItemView))

/**
 * A browser that has only the JWT sees what it sent itself, without e-mail, address and metadata. The
 * view is one object, added to and never copied: every new token is shown twice.
 */
function viewOf<Created extends number | string, More extends object>(
  token: Token,
  with_secret: boolean,
  created_on: Created,
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

function viewData(token: Token) {
  const of_card = cardDataOf(token)
  if (!of_card) return token.data
  const { card, billing } = of_card
  const { cvv_authorize, cvv_authorize_check, three_ds } = token
  const exempted = three_ds.exempted ?? false
  const shown = three_ds.exempted === null ? { ...three_ds, exempted } : three_ds
  return { card, billing, cvv_authorize, cvv_authorize_check, three_ds: shown as ShownThreeDs }
}

export function viewToken(token: Token, with_secret = true) {
  return viewOf(token, with_secret, isoTime(token.created_on), { data: viewData(token) })
}

/** The response to a creation has its own form of `created_on`. */
export function viewNewToken({ config }: Service, token: Token, with_secret: boolean) {
  const created_on = compatibilityOf(config).createdOn(token.created_on)
  return viewOf(token, with_secret, created_on, { data: viewData(token) })
}

export function viewTokenItem(token: Token, names: Names) {
  const more = { ...names, user_data: userData(token) }
  return viewOf(token, true, isoTime(token.created_on), more)
}

export function userData(token: Pick<Token, 'payment_type' | 'data' | 'email'>) {
  const { name: cardholder_name, brand } = payerOf(token)
  return { cardholder_name, email: token.email, brand }
}

/** Tokens by their key. */
export const tokenReader = newRowReader('transaction_tokens')

export type TokenReader = Pick<Caller, 'merchant_id' | 'mode'>

/** The token, if the caller may see it; without a store, in any store of its merchant. */
export async function getToken(
  service: Service,
  caller: TokenReader,
  store_id: string | null,
  id: string,
  lock = false,
): Promise<Token> {
  const { merchant_id, mode } = caller
  return requireRow(service, 'transaction_tokens', { merchant_id, store_id, id, mode }, lock)
}
