import type { Caller } from '../../core/caller.ts'
import { bins } from '../../core/card-bins.ts'
import { day_ms } from '../../core/clock.ts'
import { formatDuration, readDuration } from '../../core/durations.ts'
import { type ErrorCode, type FieldError, fail, failField, oneOf } from '../../core/errors.ts'
import {
  bank_brands,
  call_methods,
  deposit_periods,
  konbini_chains,
  online_brands,
  os_types,
  type PaymentType,
  qr_merchant_brands,
  qrScanBrand,
  readName,
} from '../../core/payment-methods.ts'
import { readPhone } from '../../core/phone.ts'
import { type Sensitive, sensitive } from '../../core/sensitive.ts'
import type { Service } from '../../service.ts'
import type { TokenData } from '../../store/token-data.ts'
import { type Compatibility, compatibilityOf } from '../compatibility.ts'
import type { StoreRules } from '../stores/store-rules.ts'
import { type ReadCard, readApplePay, readCard } from './read-card.ts'
import type {
  BankTransferInput,
  CreateToken,
  KonbiniInput,
  OnlineInput,
  PaidyInput,
  QrMerchantInput,
  QrScanInput,
} from './token-input.ts'

/** Payment details that were checked: what may be shown, and what must not be. */
export interface ReadPayment {
  readonly data: TokenData
  /** The number of a card, the code of a wallet: kept sealed. */
  readonly number: Sensitive<string> | null
  readonly cvv: Sensitive<string> | null
  /** Cards are found again by their number. */
  readonly is_card: boolean
  readonly confirmed: boolean | null
}

const plain = { number: null, cvv: null, is_card: false, confirmed: null }

/** Which switch of the store's configuration turns a payment type off, and what is then said. */
const switches: Readonly<Record<PaymentType, ErrorCode>> = {
  card: 'CARD_PROCESSING_DISABLED',
  apple_pay: 'CARD_PROCESSING_DISABLED',
  qr_scan: 'QR_PROCESSING_DISABLED',
  qr_merchant: 'QR_PROCESSING_DISABLED',
  konbini: 'CONVENIENCE_PROCESSING_DISABLED',
  paidy: 'PAIDY_PROCESSING_DISABLED',
  online: 'ONLINE_PROCESSING_DISABLED',
  bank_transfer: 'BANK_TRANSFER_PROCESSING_DISABLED',
}

/** The payment details, if they are valid and the store takes them. */
export function readPayment(
  service: Service,
  caller: Caller,
  body: CreateToken,
  rules: StoreRules,
): ReadPayment {
  const { payment_type } = body
  if (!rules.takes[payment_type]) fail(switches[payment_type])
  switch (body.payment_type) {
    case 'card':
    case 'apple_pay':
      return readAnyCard(service, caller, body, rules)
    case 'qr_scan':
      return readQrScan(body.data, rules)
    case 'qr_merchant':
      return readQrMerchant(body.data)
    case 'konbini':
      return readKonbini(body.data, compatibilityOf(service.config))
    case 'online':
      return readOnline(body.data, body.ip_address ?? null)
    case 'bank_transfer':
      return readBankTransfer(body.data)
    case 'paidy':
      return readPaidy(body.data)
  }
}

/** Refuses details that no store takes, without looking at one. */
export function checkDetails({ clock, config }: Service, body: CreateToken): void {
  if (body.payment_type === 'card') readCard(body.data, clock.now())
  if (body.payment_type === 'qr_merchant') readQrMerchant(body.data)
  if (body.payment_type === 'konbini') readKonbini(body.data, compatibilityOf(config))
  if (body.payment_type === 'online') readOnline(body.data, body.ip_address ?? null)
  if (body.payment_type === 'bank_transfer') readBankTransfer(body.data)
  if (body.payment_type === 'paidy') readPaidy(body.data)
}

function readAnyCard(
  service: Service,
  caller: Caller,
  body: Extract<CreateToken, { payment_type: 'card' | 'apple_pay' }>,
  rules: StoreRules,
): ReadPayment {
  const now_ms = service.clock.now()
  let read: ReadCard
  if (body.payment_type === 'apple_pay') {
    if (caller.mode === 'live') fail('NOT_SUPPORTED_BY_PROCESSOR')
    read = readApplePay(body.data, now_ms)
  } else {
    if (rules.direct_card_tokens === false && caller.with_secret) {
      fail('DIRECT_CARD_TOKEN_CREATION_DISABLED')
    }
    read = readCard(body.data, now_ms)
    if (!read.cvv && !rules.allow_empty_cvv) fail('CVV_REQUIRED')
    requireBilling(read, rules)
  }
  checkCard(read, caller, rules)
  const { card, billing, number, cvv } = read
  return { data: { card, billing }, number, cvv, is_card: true, confirmed: null }
}

