import type { FastifyRequest } from 'fastify'
import { queryText } from '../../api/request-parts.ts'
import { readTyped, type TypedValues } from '../../commerce/checkout/customer/plain-forms.ts'
import { isUuid } from '../../core/ids.ts'
import { payment_types, readName } from '../../core/payments/payment-methods.ts'
import { namesOf } from '../../core/table-names.ts'
import type { CheckoutTexts, FieldName } from './checkout-texts.ts'
import { asked_by, type FormEntry } from './render-ways.ts'

/** The fields of the page that a parameter of its address names by the fields of the request. */
function namedBy(request: FastifyRequest, parameter: 'missing' | 'wrong'): FieldName[] {
  const named = queryText(request, parameter).split(' ')
  const names = namesOf(asked_by)
  return names.filter((name) => asked_by[name].some((asked) => named.includes(asked)))
}

/** The values of the fields, of which a request has other names. */
function fieldValues(typed: TypedValues): FormEntry['values'] {
  const { exp_month = '', exp_year = '' } = typed
  const expiry = [exp_month, exp_year].filter((part) => part !== '').join(' / ')
  const { cardholder, email, convenience_store, customer_name, amount } = typed
  const phone = typed['phone_number.local_number']
  const given = { expiry, cardholder, email, convenience_store, customer_name, phone, amount }
  const filled = Object.entries(given).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(filled)
}

function chosenBy({ payment_type = '', brand, transaction_token_id }: TypedValues) {
  if (transaction_token_id !== undefined && isUuid(transaction_token_id)) {
    return { payment_type: 'card' as const, brand: null, saved_card: transaction_token_id }
  }
  const type = readName(payment_type, payment_types)
  return type && { payment_type: type, brand: brand ?? null, saved_card: null }
}

/** What a plain form contained that led here, and what was wrong with it. */
export function readEntry(request: FastifyRequest, { fields }: CheckoutTexts): FormEntry {
  const typed = readTyped(request)
  const missing = namedBy(request, 'missing').map((name) => [name, fields[name].missing])
  const wrong = namedBy(request, 'wrong').map((name) => [name, fields[name].wrong])
  return {
    values: fieldValues(typed),
    faults: Object.fromEntries([...wrong, ...missing]),
    chosen: chosenBy(typed),
  }
}
