import Type, { type Static } from 'typebox'
import { named } from '../../../core/described-schemas.ts'
import { type FieldError, fail, oneOf } from '../../../core/errors.ts'
import { bank_brands, match_amounts, readName } from '../../../core/payment-methods.ts'
import { Id, nullable } from '../../../core/schemas.ts'
import { formatDuration } from '../../../core/time/durations.ts'
import type { BankTransferData } from '../../../store/tables/token-data.ts'
import { period_missing, readPeriod } from '../deposit-period.ts'
import { Duration, NameOf, TimeOfDay } from '../input-pieces.ts'
import { nothing_sealed, type PaymentMethod, type ReadPayment } from '../payment-method.ts'
import { ShownText as text } from '../shown-pieces.ts'

const BankTransferInput = named(
  'BankTransferInput',
  Type.Object({
    brand: NameOf(bank_brands),
    match_amount: Type.Optional(nullable(Type.Enum([...match_amounts]))),
    expiration_period: Type.Optional(Duration),
    expiration_time_shift: Type.Optional(TimeOfDay('Time of day at which the account ends')),
  }),
)
type BankTransferInput = Static<typeof BankTransferInput>

/** The customer transfers money to an account that was made for the payment. */
export const bank_transfer_method: PaymentMethod<BankTransferInput, BankTransferData> = {
  input: BankTransferInput,
  shown: {
    brand: text,
    match_amount: text,
    bank_code: text,
    bank_name: text,
    branch_code: text,
    branch_name: text,
    account_number: text,
    account_holder_name: text,
    account_id: nullable(Id),
    expiration_period: text,
    expiration_time_shift: text,
  },
  brands: bank_brands,
  configuration: 'bank_transfer',
  disabled: 'BANK_TRANSFER_PROCESSING_DISABLED',
  read: readBankTransfer,
  payer: ({ brand }) => ({ name: null, brand }),
  phone: () => null,
  instrument: (_, { data: { brand } }) => ({ kind: 'bank_transfer', brand }),
  period: ({ expiration_period, expiration_time_shift }) => ({
    kind: 'deposit',
    method: 'bank_transfer',
    period: expiration_period,
    time_shift: expiration_time_shift,
    to_the_day: false,
  }),
  matchAmount: ({ match_amount }, rules) => match_amount ?? rules.match_amount,
}

function readBankTransfer(input: BankTransferInput): ReadPayment<BankTransferData> {
  const errors: FieldError[] = []
  const brand = readName(input.brand, bank_brands)
  if (brand === null) {
    errors.push({ field: 'data.brand', reason: 'NOT_ALLOWED_VALUE', rule: oneOf(bank_brands) })
  }
  const period_ms = readPeriod('bank_transfer', input.expiration_period, errors)
  const { expiration_time_shift = null, match_amount = null } = input
  if (expiration_time_shift !== null && !input.expiration_period) errors.push(period_missing)
  if (errors.length > 0 || brand === null) fail('VALIDATION_ERROR', { errors })
  return {
    ...nothing_sealed,
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
