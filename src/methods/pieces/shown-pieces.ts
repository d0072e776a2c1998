import Type from 'typebox'
import { described, named } from '../../core/api/described-schemas.ts'
import { nullable } from '../../core/api/schemas.ts'

/** Pieces that tokens and charges show. */
export const ShownText = nullable(Type.String())
export const ShownPhone = named(
  'Phone',
  Type.Object({
    country_code: described(Type.Integer(), 'The country code, such as 81.'),
    local_number: described(Type.String(), 'The number in the country, in digits.'),
  }),
  'A phone number.',
)
export const ChargeErrorView = described(
  nullable(
    named(
      'PaymentError',
      Type.Object({
        code: described(
          Type.Integer(),
          'The error code for programs: 3xx refused, 5xx a technical failure.',
        ),
        message: described(Type.String(), 'The description in a sentence.'),
        detail: described(
          nullable(Type.String()),
          'Further details from the provider; null if there are none.',
        ),
      }),
      'The reason for a failed payment.',
    ),
  ),
  'The reason for the failure; null without one.',
)