/** An issuer that authenticates may want to know more about the cardholder. */
function requireBilling({ billing }: ReadCard, { required_billing }: StoreRules): void {
  const missing = required_billing.filter((name) => !billing[name])
  if (missing.length === 0) return
  const reason = 'REQUIRED_VALUE'
  fail('VALIDATION_ERROR', { errors: missing.map((name) => ({ field: `data.${name}`, reason })) })
}

function checkCard({ card }: ReadCard, caller: Caller, rules: StoreRules): void {
  if (caller.mode === 'live' && card.card_bin in bins) fail('NO_TEST_CARD_IN_LIVE_MODE')
  const { forbidden_card_brands, debit_enabled, prepaid_enabled, foreign_cards_allowed } = rules
  const refused =
    forbidden_card_brands.some((brand) => plainName(brand) === plainName(card.brand)) ||
    (debit_enabled === false && card.card_type === 'debit') ||
    (prepaid_enabled === false && card.category === 'prepaid')
  if (refused) fail('CARD_BRAND_NOT_SUPPORTED')
  if (foreign_cards_allowed === false && card.country !== null && card.country !== rules.country) {
    fail('CARD_COUNTRY_NOT_SUPPORTED')
  }
}

/** The specification writes `union_pay` in configurations; cards have the brand `unionpay`. */
export function plainName(brand: string): string {
  return brand.toLowerCase().replaceAll('_', '')
}

function readQrScan({ scanned_qr }: QrScanInput, rules: StoreRules): ReadPayment {
  const brand = qrScanBrand(scanned_qr)
  if (brand !== null && rules.forbidden_qr_scan_gateways.includes(brand)) {
    fail('INVALID_QR_SCAN_GATEWAY')
  }
  return { ...plain, data: { brand, gateway: brand }, number: sensitive(scanned_qr) }
}

function readQrMerchant(input: QrMerchantInput): ReadPayment {
  const brand = readName(input.brand, Object.keys(qr_merchant_brands))
  if (brand === null)
    failField('data.brand', 'NOT_ALLOWED_VALUE', oneOf(Object.keys(qr_merchant_brands)))
  return { ...plain, data: { brand, qr_image_url: null } }
}

const with_shift = 'is required with data.expiration_time_shift'

function readKonbini(input: KonbiniInput, { konbiniPhone }: Compatibility): ReadPayment {
  const errors: FieldError[] = []
  const { convenience_store, customer_name, expiration_time_shift = null } = input
  const { country_code, local_number } = input.phone_number
  const phone_number = konbiniPhone(country_code, String(local_number))
  if (typeof phone_number === 'string') {
    errors.push({ field: 'data.phone_number', reason: phone_number })
  }
  const { to_the_minute } = konbini_chains[convenience_store]
  const shifted = expiration_time_shift !== null
  const least_ms = shifted && to_the_minute ? day_ms : 0
  const period_ms = readPeriod('konbini', input.expiration_period, errors, least_ms)
  if (shifted && !to_the_minute) {
    const rule = `is not offered for ${convenience_store}`
    errors.push({ field: 'data.expiration_time_shift', reason: 'FORBIDDEN_PARAMETER', rule })
  } else if (shifted && !input.expiration_period) {
    errors.push({ field: 'data.expiration_period', reason: 'REQUIRED_VALUE', rule: with_shift })
  }
  if (errors.length > 0 || typeof phone_number === 'string') fail('VALIDATION_ERROR', { errors })
  const expiration_period = period_ms === null ? null : formatDuration(period_ms)
  return {
    ...plain,
    data: {
      customer_name,
      convenience_store,
      expiration_period,
      expiration_time_shift,
      phone_number,
    },
  }
}

