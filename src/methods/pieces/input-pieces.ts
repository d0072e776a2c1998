import Type from 'typebox'
import { described, named } from '../../core/api/described-schemas.ts'
import { nullable } from '../../core/api/schemas.ts'
import { typedDigits } from '../../core/typed/typed-digits.ts'

/** Pieces that the inputs of several payment methods are made of. */
export const Text = nullable(Type.String({ maxLength: 255 }))
export const Digits = typedDigits(Type.Unsafe<string | number>({ type: ['string', 'integer'] }))
export const PostalCode = typedDigits(Text)
export const PhoneInput = named(
  'PhoneInput',
  Type.Object({
    country_code: described(Digits, 'The country code in digits, such as 81.'),
    local_number: described(Digits, 'The number in the country, in digits.'),
  }),
  'A phone number.',
)

export const billing_fields = {
  line1: described(Type.Optional(Text), 'The first line of the billing address.'),
  line2: described(Type.Optional(Text), 'The second line of the billing address.'),
  state: described(Type.Optional(Text), 'The state or prefecture.'),
  city: described(Type.Optional(Text), 'The city.'),
  country: described(
    Type.Optional(nullable(Type.String({ format: 'country' }))),
    'The country, as an ISO-3166 code of two letters.',
  ),
  zip: described(Type.Optional(PostalCode), 'The postal code.'),
  phone_number: described(Type.Optional(nullable(PhoneInput)), 'The phone number of the customer.'),
}

export const RedirectUrl = Type.String({ format: 'url' })

/** A name out of a table, whatever its letters' case: some programs write it in capitals. */
export const NameOf = (names: readonly string[], description = '') =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: `${description}One of ${names.join(', ')}; letters in any case.`,
  })

export const Duration = nullable(Type.String({ format: 'duration', maxLength: 40 }))

export const TimeOfDay = (description: string) =>
  nullable(
    Type.String({
      format: 'time_of_day',
      maxLength: 24,
      description,
      examples: ['23:59:59+09:00'],
    }),
  )
