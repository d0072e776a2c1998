import type { FastifyRequest } from 'fastify'
import { queryText } from '../../api/routes/request-parts.ts'
import { readTyped, type TypedValues } from '../../commerce/checkout/customer/plain-forms.ts'
import { isUuid } from '../../core/ids.ts'
import { type PaymentType, payment_types } from '../../core/payments/payment-types.ts'
import { namesOf } from '../../core/table-names.ts'
import { readName } from '../../core/typed/read-name.ts'
import type { CheckoutForm, FieldTexts, FormField } from '../../methods/contract/checkout-form.ts'
import { methods } from '../../methods/method-table.ts'
import type { Language } from '../hosted/hosted-view.ts'
import { textsIn } from '../hosted/texts/method-words.ts'
import { asked_by, type FormEntry } from './checkout-fields.ts'
import type { CheckoutTexts } from './texts/checkout-texts.ts'

/** The fields that payment methods ask for, beside those of a card. */
export function ownFields(payment_type: PaymentType | null): readonly FormField[] {
  const form: CheckoutForm | null = payment_type && methods[payment_type].form
  return form?.kind === 'fields' ? form.fields.filter((one) => one !== 'cardholder') : []
}

interface AskedField {
  readonly id: string
  readonly asks: readonly string[]
  readonly texts: FieldTexts
}

function everyField({ fields }: CheckoutTexts, language: Language): AskedField[] {
  const of_cards = namesOf(asked_by).map((id) => ({ id, asks: asked_by[id], texts: fields[id] }))
  const own = payment_types.flatMap(ownFields)
  return [...of_cards, ...own.map((one) => ({ ...one, texts: textsIn(one.texts, language) }))]
}

/** The fields of the page that a parameter of its address names by the fields of the request. */
function namedBy(request: FastifyRequest, parameter: 'missing' | 'wrong', fields: AskedField[]) {
  const named = queryText(request, parameter).split(' ')
  const found = fields.filter(({ asks }) => asks.some((asked) => named.includes(asked)))
  return found.map(({ id, texts }) => [id, texts[parameter]])
}

/** The values of the fields, of which a request has other names. */
function fieldValues(typed: TypedValues): FormEntry['values'] {
  const { exp_month = '', exp_year = '', cardholder, email, amount } = typed
  const expiry = [exp_month, exp_year].filter((part) => part !== '').join(' / ')
  const own = payment_types.flatMap(ownFields).filter(({ is_shown_again }) => is_shown_again)
  const values = own.map(({ id, name = id }) => [id, typed[name]] as const)
  const given = [...Object.entries({ expiry, cardholder, email, amount }), ...values]
  return Object.fromEntries(
    given.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
  )
}

function chosenBy({ payment_type = '', brand, transaction_token_id }: TypedValues) {
  if (transaction_token_id !== undefined && isUuid(transaction_token_id)) {
    return { payment_type: 'card' as const, brand: null, saved_card: transaction_token_id }
  }
  const type = readName(payment_type, payment_types)
  return type && { payment_type: type, brand: brand ?? null, saved_card: null }
}

/** The plain form that led here, and its fault. */
export function readEntry(
  request: FastifyRequest,
  texts: CheckoutTexts,
  language: Language,
): FormEntry {
  const typed = readTyped(request)
  const fields = everyField(texts, language)
  const faults = [...namedBy(request, 'wrong', fields), ...namedBy(request, 'missing', fields)]
  return { values: fieldValues(typed), faults: Object.fromEntries(faults), chosen: chosenBy(typed) }
}
