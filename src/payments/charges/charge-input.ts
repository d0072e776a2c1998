import Type, { type Static } from 'typebox'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { AnyObject, Id, nullable } from '../../core/api/schemas.ts'
import { max_amount } from '../../core/money/money.ts'

export const Amount = Type.Integer({ minimum: 1, maximum: max_amount })
export const Currency = Type.String({ format: 'currency' })
const Url = Type.String({ format: 'url' })
const Endpoint = nullable(
  named(
    'CreateRedirect',
    Type.Object({
      endpoint: described(
        Type.Optional(nullable(Url)),
        "The customer's destination; its query gets the metadata, `svcChargeId` and " +
          '`svcTokenId`.',
      ),
    }),
    "The customer's destination afterwards.",
  ),
)
const short_text = Type.String({ minLength: 1, maxLength: 255 })

export const three_ds_modes = [
  'normal',
  'require',
  'force',
  'skip',
  'if_available',
  'provided',
] as const

/** The result of an authentication that was done elsewhere: all of it, or nothing. */
export const external_three_ds = [
  'authentication_value',
  'eci',
  'ds_transaction_id',
  'server_transaction_id',
  'message_version',
  'transaction_status',
] as const

export const ThreeDs = named(
  'CreateChargeThreeDs',
  Type.Object({
    mode: described(
      Type.Optional(nullable(Type.Enum([...three_ds_modes]))),
      'The same as `three_ds_mode` of a charge.',
    ),
    redirect_endpoint: described(
      Type.Optional(nullable(Url)),
      "The cardholder's destination after a challenge.",
    ),
    authentication_value: described(
      Type.Optional(nullable(short_text)),
      'With `provided`: the cryptogram of the authentication (CAVV).',
    ),
    eci: described(
      Type.Optional(nullable(short_text)),
      'With `provided`: the electronic commerce indicator.',
    ),
    ds_transaction_id: described(
      Type.Optional(nullable(short_text)),
      'With `provided`: the transaction id of the directory server.',
    ),
    server_transaction_id: described(
      Type.Optional(nullable(short_text)),
      'With `provided`: the transaction id of the 3-D Secure server.',
    ),
    message_version: described(
      Type.Optional(nullable(short_text)),
      'With `provided`: the version of 3-D Secure, such as `2.2.0`.',
    ),
    transaction_status: described(
      Type.Optional(nullable(short_text)),
      'With `provided`: the result of the authentication, such as `Y`.',
    ),
  }),
  'The 3-D Secure mode, or the result of an authentication done elsewhere.',
)

export const PatchCharge = named(
  'UpdateCharge',
  Type.Object({ metadata: Type.Optional(common.changed_metadata) }),
  'Changes to a charge.',
)

export const CreateCharge = named(
  'CreateCharge',
  Type.Object({
    transaction_token_id: described(Id, 'The token that is charged, `one_time` or `recurring`.'),
    amount: described(
      Amount,
      'The amount to charge, in the smallest unit of the currency: 1 to 999,999,999,999.',
    ),
    currency: described(Currency, 'The currency, as an ISO-4217 code in any case.'),
    only_direct_currency: described(
      Type.Optional(nullable(Type.Boolean())),
      'Whether the charge fails when no provider takes its currency, instead of being ' +
        'converted. Default: false.',
    ),
    capture: described(
      Type.Optional(nullable(Type.Boolean())),
      'Whether the money is taken immediately. `false` only authorizes it, for seven days; ' +
        'cards only. Default: true.',
    ),
    capture_at: described(
      Type.Optional(nullable(Type.String({ format: 'instant' }))),
      'Card with `capture: false`: when to capture, 1 hour to 7 days ahead. ' +
        'Convenience store and bank transfer: until when the customer can pay.',
    ),
    merchant_transaction_id: described(
      Type.Optional(nullable(Type.String({ pattern: '^[A-Za-z0-9]{1,32}$' }))),
      'Your own payment number, unique. For `we_chat`, `we_chat_mpm` and `we_chat_online` only.',
    ),
    metadata: Type.Optional(nullable(common.new_metadata)),
    redirect: described(
      Type.Optional(Endpoint),
      "The customer's destination after payment. For `alipay_online`, `alipay_plus_online` " +
        'and `pay_pay_online`.',
    ),
    redirect_three_ds: described(
      Type.Optional(Endpoint),
      "The cardholder's destination after a 3-D Secure challenge.",
    ),
    three_ds_mode: described(
      Type.Optional(nullable(Type.Enum([...three_ds_modes]))),
      'The 3-D Secure mode. `normal`, the default, skips authentication if the token was ' +
        'authenticated; `skip` must be enabled.',
    ),
    three_ds: described(
      Type.Optional(nullable(ThreeDs)),
      'The same as `three_ds_mode` and `redirect_three_ds` in one object, or the ' +
        'result of an authentication.',
    ),
    descriptor: described(
      Type.Optional(nullable(Type.String({ maxLength: 64 }))),
      'A text for the statement of the cardholder. For cards and Apple Pay only.',
    ),
    descriptor_phone_number: described(
      Type.Optional(nullable(Type.String({ maxLength: 32 }))),
      'A phone number for the statement of the cardholder. For cards and Apple Pay only.',
    ),
    ignore_descriptor_on_error: described(
      Type.Optional(nullable(Type.Boolean())),
      'Whether a descriptor is left out, not refused, where the payment type has none.',
    ),
    client_metadata: described(
      Type.Optional(nullable(AnyObject)),
      'Data of the client that created the charge. It is accepted and not stored.',
    ),
  }),
  'A new charge.',
)
export type CreateCharge = Static<typeof CreateCharge>