/** Every fault is named: what a brand needs depends on how it is called. */
function readOnline(input: OnlineInput, ip_address: string | null): ReadPayment {
  const names = Object.keys(online_brands) as (keyof typeof online_brands)[]
  const brand = readName(input.brand, names)
  const call_method = readName(input.call_method, call_methods)
  const os_type = input.os_type ? readName(input.os_type, os_types) : null
  const errors: FieldError[] = []
  const need = (field: string, reason: FieldError['reason'], rule: string) =>
    errors.push({ field, reason, rule })
  const known = brand ? online_brands[brand].call_methods : call_methods
  const for_brand = brand ? ` for ${brand}` : ''
  if (brand === null) need('data.brand', 'NOT_ALLOWED_VALUE', oneOf(names))
  if (call_method === null) {
    need('data.call_method', 'NOT_ALLOWED_VALUE', `${oneOf(known)}${for_brand}`)
  }
  if (input.os_type && os_type === null) {
    need('data.os_type', 'NOT_ALLOWED_VALUE', oneOf(os_types))
  }
  if (brand !== null && call_method !== null) {
    const accepts = online_brands[brand]
    const lists = (methods: readonly string[]) => methods.includes(call_method)
    const missing = `is required for ${brand} with ${call_method}`
    if (!lists(accepts.call_methods)) {
      need('data.call_method', 'NOT_ALLOWED_VALUE', `${oneOf(known)}${for_brand}`)
    }
    if (lists(accepts.user_identifier_for) && !input.user_identifier) {
      need('data.user_identifier', 'REQUIRED_VALUE', missing)
    }
    if (lists(accepts.os_type_for) && !input.os_type) {
      need('data.os_type', 'REQUIRED_VALUE', `${missing}: android or ios`)
    }
    if (lists(accepts.ip_address_for) && !ip_address) need('ip_address', 'REQUIRED_VALUE', missing)
  }
  if (errors.length > 0 || brand === null || call_method === null) {
    fail('VALIDATION_ERROR', { errors })
  }
  const user_identifier = input.user_identifier ?? null
  return {
    ...plain,
    data: {
      brand,
      call_method,
      issuer_token: null,
      issuer_token_payload: null,
      os_type,
      user_identifier,
      user_identifier_source: user_identifier === null ? null : 'provided',
    },
  }
}

function readBankTransfer(input: BankTransferInput): ReadPayment {
  const errors: FieldError[] = []
  const brand = readName(input.brand, bank_brands)
  if (brand === null)
    errors.push({ field: 'data.brand', reason: 'NOT_ALLOWED_VALUE', rule: oneOf(bank_brands) })
  const period_ms = readPeriod('bank_transfer', input.expiration_period, errors)
  const { expiration_time_shift = null, match_amount = null } = input
  if (expiration_time_shift !== null && !input.expiration_period) {
    errors.push({ field: 'data.expiration_period', reason: 'REQUIRED_VALUE', rule: with_shift })
  }
  if (errors.length > 0 || brand === null) fail('VALIDATION_ERROR', { errors })
  return {
    ...plain,
    data: {
      brand,
      match_amount,
      bank_code: null,
      bank_name: null,
      branch_code: null,
      branch_name: null,
      account_number: null,
      account_holder_name: null,
      account_id: null,
      expiration_period: period_ms === null ? null : formatDuration(period_ms),
      expiration_time_shift,
    },
  }
}

function readPeriod(
  payment_type: keyof typeof deposit_periods,
  text: string | null | undefined,
  errors: FieldError[],
  needed_ms = 0,
): number | null {
  if (!text) return null
  const { least_ms, most_ms } = deposit_periods[payment_type]
  const period_ms = readDuration(text)
  const shortest_ms = Math.max(least_ms, needed_ms)
  if (period_ms === null || period_ms < shortest_ms || period_ms > most_ms) {
    const rule = `must be a duration from ${formatDuration(shortest_ms)} to ${formatDuration(most_ms)}`
    errors.push({ field: 'data.expiration_period', reason: 'INVALID_TIME_PERIOD', rule })
  }
  return period_ms
}

/** The wallet has asked the customer before it gave the token out, so it is confirmed. */
function readPaidy({ paidy_token, phone_number, shipping_address }: PaidyInput): ReadPayment {
  const phone = phone_number
    ? readPhone(phone_number.country_code, String(phone_number.local_number))
    : null
  if (phone_number && !phone) failField('data.phone_number', 'INVALID_PHONE_NUMBER')
  const { line1, line2, city, state, zip } = shipping_address ?? {}
  return {
    ...plain,
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
