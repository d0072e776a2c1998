import Type, { type Static } from 'typebox'
import { described, named } from '../../core/api/described-schemas.ts'
import { Label, nullable } from '../../core/api/schemas.ts'
import { typedDigits } from '../../core/typed/typed-digits.ts'
import { billing_fields, Digits, RedirectUrl } from '../pieces/input-pieces.ts'

export const CardInput = named(
  'CardInput',
  Type.Object({
    cardholder: described(Label(), 'The name on the card.'),
    card_number: described(
      typedDigits(Type.String({ minLength: 1, maxLength: 40 })),
      'The number of the card, 12 to 19 digits, in half or full width; spaces and hyphens are ignored.',
    ),
    exp_month: described(Digits, 'The month in which the card expires, 1 to 12.'),
    exp_year: described(Digits, 'The year in which the card expires, with two or four digits.'),
    cvv: described(
      Type.Optional(
        typedDigits(Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'] })),
      ),
      'The security code. Required unless the store allows it to be absent; it is ' +
        'deleted after its first use.',
    ),
    ...billing_fields,
    cvv_authorize: described(
      Type.Optional(
        named(
          'CvvAuthorizeInput',
          Type.Object({
            enabled: described(
              Type.Optional(Type.Boolean()),
              'Whether the security code is checked. Default: false.',
            ),
            currency: described(
              Type.Optional(nullable(Type.String({ format: 'currency' }))),
              'The currency of the check, which moves no money.',
            ),
          }),
          'A check of the security code.',
        ),
      ),
      'Checks the security code with the issuer before the first charge.',
    ),
    three_ds: described(
      Type.Optional(
        named(
          'TokenThreeDsInput',
          Type.Object({
            enabled: described(
              Type.Optional(Type.Boolean()),
              'Whether the cardholder is authenticated. Default: false.',
            ),
            redirect_endpoint: described(
              Type.Optional(nullable(RedirectUrl)),
              'Where the cardholder is redirected to after a challenge.',
            ),
          }),
          'An authentication with 3-D Secure.',
        ),
      ),
      'Authenticates the cardholder when the token is created. For recurring tokens.',
    ),
  }),
  'Payment by card.',
)
export type CardInput = Static<typeof CardInput>
