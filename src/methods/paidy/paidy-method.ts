import Type, { type Static } from 'typebox'
import { described, named } from '../../core/api/described-schemas.ts'
import { failField } from '../../core/api/errors.ts'
import { Label, nullable } from '../../core/api/schemas.ts'
import { sensitive } from '../../core/cards/sensitive.ts'
import { readPhone } from '../../core/typed/phone.ts'
import type { PhoneData } from '../../store/tables/payments/token-data.ts'
import {
  nothing_sealed,
  type PaymentMethod,
  type ReadPayment,
  settingsOf,
} from '../contract/payment-method.ts'
import { PhoneInput, PostalCode, Text } from '../pieces/input-pieces.ts'
import { ShownPhone, ShownText as text } from '../pieces/shown-pieces.ts'
import { decideWallet } from '../pieces/simulate-wallet.ts'

const PaidyInput = named(
  'PaidyInput',
  Type.Object({
    paidy_token: described(Label(512), 'The token that the wallet gave to your page.'),
    phone_number: described(
      Type.Optional(nullable(PhoneInput)),
      'The phone number of the customer.',
    ),
    shipping_address: described(
      Type.Optional(
        nullable(
          named(
            'ShippingAddressInput',
            Type.Object({
              line1: described(Type.Optional(Text), 'The first line of the address.'),
              line2: described(Type.Optional(Text), 'The second line of the address.'),
              city: described(Type.Optional(Text), 'The city.'),
              state: described(Type.Optional(Text), 'The state or prefecture.'),
              zip: described(Type.Optional(PostalCode), 'The postal code.'),
            }),
            'Where the goods are sent to.',
          ),
        ),
      ),
      'Where the goods are sent to.',
    ),
  }),
  'Payment with a wallet that has asked its customer already.',
)
type PaidyInput = Static<typeof PaidyInput>

interface PaidyData {
  paidy_token: string
  phone_number: PhoneData | null
  shipping_address: {
    line1: string | null
    line2: string | null
    city: string | null
    state: string | null
    zip: string | null
  } | null
}

/** The wallet gave the shop a token of its customer. */
export const paidy_method = {
  input: PaidyInput,
  shown: {
    paidy_token: described(Type.String(), 'The token of the wallet.'),
    phone_number: described(
      nullable(ShownPhone),
      'The phone number of the customer; null if not given.',
    ),
    shipping_address: described(
      nullable(
        named(
          'ShippingAddress',
          Type.Object({
            line1: described(text, 'The first line of the address; null if not given.'),
            line2: described(text, 'The second line of the address; null if not given.'),
            city: described(text, 'The city; null if not given.'),
            state: described(text, 'The state or prefecture; null if not given.'),
            zip: described(text, 'The postal code; null if not given.'),
          }),
          'Where the goods are sent to.',
        ),
      ),
      'Where the goods are sent to; null if not given.',
    ),
  },
  settings: settingsOf('paidy', 'PaidyConfiguration', {
    about: 'The wallet Paidy.',
    accepted: 'Whether the wallet is accepted.',
  }),
  disabled: 'PAIDY_PROCESSING_DISABLED',
  read: readPaidy,
  payer: () => ({ name: null, brand: null }),
  phone: ({ phone_number }) => phone_number,
  instrument: (_, { data }) => ({
    kind: 'wallet',
    brand: null,
    code: sensitive(data.paidy_token),
  }),
  sent_as: { instrument: 'wallet', with_brand: false },
  period: () => null,
  simulate: decideWallet,
  customer_fields: ['paidy_token', 'phone_number', 'shipping_address'],
  // Only a page of its owner can make what this needs.
  form: null,
} satisfies PaymentMethod<PaidyInput, PaidyData>

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
