import { type FieldError, fail } from '../../core/api/errors.ts'
import { lookUpBin } from '../../core/cards/card-bins.ts'
import {
  type CardBrand,
  cvvLength,
  isCardLength,
  passesLuhn,
} from '../../core/cards/card-number.ts'
import { type Sensitive, sensitive } from '../../core/cards/sensitive.ts'
import { isUsableExpiry, readExpiry } from '../../core/time/expiry.ts'
import { readPhone } from '../../core/typed/phone.ts'
import type { BillingData, CardData } from '../../store/tables/payments/token-data.ts'
import type { CardInput } from './card-input.ts'

/** Card details that were checked: what may be shown, and what must not be. */
export interface ReadCard {
  readonly card: CardData
  readonly billing: BillingData
  readonly number: Sensitive<string>
  readonly cvv: Sensitive<string> | null
}

/** Every fault of the card is collected, so that one response names them all. */
export function readCard(input: CardInput, now_ms: number): ReadCard {
  const errors: FieldError[] = []
  const number = input.card_number.replaceAll(/[ -]/g, '')
  const bin = lookUpBin(number)
  if (
    !/^\d{12,19}$/.test(number) ||
    !passesLuhn(number) ||
    !isCardLength(bin.brand, number.length)
  ) {
    errors.push({ field: 'data.card_number', reason: 'INVALID_CARD_NUMBER' })
  }
  const expiry = readCardExpiry(input, now_ms, errors)
  const cvv = readCvv(input.cvv, bin.brand, errors)
  const billing = readBilling(input, errors)
  if (errors.length > 0) fail('VALIDATION_ERROR', { errors })
  return {
    card: {
      cardholder: input.cardholder.toUpperCase(),
      ...expiry,
      card_bin: number.slice(0, 6),
      last_four: number.slice(-4),
      ...bin,
    },
    billing,
    number: sensitive(number),
    cvv: cvv === null ? null : sensitive(cvv),
  }
}

export function readCardExpiry(
  input: Pick<CardInput, 'exp_month' | 'exp_year'>,
  now_ms: number,
  errors: FieldError[],
): { exp_month: number; exp_year: number } {
  // What is missing, or neither text nor number, is reported by the schema.
  const is_reported = [input.exp_month, input.exp_year].some(
    (part) => !/^(str|num)/.test(typeof part),
  )
  if (is_reported) return { exp_month: 0, exp_year: 0 }
  const expiry = readExpiry(input.exp_month, input.exp_year)
  if (expiry && isUsableExpiry(expiry.exp_month, expiry.exp_year, now_ms)) return expiry
  const reason = 'INVALID_CARD_EXPIRATION'
  errors.push({ field: 'data.exp_month', reason }, { field: 'data.exp_year', reason })
  return { exp_month: 0, exp_year: 0 }
}

export function readCvv(
  given: string | number | null | undefined,
  brand: CardBrand | 'unknown',
  errors: FieldError[],
): string | null {
  if (given === undefined || given === null || given === '') return null
  const cvv = String(given)
  if (!/^\d+$/.test(cvv) || cvv.length !== cvvLength(brand)) {
    errors.push({ field: 'data.cvv', reason: 'INVALID_CVV' })
  }
  return cvv
}

type Billing = Pick<
  CardInput,
  'line1' | 'line2' | 'state' | 'city' | 'country' | 'zip' | 'phone_number'
>

export function readBilling(input: Billing, errors: FieldError[]): BillingData {
  const { line1, line2, state, city, country, zip, phone_number } = input
  const phone = phone_number
    ? readPhone(phone_number.country_code, String(phone_number.local_number))
    : null
  if (phone_number && !phone) {
    errors.push({ field: 'data.phone_number', reason: 'INVALID_PHONE_NUMBER' })
  }
  return {
    line1: line1 ?? null,
    line2: line2 ?? null,
    state: state ?? null,
    city: city ?? null,
    country: country?.toUpperCase() ?? null,
    zip: zip ?? null,
    phone_number: phone,
  }
}
