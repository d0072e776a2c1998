import { compatibilityOf } from '../../../api/responses/compatibility.ts'
import { type FieldError, fail, failField, failIfAny } from '../../../core/api/errors.ts'
import { newUnguessableId } from '../../../core/ids.ts'
import { listInWords } from '../../../core/text/list-in-words.ts'
import { day_ms, hour_ms } from '../../../core/time/clock.ts'
import {
  endOfDayInTokyo,
  expiryOf,
  formatDuration,
  readTimeOfDay,
  type TimeOfDay,
} from '../../../core/time/durations.ts'
import { readInstant } from '../../../core/typed/formats.ts'
import { readRedirectEndpoint } from '../../../core/typed/redirect-endpoint.ts'
import {
  brandsWith,
  factsOfBrand,
  method_facts,
  typesWhere,
} from '../../../methods/method-facts.ts'
import { methodOf, payerOf } from '../../../methods/method-table.ts'
import { depositPeriod } from '../../../methods/pieces/deposit-period.ts'
import type { Service } from '../../../service.ts'
import type { ChargeThreeDs } from '../../../store/tables/tables.ts'
import type { StoreRules } from '../../store-rules/store-rules.ts'
import type { Token } from '../../tokens/token.ts'
import { type CreateCharge, external_three_ds } from '../charge-input.ts'
import type { StoreCaller } from './create-charge.ts'

/** An authorization that is not captured ends after this time. */
export const authorization_life_ms = 7 * day_ms
const earliest_capture_ms = hour_ms

/** Fields that belong to other payment types, and times that are out of bounds: all are named. */
export function checkFields(
  service: Service,
  body: CreateCharge,
  token: Token,
  { mode }: StoreCaller,
): void {
  const errors: FieldError[] = []
  const need = (field: string, reason: FieldError['reason'], rule?: string) =>
    errors.push({ field, reason, ...(rule ? { rule } : {}) })
  const { holds } = method_facts[token.payment_type]
  const { brand } = payerOf(token)
  if (body.capture === false && !holds) need('capture', 'CAPTURE_ONLY_FOR_CARD_PAYMENT')
  const at_fault = body.capture_at ? captureAtFault(service, body, token) : null
  if (at_fault) errors.push({ field: 'capture_at', ...at_fault })
  const facts = factsOfBrand(token.payment_type, brand)
  if (body.merchant_transaction_id && !facts?.merchant_transaction_id) {
    const rule = `is for ${listInWords(brandsWith('merchant_transaction_id'), 'and')} only`
    need('merchant_transaction_id', 'FORBIDDEN_PARAMETER', rule)
  }
  const { redirecting_types } = compatibilityOf(service.config)
  const redirects = facts?.redirects === true || redirecting_types.includes(token.payment_type)
  if (body.redirect?.endpoint && !redirects) {
    const rule = `is for ${brandsWith('redirects').join(', ')} only`
    need('redirect.endpoint', 'FORBIDDEN_PARAMETER', rule)
  }
  // A wallet authenticates its owner itself.
  const by_card = token.payment_type === 'card'
  for (const field of threeDsFields(body)) if (!by_card) need(field, 'ONLY_FOR_CARD_PAYMENT')
  for (const field of ['descriptor', 'descriptor_phone_number'] as const) {
    if (body[field] && !holds && !body.ignore_descriptor_on_error) {
      need(field, 'NOT_SUPPORTED_BY_PROCESSOR')
    }
  }
  const needAddress = (field: string, address: string | null | undefined) => {
    if (address && readRedirectEndpoint(address, mode) === null) need(field, 'INVALID_FORMAT_URL')
  }
  needAddress('redirect.endpoint', body.redirect?.endpoint)
  needAddress('redirect_three_ds.endpoint', body.redirect_three_ds?.endpoint)
  needAddress('three_ds.redirect_endpoint', body.three_ds?.redirect_endpoint)
  failIfAny(errors)
}

/** Fields of 3-D Secure that ask for something; `normal` is what happens anyway. */
function threeDsFields({ three_ds_mode, three_ds, redirect_three_ds }: CreateCharge): string[] {
  return [
    three_ds_mode && three_ds_mode !== 'normal' ? 'three_ds_mode' : '',
    three_ds?.mode && three_ds.mode !== 'normal' ? 'three_ds.mode' : '',
    three_ds?.redirect_endpoint ? 'three_ds.redirect_endpoint' : '',
    redirect_three_ds?.endpoint ? 'redirect_three_ds.endpoint' : '',
    ...external_three_ds.filter((name) => three_ds?.[name]).map((name) => `three_ds.${name}`),
  ].filter(Boolean)
}

