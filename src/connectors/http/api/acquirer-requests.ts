import Type from 'typebox'
import { described, named } from '../../../core/api/described-schemas.ts'
import { Id, nullable } from '../../../core/api/schemas.ts'
import { call_methods } from '../../../core/payments/call-methods.ts'
import { customs_places } from '../../../core/payments/customs.ts'

/** The requests to an acquirer, as the published description shows them. */
const Text = (max_length: number, description: string) =>
  Type.String({ maxLength: max_length, description })
const TextOrNull = (max_length: number, description: string) =>
  described(nullable(Type.String({ maxLength: max_length })), description)

export const owner = {
  merchant_id: described(Id, 'The merchant.'),
  store_id: described(Id, 'The store of the merchant.'),
  mode: Type.Enum(['live', 'test'], { description: 'Whether real money moves.' }),
  charge_id: described(
    Id,
    'The payment that the operation belongs to; of a card that is only authenticated, its token.',
  ),
}

export const operation = {
  ...owner,
  reference: described(
    Id,
    'The name of this operation, also in `Idempotency-Key`. A repeated one must have no second effect.',
  ),
  amount: Type.Integer({
    minimum: 0,
    description: 'In the smallest unit of the currency: 1000 is 1000 JPY, 10.00 USD and 1.000 KWD.',
  }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
}

export const taken = {
  provider_reference: TextOrNull(255, 'How you named the payment.'),
  authorization_code: TextOrNull(64, 'What you answered to the authorization.'),
  network_transaction_id: TextOrNull(64, 'What you answered to the authorization.'),
  provider_data: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'The `data` of your last answer about the payment.',
  }),
}

export const ThreeDsResult = named(
  'ThreeDsResult',
  Type.Object(
    {
      eci: Text(8, 'Electronic commerce indicator.'),
      authentication_value: Text(255, 'Also called CAVV.'),
      transaction_id: Text(64, 'Of the directory server.'),
      version: Text(16, 'Of the protocol, such as 2.2.0.'),
    },
    { additionalProperties: false },
  ),
  'The result of 3-D Secure.',
)

const Card = named(
  'Card',
  Type.Object({
    kind: Type.Literal('card', { description: 'A card.' }),
    number: Text(19, 'The digits of the card number.'),
    cvv: TextOrNull(4, 'The security code; null where it is not known any more.'),
    exp_month: Type.Integer({ minimum: 1, maximum: 12, description: 'Month of expiry.' }),
    exp_year: Type.Integer({ description: 'Year of expiry, four digits.' }),
    cardholder: Text(255, 'The name on the card.'),
    brand: Text(64, 'Such as `visa`.'),
  }),
)
const Wallet = named(
  'Wallet',
  Type.Object({
    kind: Type.Literal('wallet', { description: 'A wallet of the customer.' }),
    brand: TextOrNull(64, 'The wallet, where it is known.'),
    code: Text(8000, 'The code that the wallet shows, or its token.'),
  }),
)
const ApplePay = named(
  'ApplePay',
  Type.Object({
    kind: Type.Literal('apple_pay', { description: 'A card in Apple Pay.' }),
    brand: TextOrNull(64, 'The card network, such as `visa`, where the wallet named it.'),
    token: Text(
      20_000,
      'The payment token as JSON, encrypted by Apple for you. Nobody else opens it.',
    ),
    cardholder: Text(255, 'The name of the customer.'),
  }),
)
const Online = named(
  'Online',
  Type.Object({
    kind: Type.Literal('online', {
      description: 'The customer pays on a page or in an app of the brand.',
    }),
    brand: Text(64, 'The brand.'),
    call_method: Type.Enum([...call_methods], { description: 'How the brand is opened.' }),
  }),
)
const QrCode = named(
  'QrCode',
  Type.Object({
    kind: Type.Literal('qr', { description: 'The customer scans a code of the merchant.' }),
    brand: Text(64, 'The brand.'),
  }),
)
const Konbini = named(
  'Konbini',
  Type.Object({
    kind: Type.Literal('konbini', { description: 'The customer pays at a convenience store.' }),
    convenience_store: Text(64, 'The chain.'),
    customer_name: Text(255, 'The payer.'),
  }),
)
const BankTransfer = named(
  'BankTransfer',
  Type.Object({
    kind: Type.Literal('bank_transfer', {
      description: 'The customer transfers to an account of yours.',
    }),
    brand: Text(64, 'The bank.'),
  }),
)
const Instrument = named(
  'Instrument',
  Type.Union([Card, Wallet, ApplePay, Online, QrCode, Konbini, BankTransfer]),
  'What is paid with.',
)

