import Type, { type TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { described, named } from '../../../core/api/described-schemas.ts'
import { Id } from '../../../core/api/schemas.ts'
import { provider_policy } from '../../../core/limits/retry-policies.ts'
import { max_amount } from '../../../core/money/money.ts'
import { Instructions } from '../../../core/payments/instructions.ts'
import { ThreeDsResult } from './acquirer-requests.ts'

/**
 * The valid responses of an acquirer. An unlisted field makes a response invalid: it might be the one that
 * restricts an approval.
 */
export const closed = { additionalProperties: false }
export const Text = (max_length: number, description: string) =>
  Type.String({ minLength: 1, maxLength: max_length, description })
const Optional = (max_length: number, description: string) =>
  Type.Optional(Text(max_length, description))

const trace = {
  provider_reference: Optional(255, 'How you name the payment, or the operation of one.'),
  request_id: Optional(255, 'How your log names the call, for your support.'),
  raw_code: Optional(64, 'Your own code of the outcome.'),
  raw_message: Optional(500, 'Your own text about the outcome. It must not contain a card number.'),
}
const data = Type.Optional(
  Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
    description: 'Comes back as `provider_data` with every later operation of the payment.',
  }),
)
const customs = Type.Optional(
  Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 255 }), {
    maxProperties: 32,
    description: 'Of a declaration: what customs said.',
  }),
)

const Approved = named(
  'Approved',
  Type.Object(
    {
      outcome: Type.Literal('approved', { description: 'It was done, with the whole amount.' }),
      ...trace,
      authorization_code: Optional(64, 'Of the issuer.'),
      network_transaction_id: Optional(64, 'Of the card network.'),
      data,
      three_ds: Type.Optional(ThreeDsResult),
      customs,
    },
    closed,
  ),
)
const Refused = named(
  'Refused',
  Type.Object(
    {
      outcome: Type.Literal('refused', { description: 'It was not done, and never will be.' }),
      ...trace,
      code: Type.Integer({
        minimum: 300,
        maximum: 699,
        description: 'Why, as the table of errors of charges in docs/errors.md names it.',
      }),
      detail: Type.Optional(
        Type.Unsafe<string | null>({
          type: ['string', 'null'],
          maxLength: 500,
          description: 'More about it, for the merchant.',
        }),
      ),
      customs,
    },
    closed,
  ),
)
const Waiting = named(
  'Waiting',
  Type.Object(
    {
      outcome: Type.Literal('waiting', { description: 'The customer has to act.' }),
      ...trace,
      instructions: named('Instructions', Instructions, 'What the customer needs in order to act.'),
      data,
    },
    closed,
  ),
)
const Unknown = named(
  'Unknown',
  Type.Object(
    {
      outcome: Type.Literal('unknown', { description: 'It is not decided yet.' }),
      ...trace,
      ask_again_ms: Type.Integer({
        minimum: 0,
        maximum: provider_policy.max_named_wait_ms,
        description: 'After which time to inquire.',
      }),
    },
    closed,
  ),
)
const NotTaken = named(
  'NotTaken',
  Type.Object(
    {
      outcome: Type.Literal('not_taken', {
        description: 'The call had no effect, and no earlier call with its reference had one.',
      }),
      ...trace,
      reason: Text(500, 'Why, for the operator.'),
    },
    closed,
  ),
)
const NeverReceived = named(
  'NeverReceived',
  Type.Object(
    {
      outcome: Type.Literal('never_received', {
        description: 'No operation with this reference has arrived.',
      }),
      ...trace,
    },
    closed,
  ),
)

export const OutcomeResponse = named(
  'Outcome',
  Type.Union([Approved, Refused, Waiting, Unknown, NotTaken]),
  'What became of an operation.',
)
export const InquiryResponse = named(
  'Inquiry',
  Type.Union([Approved, Refused, Waiting, Unknown, NeverReceived]),
  'What is known of an operation.',
)

export const ApplePaySessionResponse = named(
  'ApplePaySession',
  Type.Object(
    {
      session: Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
        maxProperties: 32,
        description: 'What Apple answered, unchanged. The browser gets it.',
      }),
    },
    closed,
  ),
)

export const max_deposits = 5000
export const DepositsResponse = named(
  'Deposits',
  Type.Object(
    {
      deposits: Type.Array(
        Type.Object(
          {
            reference: Text(255, 'Your name of this deposit, which never changes.'),
            amount: Type.Integer({ minimum: 1, maximum: max_amount, description: 'What arrived.' }),
            currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
            paid_on: Type.String({ format: 'date-time', description: 'When it arrived.' }),
            name: Type.Unsafe<string | null>({
              type: ['string', 'null'],
              maxLength: 255,
              description: 'Who paid, where it is known.',
            }),
          },
          closed,
        ),
        { maxItems: max_deposits, description: 'All money that has arrived for the payment.' },
      ),
    },
    closed,
  ),
)

export const instrument_kinds = [
  'card',
  'wallet',
  'apple_pay',
  'online',
  'qr',
  'konbini',
  'bank_transfer',
] as const

export const CapabilitiesResponse = named(
  'Capabilities',
  Type.Object(
    {
      api_version: Type.Literal(1, { description: 'The version of this API.' }),
      name: Text(100, 'What operators call you.'),
      instruments: Type.Array(Type.Enum([...instrument_kinds]), {
        maxItems: 16,
        description: 'Kinds of instruments that you take. Payments with others are not sent.',
      }),
      brands: Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string', maxLength: 64 },
        maxItems: 200,
        description: 'Brands that you take; null: all. Payments of others are not sent.',
      }),
      currencies: Type.Array(Type.String({ pattern: '^[A-Z]{3}$' }), {
        maxItems: 200,
        description: 'Currencies that you take. Payments in others are not sent.',
      }),
      settlements: Type.Optional(
        Type.Boolean({ description: 'Whether `/v1/settlements` is there.' }),
      ),
      disputes: Type.Optional(
        Type.Boolean({ description: 'Whether `/v1/disputes` and the response to one are there.' }),
      ),
    },
    closed,
  ),
)

export const max_notified = 100
export const NotificationBody = named(
  'Notification',
  Type.Object(
    {
      payments: Type.Array(
        Type.Union([
          Type.Object({ provider_reference: Text(255, 'How you named the payment.') }, closed),
          Type.Object(
            {
              merchant_id: described(Id, 'As in the request.'),
              charge_id: described(Id, 'As in the request.'),
            },
            closed,
          ),
        ]),
        {
          minItems: 1,
          maxItems: max_notified,
          description: 'The payments of which something is new. Each is inquired.',
        },
      ),
    },
    closed,
  ),
  'A hint to inquire. It may be repeated, late or out of order.',
)

const validators = new Map<TSchema, Validator>()

/** Compiled when it is first asked for. */
export function validatorOf(schema: TSchema): Validator {
  const validator = validators.get(schema) ?? Compile(schema)
  validators.set(schema, validator)
  return validator
}