/** For a card when it is captured, for a deposit when it is over; nothing for anything else. */
function captureAtFault(
  service: Service,
  body: CreateCharge,
  { payment_type, data }: Token,
): Pick<FieldError, 'reason' | 'rule'> | null {
  const ahead_ms = (readInstant(body.capture_at ?? '')?.getTime() ?? 0) - service.clock.now()
  const period = methodOf(payment_type).period(data)
  if (period?.kind === 'deposit') {
    const { min_ms, max_ms } = period.bounds
    const in_bounds = ahead_ms >= min_ms && ahead_ms <= max_ms
    const rule = `must lie between ${formatDuration(min_ms)} and ${formatDuration(max_ms)} ahead`
    return in_bounds ? null : { reason: 'EXPIRATION_DATE_OUT_OF_BOUNDS', rule }
  }
  if (!method_facts[payment_type].holds || body.capture !== false) {
    const by_deposit = typesWhere(({ deposit }) => deposit !== null)
    const rule = `needs a card charge with "capture": false, or ${listInWords(by_deposit, 'or')}`
    return { reason: 'FORBIDDEN_PARAMETER', rule }
  }
  const in_bounds = ahead_ms >= earliest_capture_ms && ahead_ms <= authorization_life_ms
  return in_bounds ? null : { reason: 'INVALID_SCHEDULED_CAPTURE_DATE' }
}

/** The deadline for the customer; null where no customer has to act, as far as is known. */
export function expiryOfCharge(
  from: Date,
  body: Pick<CreateCharge, 'capture_at'>,
  token: Token,
  rules: StoreRules,
): Date | null {
  const period = methodOf(token.payment_type).period(token.data)
  if (!period) return null
  if (period.kind === 'page') return new Date(from.getTime() + period.life_ms)
  const exact = body.capture_at ? readInstant(body.capture_at) : null
  if (exact) return period.to_the_day ? endOfDayInTokyo(exact) : exact
  const wanted = period.period ?? rules.expiration[token.payment_type]?.period ?? null
  const period_ms = depositPeriod(period.bounds, wanted)
  return expiryOf({ from, period_ms, time_shift: timeShiftOf(token, rules) })
}

/** The time of day at which a payment by deposit ends, where its token or store says so. */
export function timeShiftOf(token: Token, rules: StoreRules): TimeOfDay | null {
  const period = methodOf(token.payment_type).period(token.data)
  if (period?.kind !== 'deposit') return null
  const of_store = rules.expiration[token.payment_type]?.time_shift ?? null
  const shift = period.period ? period.time_shift : of_store
  return shift === null || period.to_the_day ? null : readTimeOfDay(shift)
}

/** The deposits that pay a charge: as its token or store says; null where there are none. */
export function matchAmountOf({ payment_type, data }: Token, rules: StoreRules) {
  return methodOf(payment_type).matchAmount?.(data, rules) ?? null
}

export interface ReadThreeDs {
  three_ds: ChargeThreeDs
  external_three_ds: Record<string, string> | null
}

/** `skip` is a privilege; a result from elsewhere must be complete. */
export function readThreeDs(
  body: Pick<CreateCharge, 'three_ds' | 'three_ds_mode' | 'redirect_three_ds'>,
  { mode: store_mode, with_secret }: Pick<StoreCaller, 'mode' | 'with_secret'>,
  rules: StoreRules,
): ReadThreeDs {
  const given = external_three_ds.filter((name) => body.three_ds?.[name])
  if (given.length > 0 && given.length < external_three_ds.length) {
    const missing = external_three_ds.filter((name) => !given.includes(name))
    fail('VALIDATION_ERROR', {
      errors: missing.map((name) => ({ field: `three_ds.${name}`, reason: 'REQUIRED_VALUE' })),
    })
  }
  const { mode: inner } = body.three_ds ?? {}
  if (body.three_ds_mode && inner && body.three_ds_mode !== inner) {
    failField('three_ds.mode', 'FORBIDDEN_PARAMETER', 'contradicts three_ds_mode; send one of them')
  }
  const wanted = body.three_ds_mode ?? inner ?? null
  if (given.length > 0 && wanted !== null && wanted !== 'provided') {
    const field = inner ? 'three_ds.mode' : 'three_ds_mode'
    failField(
      field,
      'FORBIDDEN_PARAMETER',
      'must be provided, or absent, when the result of 3-D Secure is sent along',
    )
  }
  if (given.length > 0) {
    const pairs = external_three_ds.map((name) => [name, body.three_ds?.[name] ?? ''])
    return {
      three_ds: { mode: 'provided', redirect_endpoint: null, redirect_id: null },
      external_three_ds: Object.fromEntries(pairs),
    }
  }
  const mode = wanted ?? 'normal'
  if (mode === 'provided') failField('three_ds.authentication_value', 'REQUIRED_VALUE')
  const may_skip = with_secret && rules.three_ds_skip_enabled && !rules.three_ds_required
  if (mode === 'skip' && !may_skip) {
    fail('INVALID_PERMISSIONS', { message: 'Skipping 3-D Secure must be enabled by support.' })
  }
  const endpoint = body.redirect_three_ds?.endpoint ?? body.three_ds?.redirect_endpoint
  const redirect_endpoint = endpoint ? readRedirectEndpoint(endpoint, store_mode) : null
  const redirect_id = redirect_endpoint === null ? null : newUnguessableId()
  return { three_ds: { mode, redirect_endpoint, redirect_id }, external_three_ds: null }
}
