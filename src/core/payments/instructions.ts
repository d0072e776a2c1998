import Type, { type Static } from 'typebox'

/**
 * The provider's instructions for the customer. They come from outside and are shown on pages and in
 * responses, so every text is bounded and only the fields below are stored.
 */
const Line = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    description,
  })
const Digits = (max_length: number, description: string) =>
  Type.String({ pattern: `^[0-9]{1,${max_length}}$`, description })
const closed = { additionalProperties: false }

/** A page of the provider or of the cardholder's bank, and what the browser sends there. */
export const ProviderForm = Type.Object(
  {
    // Without TLS only on the machine of the browser itself: pages of an acquirer that is being developed.
    url: Type.String({
      pattern: '^(https://|http://(127\\.0\\.0\\.1|localhost)(:\\d+)?/)[^\\s"<>]+$',
      maxLength: 4000,
      description: 'The address that the browser opens.',
    }),
    method: Type.Enum(['get', 'post'], { description: 'How it goes there.' }),
    fields: Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 8000 }), {
      maxProperties: 32,
      description: 'The fields of the form.',
    }),
  },
  { ...closed, description: 'A page of the provider, or of the bank of the cardholder.' },
)
export type ProviderForm = Static<typeof ProviderForm>
/** Absent where the customer acts on a page of ours. */
const form = Type.Optional(ProviderForm)

const ByBrand = Type.Object(
  {
    kind: Type.Literal('online', {
      description: 'The customer acts on a page or in an app of the brand.',
    }),
    form,
    sdk_token: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 2000,
      description: 'For an SDK or an app; null where the customer is sent to a page.',
    }),
  },
  closed,
)
/** The text of a QR code; null: the code leads to our own page of a simulated wallet. */
const ByCode = Type.Object(
  {
    kind: Type.Literal('qr', { description: 'The customer scans a code.' }),
    code: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 1000,
      description: 'The text of the QR code.',
    }),
  },
  closed,
)
const AtTheTill = Type.Object(
  {
    kind: Type.Literal('konbini', { description: 'The customer pays at a convenience store.' }),
    payment_code: Digits(20, 'What the customer says or types in the store.'),
    /** Some chains need one or both of these besides the code. */
    company_code: Type.Optional(Digits(8, 'The company code, if the chain needs it.')),
    confirmation_code: Type.Optional(Digits(20, 'The confirmation code, if the chain needs it.')),
    /** Absent where the provider has numbers only. */
    barcode: Type.Optional(
      Type.String({
        pattern: '^([0-9]{2}){1,30}$',
        description: 'The digits of the barcode; an even number of them.',
      }),
    ),
  },
  closed,
)
const ToAnAccount = Type.Object(
  {
    kind: Type.Literal('bank_transfer', { description: 'The customer transfers to an account.' }),
    account_id: Type.String({
      format: 'uuid',
      maxLength: 36,
      description: 'A name of the account that does not change.',
    }),
    bank_code: Digits(4, 'The code of the bank.'),
    bank_name: Line('The name of the bank.'),
    branch_code: Digits(3, 'Of the branch.'),
    branch_name: Line('Of the branch.'),
    account_number: Digits(7, 'Of the account.'),
    account_holder_name: Line('Of the account.'),
  },
  closed,
)
/** The cardholder's bank asks for authentication. */
const ByChallenge = Type.Object(
  { kind: Type.Literal('three_ds', { description: 'The issuer asks the cardholder.' }), form },
  closed,
)

export const Instructions = Type.Union([ByBrand, ByCode, AtTheTill, ToAnAccount, ByChallenge])
export type Instructions = Static<typeof Instructions>
