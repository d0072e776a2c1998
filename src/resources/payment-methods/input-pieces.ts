import Type from 'typebox'
import { named } from '../../core/described-schemas.ts'
import { nullable } from '../../core/schemas.ts'

/** Pieces that the inputs of several payment methods are made of. */
export const Text = nullable(Type.String({ maxLength: 255 }))
export const Digits = Type.Unsafe<string | number>({ type: ['string', 'integer'] })
export const PhoneInput = named(
  'PhoneInput',
  Type.Object({ country_code: Digits, local_number: Digits }),
)

export const billing_fields = {
  line1: Type.Optional(Text),
  line2: Type.Optional(Text),
  state: Type.Optional(Text),
  city: Type.Optional(Text),
  country: Type.Optional(nullable(Type.String({ format: 'country' }))),
  zip: Type.Optional(Text),
  phone_number: Type.Optional(nullable(PhoneInput)),
}

export const RedirectUrl = Type.String({ format: 'url' })

/** A name out of a table, whatever its letters' case: some programs write it in capitals. */
export const NameOf = (names: readonly string[], description = '') =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: `${description}One of ${names.join(', ')}; letters in any case`,
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
