import { dateIn } from '../../core/time/schedule.ts'
import type { Authorization } from '../../providers/provider-operations.ts'
import type { SimulatorOutcome } from '../../store/tables/payments/simulator-tables.ts'
import { randomDigits } from '../pieces/random-digits.ts'
import type { KonbiniChain } from './konbini-facts.ts'
import { konbini_guides } from './konbini-guides.ts'

/**
 * The barcode of a convenience store: 44 digits with the payment's code, its last day and its amount
 * where it has room for it.
 */
function barcodeOf(payment_code: string, { amount, expires_on }: Authorization): string {
  const last_day = expires_on ? dateIn('Asia/Tokyo', expires_on) : ''
  const day = last_day.slice(2).replaceAll('-', '').padStart(6, '0')
  const sum = amount > 999_999 ? '0' : String(amount)
  return `91${'900001'}${payment_code.padStart(20, '0')}${day}${sum.padStart(10, '0')}`
}

const further_codes = { company_code: 5, confirmation_code: 6 } as const

/** The data that the chain needs besides the payment's code. */
function furtherCodes({ instrument }: Authorization) {
  const chain =
    instrument.kind === 'konbini' ? (instrument.convenience_store as KonbiniChain) : null
  const asked = chain === null ? [] : konbini_guides[chain].numbers.map(([field]) => field)
  const codes = Object.entries(further_codes).filter(([name]) => asked.some((one) => one === name))
  return Object.fromEntries(codes.map(([name, length]) => [name, randomDigits(length)]))
}

export function simulateKonbini(operation: Authorization): SimulatorOutcome {
  const payment_code = randomDigits(13)
  const barcode = barcodeOf(payment_code, operation)
  const codes = { payment_code, ...furtherCodes(operation), barcode }
  return { outcome: 'waiting', instructions: { kind: 'konbini', ...codes } }
}
