import Type, { type Static } from 'typebox'
import {
  bank_brands,
  call_methods,
  konbini_chains,
  konbini_names,
  match_amounts,
  online_brands,
  os_types,
  qr_merchant_brands,
} from '../../core/payment-methods.ts'
import { Label, MetadataSchema, nullable } from '../../core/schemas.ts'

const Text = nullable(Type.String({ maxLength: 255 }))
const Digits = Type.Unsafe<string | number>({ type: ['string', 'integer'] })
const Phone = Type.Object({ country_code: Digits, local_number: Digits })

const billing_fields = {
  line1: Type.Optional(Text),
  line2: Type.Optional(Text),
  state: Type.Optional(Text),
  city: Type.Optional(Text),
  country: Type.Optional(nullable(Type.String({ format: 'country' }))),
  zip: Type.Optional(Text),
  phone_number: Type.Optional(nullable(Phone)),
}

export const RedirectUrl = Type.String({ format: 'url' })

export const CardInput = Type.Object({
  cardholder: Label(),
  card_number: Type.String({ minLength: 1, maxLength: 40 }),
  exp_month: Digits,
  exp_year: Digits,
  cvv: Type.Optional(Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'] })),
  ...billing_fields,
  cvv_authorize: Type.Optional(
    Type.Object({
      enabled: Type.Optional(Type.Boolean()),
      currency: Type.Optional(nullable(Type.String({ format: 'currency' }))),
    }),
  ),
  three_ds: Type.Optional(
    Type.Object({
      enabled: Type.Optional(Type.Boolean()),
      redirect_endpoint: Type.Optional(nullable(RedirectUrl)),
    }),
  ),
})
export type CardInput = Static<typeof CardInput>

const ApplePayInput = Type.Object({
  applepay_token: Type.String({ minLength: 1, maxLength: 20_000 }),
  cardholder: Label(),
  ...billing_fields,
})
export type ApplePayInput = Static<typeof ApplePayInput>

const QrScanInput = Type.Object({
  scanned_qr: Label(512),
})
export type QrScanInput = Static<typeof QrScanInput>

/** A name out of a table, whatever its letters' case: some programs write it in capitals. */
const NameOf = (names: readonly string[], description = '') =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: `${description}One of ${names.join(', ')}; letters in any case`,
  })

const QrMerchantInput = Type.Object({ brand: NameOf(Object.keys(qr_merchant_brands)) })
export type QrMerchantInput = Static<typeof QrMerchantInput>

const Duration = nullable(Type.String({ format: 'duration', maxLength: 40 }))
const TimeOfDay = (description: string) =>
  nullable(
    Type.String({
      format: 'time_of_day',
      maxLength: 24,
      description,
      examples: ['23:59:59+09:00'],
    }),
  )

const without_time = konbini_names.filter((name) => !konbini_chains[name].to_the_minute)

const KonbiniInput = Type.Object({
  customer_name: Label(),
  phone_number: Phone,
  convenience_store: Type.Enum([...konbini_names]),
  expiration_period: Type.Optional(Duration),
  expiration_time_shift: Type.Optional(
    TimeOfDay(
      'Time of day at which the payment ends; needs a period of a day or more; ' +
        `not for ${without_time.join(', ')}`,
    ),
  ),
})
export type KonbiniInput = Static<typeof KonbiniInput>

/** What each brand of an online payment accepts, in a sentence. */
const per_brand = Object.entries(online_brands)
  .map(([name, brand]) => `${name}: ${brand.call_methods.join(', ')}`)
  .join('; ')

const OnlineInput = Type.Object({
  brand: NameOf(Object.keys(online_brands)),
  call_method: NameOf(call_methods, `By brand: ${per_brand}. `),
  user_identifier: Type.Optional(nullable(Label())),
  os_type: Type.Optional(nullable(NameOf(os_types))),
})
export type OnlineInput = Static<typeof OnlineInput>

const BankTransferInput = Type.Object({
  brand: NameOf(bank_brands),
  match_amount: Type.Optional(nullable(Type.Enum([...match_amounts]))),
  expiration_period: Type.Optional(Duration),
  expiration_time_shift: Type.Optional(TimeOfDay('Time of day at which the account ends')),
})
export type BankTransferInput = Static<typeof BankTransferInput>

const PaidyInput = Type.Object({
  paidy_token: Label(512),
  phone_number: Type.Optional(nullable(Phone)),
  shipping_address: Type.Optional(
    nullable(
      Type.Object({
        line1: Type.Optional(Text),
        line2: Type.Optional(Text),
        city: Type.Optional(Text),
        state: Type.Optional(Text),
        zip: Type.Optional(Text),
      }),
    ),
  ),
})
export type PaidyInput = Static<typeof PaidyInput>

const common = {
  type: Type.Optional(nullable(Type.Enum(['one_time', 'subscription', 'recurring']))),
  usage_limit: Type.Optional(nullable(Type.String({ maxLength: 16 }))),
  email: Type.Optional(nullable(Type.String({ format: 'email' }))),
  ip_address: Type.Optional(nullable(Type.String({ format: 'ipv4' }))),
  metadata: Type.Optional(nullable(MetadataSchema)),
  subscription: Type.Optional(Type.Boolean()),
  use_confirmation: Type.Optional(nullable(Type.Boolean())),
}

const inputs = {
  card: CardInput,
  apple_pay: ApplePayInput,
  qr_scan: QrScanInput,
  qr_merchant: QrMerchantInput,
  konbini: KonbiniInput,
  paidy: PaidyInput,
  online: OnlineInput,
  bank_transfer: BankTransferInput,
} as const

const Common = Type.Object(common)
type Branch = {
  [Name in keyof typeof inputs]: Static<typeof Common> & {
    payment_type: Name
    data: Static<(typeof inputs)[Name]>
  }
}
export type CreateToken = Branch[keyof Branch]

/** One branch for each payment type, chosen by it, so that errors speak of the right one. */
export const CreateToken = Type.Unsafe<CreateToken>({
  type: 'object',
  required: ['payment_type'],
  discriminator: { propertyName: 'payment_type' },
  oneOf: Object.entries(inputs).map(([name, data]) =>
    Type.Object({ payment_type: Type.Literal(name), ...common, data }),
  ),
})

export const PatchToken = Type.Object({
  email: Type.Optional(Type.String({ format: 'email' })),
  metadata: Type.Optional(MetadataSchema),
  data: Type.Optional(
    Type.Object({
      cvv: CardInput.properties.cvv,
      cardholder: Type.Optional(Label()),
      exp_month: Type.Optional(Digits),
      exp_year: Type.Optional(Digits),
      ...billing_fields,
      cvv_authorize: CardInput.properties.cvv_authorize,
    }),
  ),
})
export type PatchToken = Static<typeof PatchToken>
