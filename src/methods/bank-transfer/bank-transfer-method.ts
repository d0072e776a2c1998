import Type, { type Static } from 'typebox'
import { described, named, textOf } from '../../core/api/described-schemas.ts'
import { type FieldError, fail, oneOf } from '../../core/api/errors.ts'
import { Id, nullable } from '../../core/api/schemas.ts'
import { bank_brands, match_amounts, readName } from '../../core/payments/payment-methods.ts'
import { formatDuration } from '../../core/time/durations.ts'
import type { BankTransferData } from '../../store/tables/token-data.ts'
import { period_missing, readPeriod } from '../deposit-period.ts'
import { Duration, NameOf, TimeOfDay } from '../input-pieces.ts'
import { nothing_sealed, type PaymentMethod, type ReadPayment } from '../payment-method.ts'
import { ShownText as text } from '../shown-pieces.ts'

const BankTransferInput = named(
  'BankTransferInput',
  Type.Object({
    brand: NameOf(bank_brands, 'The bank. '),
    match_amount: described(
      Type.Optional(nullable(Type.Enum([...match_amounts]))),
      'What happens to a transfer of another amount. Without it, the store decides; ' +
        'its default is `exact`.',
    ),
    expiration_period: described(
      Type.Optional(Duration),
      'How long the account is open, from the creation of the charge: 30 minutes to ' +
        '365 days. Default: 7 days.',
    ),
    expiration_time_shift: Type.Optional(
      TimeOfDay('The time of day at which the account closes. Needs `expiration_period`.'),
    ),
  }),
  'Payment by bank transfer to an account that is opened for the charge.',
)
type BankTransferInput = Static<typeof BankTransferInput>

/** The customer transfers money to an account that was made for the payment. */
export const bank_transfer_method: PaymentMethod<BankTransferInput, BankTransferData> = {
  input: BankTransferInput,
  shown: {
    brand: described(text, 'The bank.'),
    match_amount: described(
      nullable(
        textOf('MatchAmount', match_amounts, 'What happens to a transfer of another amount.'),
      ),
      'What happens to a transfer of another amount; null: the store decides.',
    ),
    bank_code: described(
      text,
      'The four-digit code of the bank; null until a charge waits for the transfer.',
    ),
    bank_name: described(text, 'The name of the bank; null until a charge waits for the transfer.'),
    branch_code: described(
      text,
      'The three-digit code of the branch; null until a charge waits for the transfer.',
    ),
    branch_name: described(
      text,
      'The name of the branch; null until a charge waits for the transfer.',
    ),
    account_number: described(
      text,
      'The number of the virtual account; null until a charge waits for the transfer.',
    ),
    account_holder_name: described(
      text,
      'The account holder; null until a charge waits for the transfer.',
    ),
    account_id: described(
      nullable(Id),
      'The id of the virtual account; null until a charge waits for the transfer.',
    ),
    expiration_period: described(
      text,
      'How long the account is open; null: as long as the store says.',
    ),
    expiration_time_shift: described(
      text,
      'The time of day at which the account closes; null: to the minute.',
    ),
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
