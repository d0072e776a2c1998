import Type, { type Static } from 'typebox'
import { described, named, textOf } from '../../core/api/described-schemas.ts'
import { type FieldError, fail, oneOf } from '../../core/api/errors.ts'
import { Id, nullable } from '../../core/api/schemas.ts'
import { type MatchAmount, match_amounts } from '../../core/payments/match-amounts.ts'
import { formatDuration } from '../../core/time/durations.ts'
import { readName } from '../../core/typed/read-name.ts'
import { nothing_sealed, type PaymentMethod, type ReadPayment } from '../contract/payment-method.ts'
import { period_missing, readPeriod } from '../pieces/deposit-period.ts'
import { Duration, NameOf, TimeOfDay } from '../pieces/input-pieces.ts'
import { ShownText as text } from '../pieces/shown-pieces.ts'
import { bank_brands, bank_transfer_facts } from './bank-transfer-facts.ts'
import { bank_transfer_form, bank_transfer_give_up } from './bank-transfer-form.ts'
import { bank_transfer_settings } from './bank-transfer-settings.ts'
import { simulateBankTransfer } from './simulate-bank-transfer.ts'

const BankTransferInput = named(
  'BankTransferInput',
  Type.Object({
    brand: NameOf(bank_brands, 'The bank. '),
    match_amount: described(
      Type.Optional(nullable(Type.Enum([...match_amounts]))),
      "The handling of a transfer of another amount. Default: the store's setting, which " +
        'is `exact` by default.',
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

interface BankTransferData {
  brand: string
  match_amount: MatchAmount | null
  bank_code: string | null
  bank_name: string | null
  branch_code: string | null
  branch_name: string | null
  account_number: string | null
  account_holder_name: string | null
  account_id: string | null
  expiration_period: string | null
  expiration_time_shift: string | null
}

/** The customer transfers money to an account that was made for the payment. */
export const bank_transfer_method = {
  input: BankTransferInput,
  shown: {
    brand: described(text, 'The bank.'),
    match_amount: described(
      nullable(
        textOf('MatchAmount', match_amounts, 'The handling of a transfer of another amount.'),
      ),
      "The handling of a transfer of another amount; null: the store's setting.",
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
      "The period in which the account accepts transfers; null: the store's setting.",
    ),
    expiration_time_shift: described(
      text,
      'The time of day at which the account closes; null: to the minute.',
    ),
  },
  settings: bank_transfer_settings,
  disabled: 'BANK_TRANSFER_PROCESSING_DISABLED',
  read: readBankTransfer,
  payer: ({ brand }) => ({ name: null, brand }),
  phone: () => null,
  instrument: (_, { data: { brand } }) => ({ kind: 'bank_transfer', brand }),
  period: ({ expiration_period, expiration_time_shift }) => ({
    kind: 'deposit',
    bounds: bank_transfer_facts.deposit,
    period: expiration_period,
    time_shift: expiration_time_shift,
    to_the_day: false,
  }),
  matchAmount: ({ match_amount }, rules) => match_amount ?? rules.match_amount,
  sent_as: { instrument: 'bank_transfer', with_brand: true },
  simulate: simulateBankTransfer,
  customer_fields: ['brand'],
  form: bank_transfer_form,
  taken_along: {
    number: (instructions) =>
      instructions.kind === 'bank_transfer' ? (instructions.account_number ?? null) : null,
    texts: bank_transfer_give_up,
  },
} satisfies PaymentMethod<BankTransferInput, BankTransferData>

function readBankTransfer(input: BankTransferInput): ReadPayment<BankTransferData> {
  const errors: FieldError[] = []
  const brand = readName(input.brand, bank_brands)
  if (brand === null) {
    errors.push({ field: 'data.brand', reason: 'NOT_ALLOWED_VALUE', rule: oneOf(bank_brands) })
  }
  const period_ms = readPeriod(bank_transfer_facts.deposit, input.expiration_period, errors)
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