const BillingAddress = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description:
    'Of the cardholder: line1, line2, state, city, country, zip, each a text or null, and phone_number.',
})
const return_url = Text(2000, 'Where to send the customer back to after your page.')

export const AuthenticateRequest = named(
  'AuthenticateRequest',
  Type.Object({
    ...operation,
    card: Card,
    force: Type.Boolean({ description: 'Ask the cardholder even if the issuer would not.' }),
    return_url,
  }),
)

export const AuthorizeRequest = named(
  'AuthorizeRequest',
  Type.Object({
    ...operation,
    instrument: Instrument,
    capture: Type.Boolean({ description: 'Take the money at once; otherwise it is only held.' }),
    expires_on: described(
      nullable(Type.String({ format: 'date-time' })),
      'The deadline for the customer. After it nothing may be paid.',
    ),
    email: TextOrNull(255, 'Of the customer.'),
    ip_address: TextOrNull(64, 'Of the customer.'),
    billing: BillingAddress,
    descriptor: TextOrNull(255, 'What the statement of the customer shows.'),
    descriptor_phone_number: TextOrNull(64, 'Shown with it.'),
    merchant_transaction_id: TextOrNull(255, "The merchant's own id, of brands that take one."),
    metadata: Type.Object({}, { additionalProperties: true, description: "The merchant's own." }),
    initiated_by: Type.Enum(['customer', 'merchant'], {
      description: '`merchant`: the customer is not present, the card was stored before.',
    }),
    first_network_transaction_id: TextOrNull(64, 'Of the first payment with the stored card.'),
    three_ds: Type.Union([ThreeDsResult, Type.Null()], {
      description: 'The result of an authentication before, if there was one.',
    }),
    return_url,
  }),
)

export const ApplePaySessionRequest = named(
  'ApplePaySessionRequest',
  Type.Object({
    merchant_id: owner.merchant_id,
    store_id: owner.store_id,
    validation_url: Text(255, 'Where Apple gives the session; a host of Apple.'),
    domain: Text(255, 'The domain of the page, which is registered with Apple for you.'),
    display_name: Text(64, 'The shop, as the wallet shows it.'),
  }),
)

export const FollowUpRequest = named('FollowUpRequest', Type.Object({ ...operation, ...taken }))

export const DeclareCustomsRequest = named(
  'DeclareCustomsRequest',
  Type.Object({
    ...operation,
    ...taken,
    customs: Type.Enum([...customs_places], { description: 'The customs office.' }),
    merchant_customs_no: Text(64, 'The number of the merchant there.'),
    certificate_id: Text(64, 'The identity number of the customer.'),
    certificate_name: Text(255, 'The name of the customer in it.'),
  }),
)

export const operation_kinds = [
  'authenticate',
  'authorize',
  'capture',
  'void',
  'refund',
  'return_deposit',
  'declare_customs',
] as const

const inquiry = {
  kind: Type.Enum([...operation_kinds], { description: 'The operation that is asked about.' }),
  ...owner,
  reference: described(Id, 'The reference that the operation was sent with.'),
  ...taken,
  operation_reference: TextOrNull(255, 'How you named the operation, where you said so.'),
}
export const InquireRequest = named('InquireRequest', Type.Object(inquiry))

export const ContinueRequest = named(
  'ContinueRequest',
  Type.Object({
    ...inquiry,
    returned: Type.Record(Type.String(), Type.String(), {
      description: 'The parameters with which your page sent the customer back.',
    }),
  }),
)

export const DepositsRequest = named('DepositsRequest', Type.Object({ ...owner, ...taken }))
