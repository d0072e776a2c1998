import Type, { type Static } from 'typebox'
import { common } from '../../../core/api/common-fields.ts'
import { described, extended, named, pascalCase } from '../../../core/api/described-schemas.ts'
import { Label, nullable } from '../../../core/api/schemas.ts'
import { CardInput } from '../../../methods/card/card-input.ts'
import { methods } from '../../../methods/method-table.ts'
import { billing_fields, Digits } from '../../../methods/pieces/input-pieces.ts'

const common_fields = {
  type: described(
    Type.Optional(nullable(Type.Enum(['one_time', 'subscription', 'recurring']))),
    'What the token is for. Default: `one_time`, or `subscription` when `subscription` is true.',
  ),
  usage_limit: described(
    Type.Optional(nullable(Type.String({ maxLength: 16 }))),
    'How often a recurring token can be charged: a number up to 9999, or once ' +
      '`daily`, `weekly`, `monthly` or `annually`. Default: no limit.',
  ),
  email: described(
    Type.Optional(nullable(Type.String({ format: 'email' }))),
    'The e-mail of the customer. Required except for `online`.',
  ),
  ip_address: described(
    Type.Optional(nullable(Type.String({ format: 'ipv4' }))),
    'The IPv4 address of the customer. Required for `we_chat_online` with `web` or `http_get`.',
  ),
  metadata: Type.Optional(nullable(common.new_metadata)),
  subscription: described(
    Type.Optional(Type.Boolean()),
    'Whether it is for a subscription: the same as the type `subscription`. Default: false.',
  ),
  use_confirmation: described(
    Type.Optional(nullable(Type.Boolean())),
    'Whether the customer confirms the token with a code from a mail before it can be charged.',
  ),
}

const Common = named(
  'CreateTokenFields',
  Type.Object(common_fields),
  'What every new transaction token has.',
)
type InputOf<Method> = Method extends { read(input: infer Input, ...rest: never[]): unknown }
  ? Input
  : never
type Branch = {
  [Name in keyof typeof methods]: Static<typeof Common> & {
    payment_type: Name
    data: InputOf<(typeof methods)[Name]>
  }
}
export type CreateToken = Branch[keyof Branch]

/** One branch for each payment type, chosen by it, so that errors speak of the right one. */
export const CreateToken = named(
  'CreateToken',
  Type.Unsafe<CreateToken>({
    type: 'object',
    required: ['payment_type'],
    discriminator: { propertyName: 'payment_type' },
    oneOf: Object.entries(methods).map(([name, { input: data }]) =>
      extended(
        `Create${pascalCase(name)}Token`,
        Common,
        {
          payment_type: Type.Literal(name, { description: 'How the customer pays.' }),
          data: described(data, 'What the customer pays with.'),
        },
        `A new transaction token of the payment type \`${name}\`.`,
      ),
    ),
  }),
  'A new transaction token. `payment_type` says what is in `data`.',
)

export const PatchToken = named(
  'UpdateToken',
  Type.Object({
    email: described(
      Type.Optional(Type.String({ format: 'email' })),
      'The new e-mail of the customer.',
    ),
    metadata: Type.Optional(common.changed_metadata),
    data: described(
      Type.Optional(
        named(
          'UpdateCardInput',
          Type.Object({
            cvv: CardInput.properties.cvv,
            cardholder: described(Type.Optional(Label()), 'The name on the card.'),
            exp_month: described(
              Type.Optional(Digits),
              'The month in which the card expires, 1 to 12.',
            ),
            exp_year: described(
              Type.Optional(Digits),
              'The year in which the card expires, with two or four digits.',
            ),
            ...billing_fields,
            cvv_authorize: CardInput.properties.cvv_authorize,
          }),
          'Changes to the card of a token.',
        ),
      ),
      'Changes to the card: its security code, expiry, cardholder or billing address.',
    ),
  }),
  'Changes to a transaction token.',
)
export type PatchToken = Static<typeof PatchToken>
