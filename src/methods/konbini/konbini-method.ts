import Type, { type Static } from 'typebox'
import type { Config } from '../../config.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { type FieldError, fail } from '../../core/api/errors.ts'
import { Label, nullable } from '../../core/api/schemas.ts'
import { duration } from '../../core/api/setting-values.ts'
import { day_ms } from '../../core/time/clock.ts'
import { formatDuration } from '../../core/time/durations.ts'
import type { PhoneData } from '../../store/tables/payments/token-data.ts'
import type { DepositTimes } from '../contract/method-rules.ts'
import {
  nothing_sealed,
  type PaymentMethod,
  type ReadPayment,
  settingsOf,
} from '../contract/payment-method.ts'
import { depositPeriod, period_missing, readPeriod } from '../pieces/deposit-period.ts'
import { expiration_time_shift, not_shifted } from '../pieces/deposit-settings.ts'
import { Duration, PhoneInput, TimeOfDay } from '../pieces/input-pieces.ts'
import { ShownPhone, ShownText as text } from '../pieces/shown-pieces.ts'
import { type KonbiniChain, konbini_chains, konbini_facts, konbini_names } from './konbini-facts.ts'
import { konbini_form, konbini_give_up } from './konbini-form.ts'
import { readKonbiniPhone } from './konbini-phone.ts'
import { simulateKonbini } from './simulate-konbini.ts'

const without_time = konbini_names.filter((name) => !konbini_chains[name].to_the_minute)

const KonbiniInput = named(
  'KonbiniInput',
  Type.Object({
    customer_name: described(Label(), 'The name of the customer.'),
    phone_number: described(PhoneInput, 'The phone number of the customer: a Japanese one.'),
    convenience_store: described(Type.Enum([...konbini_names]), 'The chain of convenience stores.'),
    expiration_period: described(
      Type.Optional(Duration),
      'How long the customer can pay, from the creation of the charge: 30 minutes to ' +
        '30 days. Default: 30 days.',
    ),
    expiration_time_shift: Type.Optional(
      TimeOfDay(
        'The time of day at which the period ends. Needs a period of a day or more; ' +
          `not for ${without_time.join(', ')}.`,
      ),
    ),
  }),
  'Payment at a convenience store.',
)
type KonbiniInput = Static<typeof KonbiniInput>

interface KonbiniData {
  customer_name: string
  convenience_store: string
  expiration_period: string | null
  expiration_time_shift: string | null
  phone_number: PhoneData
}

/** The customer pays at a convenience store. */
export const konbini_method = {
  input: KonbiniInput,
  shown: {
    customer_name: described(Type.String(), 'The name of the customer.'),
    convenience_store: described(Type.String(), 'The chain of convenience stores.'),
    phone_number: described(nullable(ShownPhone), 'The phone number of the customer.'),
    expiration_period: described(
      text,
      'How long the customer can pay. Without it in the request: what the store says, or 30 days.',
    ),
    expiration_time_shift: described(
      text,
      'The time of day at which the period ends; null: to the minute.',
    ),
  },
  settings: settingsOf(
    'convenience',
    'ConvenienceConfiguration',
    {
      about: 'Payments at convenience stores.',
      accepted: 'Whether customers can pay at convenience stores.',
    },
    {
      expiration: duration('How long customers can pay. Default: 30 days.'),
      expiration_time_shift,
    },
    {
      expiration: formatDuration(konbini_facts.deposit.default_ms),
      expiration_time_shift: not_shifted,
    },
  ),
  disabled: 'CONVENIENCE_PROCESSING_DISABLED',
  read: (input, { service, rules }) =>
    readKonbini(input, service.config, rules?.expiration.konbini ?? null),
  payer: ({ customer_name, convenience_store }) => ({
    name: customer_name,
    brand: convenience_store,
  }),
  phone: ({ phone_number }) => phone_number,
  instrument: (_, { data: { convenience_store, customer_name } }) => ({
    kind: 'konbini',
    convenience_store,
    customer_name,
  }),
  period: ({ expiration_period, expiration_time_shift, convenience_store }) => ({
    kind: 'deposit',
    bounds: konbini_facts.deposit,
    period: expiration_period,
    time_shift: expiration_time_shift,
    to_the_day: !konbini_chains[convenience_store as KonbiniChain].to_the_minute,
  }),
  // Convenience stores collect the exact amount.
  matchAmount: () => 'exact',
  sent_as: { instrument: 'konbini', with_brand: false },
  offer: () => ({ requires_full_name: true }),
  simulate: simulateKonbini,
  customer_fields: ['convenience_store', 'customer_name', 'phone_number'],
  form: konbini_form,
  taken_along: {
    number: (instructions) =>
      instructions.kind === 'konbini' ? (instructions.payment_code ?? null) : null,
    texts: konbini_give_up,
  },
} satisfies PaymentMethod<KonbiniInput, KonbiniData>

/** What holds without a period in the token is stored and shown: client libraries expect one. */
function timesOfStore(
  of_store: DepositTimes | null,
  to_the_minute: boolean,
): Pick<KonbiniData, 'expiration_period' | 'expiration_time_shift'> {
  const { period = null, time_shift = null } = of_store ?? {}
  return {
    expiration_period: formatDuration(depositPeriod(konbini_facts.deposit, period)),
    expiration_time_shift: to_the_minute ? time_shift : null,
  }
}

function readKonbini(
  input: KonbiniInput,
  config: Pick<Config, 'compatibility'>,
  of_store: DepositTimes | null,
): ReadPayment<KonbiniData> {
  const errors: FieldError[] = []
  const { convenience_store, customer_name, expiration_time_shift = null } = input
  const { country_code, local_number } = input.phone_number
  const phone_number = readKonbiniPhone(config, country_code, String(local_number))
  if (typeof phone_number === 'string') {
    errors.push({ field: 'data.phone_number', reason: phone_number })
  }
  const { to_the_minute } = konbini_chains[convenience_store]
  const shifted = expiration_time_shift !== null
  const needed_ms = shifted && to_the_minute ? day_ms : 0
  const period_ms = readPeriod(konbini_facts.deposit, input.expiration_period, errors, needed_ms)
  if (shifted && !to_the_minute) {
    const rule = `is not offered for ${convenience_store}`
    errors.push({ field: 'data.expiration_time_shift', reason: 'FORBIDDEN_PARAMETER', rule })
  } else if (shifted && !input.expiration_period) errors.push(period_missing)
  if (errors.length > 0 || typeof phone_number === 'string') fail('VALIDATION_ERROR', { errors })
  const times =
    period_ms === null
      ? timesOfStore(of_store, to_the_minute)
      : { expiration_period: formatDuration(period_ms), expiration_time_shift }
  return { ...nothing_sealed, data: { customer_name, convenience_store, ...times, phone_number } }
}
