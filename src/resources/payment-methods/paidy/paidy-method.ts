import Type, { type Static } from 'typebox'
import { sensitive } from '../../../core/cards/sensitive.ts'
import { named } from '../../../core/described-schemas.ts'
import { failField } from '../../../core/errors.ts'
import { Label, nullable } from '../../../core/schemas.ts'
import { readPhone } from '../../../core/text/phone.ts'
import type { PaidyData } from '../../../store/tables/token-data.ts'
import { PhoneInput, Text } from '../input-pieces.ts'
import { nothing_sealed, type PaymentMethod, type ReadPayment } from '../payment-method.ts'
import { ShownPhone, ShownText as text } from '../shown-pieces.ts'

const PaidyInput = named(
  'PaidyInput',
  Type.Object({
    paidy_token: Label(512),
    phone_number: Type.Optional(nullable(PhoneInput)),
    shipping_address: Type.Optional(
      nullable(
        named(
          'ShippingAddressInput',
          Type.Object({
            line1: Type.Optional(Text),
            line2: Type.Optional(Text),
            city: Type.Optional(Text),
            state: Type.Optional(Text),
            zip: Type.Optional(Text),
          }),
        ),
      ),
    ),
  }),
)
type PaidyInput = Static<typeof PaidyInput>

/** The wallet gave the shop a token of its customer. */
export const paidy_method: PaymentMethod<PaidyInput, PaidyData> = {
  input: PaidyInput,
  shown: {
    paidy_token: Type.String(),
    phone_number: nullable(ShownPhone),
    shipping_address: nullable(
      named(
        'ShippingAddress',
        Type.Object({ line1: text, line2: text, city: text, state: text, zip: text }),
      ),
    ),
  },
  brands: ['paidy'],
  configuration: 'paidy',
  disabled: 'PAIDY_PROCESSING_DISABLED',
  read: readPaidy,
  payer: () => ({ name: null, brand: null }),
  phone: ({ phone_number }) => phone_number,
  instrument: (_, { data }) => ({
    kind: 'wallet',
    brand: null,
    code: sensitive(data.paidy_token),
  }),
  period: () => null,
}

/** The wallet has asked the customer before it gave the token out, so it is confirmed. */
function readPaidy(input: PaidyInput): ReadPayment<PaidyData> {
  const { paidy_token, phone_number, shipping_address } = input
  const phone = phone_number
    ? readPhone(phone_number.country_code, String(phone_number.local_number))
    : null
  if (phone_number && !phone) failField('data.phone_number', 'INVALID_PHONE_NUMBER')
  const { line1, line2, city, state, zip } = shipping_address ?? {}
  return {
    ...nothing_sealed,
    confirmed: true,
    data: {
      paidy_token,
      phone_number: phone,
      shipping_address: shipping_address
        ? {
            line1: line1 ?? null,
            line2: line2 ?? null,
            city: city ?? null,
            state: state ?? null,
            zip: zip ?? null,
          }
        : null,
    },
  }
}
