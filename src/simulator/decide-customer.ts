import { randomInt } from 'node:crypto'
import type { Config } from '../config.ts'
import { derivedId } from '../core/ids.ts'
import { konbini_guides } from '../core/payment-names/konbini-guides.ts'
import { paymentName, test_account } from '../core/payment-names/payment-names.ts'
import type { Instructions } from '../core/payments/instructions.ts'
import {
  type KonbiniChain,
  online_brands,
  qr_merchant_brands,
} from '../core/payments/payment-methods.ts'
import { dateIn } from '../core/time/schedule.ts'
import type { Authorization, Instrument, ProviderCard } from '../providers/provider-operations.ts'
import type { SimulatorOutcome } from '../store/tables/simulator-tables.ts'
import { readScenario } from './card-scenarios.ts'
import { approved, type Decision, refused } from './decision.ts'

type CustomerInstrument = Exclude<Instrument, ProviderCard>

export function brandCurrencies(brand: string | null): readonly string[] {
  const brands: Readonly<Record<string, { readonly currencies: readonly string[] }>> = {
    ...qr_merchant_brands,
    ...online_brands,
  }
  const found = brand !== null && Object.hasOwn(brands, brand) ? brands[brand] : undefined
  return found?.currencies ?? ['JPY']
}

/** How a scanned code or a wallet's token ends decides what becomes of it. */
export const wallet_scenarios = [
  { ending: 'declined', code: 340, effect: 'the wallet declines' },
  { ending: 'insufficient', code: 330, effect: 'insufficient funds' },
  { ending: 'expired', code: 323, effect: 'the code has expired' },
  { ending: 'used', code: 324, effect: 'the code was used already' },
] as const

function decideWallet(code: string): SimulatorOutcome {
  const scenario = wallet_scenarios.find(({ ending }) => code.toLowerCase().endsWith(ending))
  return scenario ? refused(scenario.code, 'The test data asked for it.') : approved
}

function digits(count: number): string {
  return Array.from({ length: count }, () => String(randomInt(10))).join('')
}

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

/** What the chain asks for beside the payment's code. */
function furtherCodes({ instrument }: Authorization) {
  const chain =
    instrument.kind === 'konbini' ? (instrument.convenience_store as KonbiniChain) : null
  const asked = chain === null ? [] : konbini_guides[chain].numbers.map(([field]) => field)
  const codes = Object.entries(further_codes).filter(([name]) => asked.some((one) => one === name))
  return Object.fromEntries(codes.map(([name, length]) => [name, digits(length)]))
}

const instructions_of = {
  online: ({ instrument, reference }) => {
    const by_page = ['http_get', 'http_get_mobile', 'http_post']
    const paged = instrument.kind === 'online' && by_page.includes(instrument.call_method)
    const sdk_token = paged ? null : `sdk_${derivedId(reference, 'sdk').replaceAll('-', '')}`
    return { kind: 'online', sdk_token }
  },
  qr: () => ({ kind: 'qr', code: null }),
  konbini: (operation) => {
    const payment_code = digits(13)
    const barcode = barcodeOf(payment_code, operation)
    return { kind: 'konbini', payment_code, ...furtherCodes(operation), barcode }
  },
  bank_transfer: ({ instrument, reference }) => ({
    kind: 'bank_transfer',
    account_id: derivedId(reference, 'virtual account'),
    bank_code: '0310',
    bank_name: paymentName(instrument.kind === 'bank_transfer' ? instrument.brand : '', 'en'),
    branch_code: digits(3),
    branch_name: test_account.branch.en,
    account_number: digits(7),
    account_holder_name: test_account.holder.en,
  }),
} as const satisfies Record<string, (operation: Authorization) => Instructions>

/** Everything in which the customer acts: wallets, pages of brands, codes, convenience stores, transfers. */
export function decideCustomer(
  operation: Authorization,
  instrument: CustomerInstrument,
  compatibility: Config['compatibility'],
): Decision {
  const scenario = readScenario({ number: '', email: operation.email, compatibility })
  const { refuse_code, delay_ms, lose_first_answer, disputed } = scenario
  const outcome =
    refuse_code === null
      ? decide(operation, instrument)
      : refused(refuse_code, 'The test data asked for it.')
  return { outcome, traits: disputed ? { disputed } : {}, delay_ms, lose_first_answer }
}

function decide(operation: Authorization, instrument: CustomerInstrument): SimulatorOutcome {
  const brand = 'brand' in instrument ? instrument.brand : null
  if (!brandCurrencies(brand).includes(operation.currency)) {
    return refused(308, 'Currency not taken.')
  }
  if (instrument.kind === 'wallet') return decideWallet(instrument.code.reveal())
  return { outcome: 'waiting', instructions: instructions_of[instrument.kind](operation) }
}
