import Type, { type Static } from 'typebox'
import { named } from '../../../core/described-schemas.ts'
import { Label, nullable } from '../../../core/schemas.ts'
import { billing_fields, Digits, RedirectUrl } from '../input-pieces.ts'

export const CardInput = named(
  'CardInput',
  Type.Object({
    cardholder: Label(),
    card_number: Type.String({ minLength: 1, maxLength: 40 }),
    exp_month: Digits,
    exp_year: Digits,
    cvv: Type.Optional(
      Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'] }),
    ),
    ...billing_fields,
    cvv_authorize: Type.Optional(
      named(
        'CvvAuthorizeInput',
        Type.Object({
          enabled: Type.Optional(Type.Boolean()),
          currency: Type.Optional(nullable(Type.String({ format: 'currency' }))),
        }),
      ),
    ),
    three_ds: Type.Optional(
      named(
        'TokenThreeDsInput',
        Type.Object({
          enabled: Type.Optional(Type.Boolean()),
          redirect_endpoint: Type.Optional(nullable(RedirectUrl)),
        }),
      ),
    ),
  }),
)
export type CardInput = Static<typeof CardInput>
