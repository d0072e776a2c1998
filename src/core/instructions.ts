import Type, { type Static } from 'typebox'

/**
 * What a provider says the customer needs in order to pay. It comes from outside and is shown on pages
 * and in responses, so every text is bounded and only the fields below are stored.
 */
const Line = (max_length = 200) =>
  Type.String({ minLength: 1, maxLength: max_length, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })
const Digits = (max_length: number) => Type.String({ pattern: `^[0-9]{1,${max_length}}$` })
const closed = { additionalProperties: false }

/** A page of the provider or of the cardholder's bank, and what the browser sends there. */
export const ProviderForm = Type.Object(
  {
    url: Type.String({ pattern: '^https://[^\\s"<>]+$', maxLength: 4000 }),
    method: Type.Enum(['get', 'post']),
    fields: Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 8000 }), {
      maxProperties: 32,
    }),
  },
  closed,
)
export type ProviderForm = Static<typeof ProviderForm>
/** Absent where the customer acts on a page of ours. */
const form = Type.Optional(ProviderForm)

const ByBrand = Type.Object(
  {
    kind: Type.Literal('online'),
    form,
    /** For an SDK or an app; null where the customer is sent to a page. */
    sdk_token: Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 2000 }),
  },
  closed,
)
/** The text of a QR code; null: the code leads to our own page of a simulated wallet. */
const ByCode = Type.Object(
  {
    kind: Type.Literal('qr'),
    code: Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 1000 }),
  },
  closed,
)
const AtTheTill = Type.Object(
  {
    kind: Type.Literal('konbini'),
    payment_code: Digits(20),
    barcode: Type.String({ pattern: '^([0-9]{2}){1,30}$' }),
  },
  closed,
)
const ToAnAccount = Type.Object(
  {
    kind: Type.Literal('bank_transfer'),
    account_id: Type.String({ format: 'uuid', maxLength: 36 }),
    bank_code: Digits(4),
    bank_name: Line(),
    branch_code: Digits(3),
    branch_name: Line(),
    account_number: Digits(7),
    account_holder_name: Line(),
  },
  closed,
)
/** The cardholder's bank asks for authentication. */
const ByChallenge = Type.Object({ kind: Type.Literal('three_ds'), form }, closed)

export const Instructions = Type.Union([ByBrand, ByCode, AtTheTill, ToAnAccount, ByChallenge])
export type Instructions = Static<typeof Instructions>
