import Type from 'typebox'
import { payment_types } from '../payments/payment-types.ts'
import { isNameIn, tableOf } from '../table-names.ts'
import { periods } from '../time/schedule.ts'
import { described, named, shownAs, textOf } from './described-schemas.ts'
import { Id, Instant, MetadataSchema } from './schemas.ts'

/** Fields that many resources have, each with one description for all of them. */

/** The mode in a parameter or a body. */
export const ModeName = named(
  'Mode',
  Type.Enum(['test', 'live']),
  'In test mode no money moves: simulators take the place of payment providers.',
)
/** The mode in a response. */
export const Mode = shownAs(Type.String(), ModeName)

export const PaymentTypeText = textOf('PaymentType', payment_types, 'How the customer pays.')
export const TokenTypeText = textOf(
  'TokenType',
  ['one_time', 'subscription', 'recurring'],
  'The use of a transaction token: one charge, a subscription, or any number of ' + 'charges.',
)
export const PeriodText = textOf(
  'Period',
  Object.keys(periods),
  'How often a subscription is billed.',
)

export const common = {
  merchant_id: described(Id, 'The merchant that it belongs to.'),
  store_id: described(Id, 'The store that it belongs to.'),
  charge_id: described(Id, 'The charge that it belongs to.'),
  transaction_token_id: described(Id, 'The transaction token that is charged.'),
  merchant_name: Type.String({ description: 'The name of the merchant.' }),
  store_name: Type.String({ description: 'The name of the store.' }),
  mode: described(Mode, 'The mode it belongs to.'),
  payment_type: described(PaymentTypeText, 'How the customer pays.'),
  amount: Type.Integer({
    description: 'The amount in the smallest unit of the currency; yen have no decimals.',
  }),
  currency: Type.String({ description: 'The currency, as an ISO-4217 code in capitals.' }),
  amount_formatted: Type.Number({
    description: 'The same amount in the major unit of the currency: 2.5 for 250 cents.',
  }),
  metadata: described(MetadataSchema, 'Keys and values of your own, returned as you sent them.'),
  new_metadata: described(MetadataSchema, 'Keys and values of your own to store with it.'),
  changed_metadata: described(
    MetadataSchema,
    'Keys that are added or replaced; all others stay as they are.',
  ),
  created_on: described(Instant, 'The creation time.'),
  updated_on: described(Instant, 'The time of the last change.'),
}

const id_texts = {
  merchant_id: 'The id of the merchant: your own.',
  store_id: 'The id of the store.',
  app_token_id: 'The id of the application token: `jti`.',
  token_id: 'The id of the transaction token.',
  alias_key: 'The `key` of the alias.',
  charge_id: 'The id of the charge.',
  refund_id: 'The id of the refund.',
  cancel_id: 'The id of the cancel.',
  dispute_id: 'The id of the dispute.',
  file_id: 'The id of the file.',
  customs_declaration_id: 'The id of the customs declaration.',
  subscription_id: 'The id of the subscription.',
  batch_id: 'The id of the batch.',
  payment_id: 'The id of the payment of the subscription.',
  ledger_id: 'The id of the ledger transaction.',
  transfer_id: 'The id of the transfer.',
  bank_account_id: 'The id of the bank account.',
  webhook_id: 'The id of the webhook.',
  event_id: 'The id of the event.',
  replay_id: 'The id of the replay.',
  customer_key: 'The key of the customer: its `id`.',
  checkout_session_id: 'The id of the checkout session.',
  payment_link_id: 'The id of the payment link.',
  view_id: 'The id of the saved view.',
  user_id: 'The id of the user.',
  session_id: 'The id of the session.',
  connector_id: 'The id of the connector.',
} as const

export type IdName = keyof typeof id_texts

function isIdName(name: string): name is IdName {
  return isNameIn(id_texts, name)
}

/** The ids in a path, such as `/stores/:store_id`. */
export function idsIn(path: string): Record<string, typeof Id> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return pathIds(...names.filter(isIdName))
}

/** Ids in a path. */
export function pathIds<const Name extends IdName>(...names: Name[]): Record<Name, typeof Id> {
  return tableOf(names, (name) => described(Id, id_texts[name]))
}

/** Parameters by which several lists are filtered. */
export const filters = {
  mode: Type.Optional(described(ModeName, 'Only items of this mode.')),
  currency: Type.Optional(
    Type.String({ format: 'currency', description: 'Only items in this currency.' }),
  ),
  from: Type.Optional(
    Type.String({ format: 'instant', description: 'Only items created at this time or later.' }),
  ),
  to: Type.Optional(
    Type.String({ format: 'instant', description: 'Only items created before this time.' }),
  ),
}
