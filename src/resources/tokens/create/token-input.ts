import Type, { type Static } from 'typebox'
import { extended, named, pascalCase } from '../../../core/described-schemas.ts'
import { Label, MetadataSchema, nullable } from '../../../core/schemas.ts'
import { CardInput } from '../../payment-methods/card/card-input.ts'
import { billing_fields, Digits } from '../../payment-methods/input-pieces.ts'
import { methods } from '../../payment-methods/method-table.ts'

const common = {
  type: Type.Optional(nullable(Type.Enum(['one_time', 'subscription', 'recurring']))),
  usage_limit: Type.Optional(nullable(Type.String({ maxLength: 16 }))),
  email: Type.Optional(nullable(Type.String({ format: 'email' }))),
  ip_address: Type.Optional(nullable(Type.String({ format: 'ipv4' }))),
  metadata: Type.Optional(nullable(MetadataSchema)),
  subscription: Type.Optional(Type.Boolean()),
  use_confirmation: Type.Optional(nullable(Type.Boolean())),
}

const Common = named('CreateTokenFields', Type.Object(common))
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
      extended(`Create${pascalCase(name)}Token`, Common, {
        payment_type: Type.Literal(name),
        data,
      }),
    ),
  }),
)

export const PatchToken = named(
  'UpdateToken',
  Type.Object({
    email: Type.Optional(Type.String({ format: 'email' })),
    metadata: Type.Optional(MetadataSchema),
    data: Type.Optional(
      named(
        'UpdateCardInput',
        Type.Object({
          cvv: CardInput.properties.cvv,
          cardholder: Type.Optional(Label()),
          exp_month: Type.Optional(Digits),
          exp_year: Type.Optional(Digits),
          ...billing_fields,
          cvv_authorize: CardInput.properties.cvv_authorize,
        }),
      ),
    ),
  }),
)
export type PatchToken = Static<typeof PatchToken>
