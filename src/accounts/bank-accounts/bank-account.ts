import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail, failField } from '../../core/api/errors.ts'
import { Id, Label, nullable, PageOf } from '../../core/api/schemas.ts'
import { typedDigits } from '../../core/typed/typed-digits.ts'
import type { Service } from '../../service.ts'
import { violatedIndex } from '../../store/sql/statements/database-errors.ts'
import type { BankAccountTable } from '../../store/tables/tables.ts'
import { keyedHash } from '../../vault/key-ring.ts'
import { seal } from '../../vault/seal.ts'

export type BankAccount = Selectable<BankAccountTable>

const AccountNumber = typedDigits(Type.String({ pattern: '^[0-9A-Za-z-]{4,34}$' }))
const Code = typedDigits(nullable(Type.String({ pattern: '^[0-9A-Za-z-]{1,34}$' })))

const changeable = {
  holder_name: described(Label(), 'The name of the account holder.'),
  bank_name: described(Label(), 'The name of the bank.'),
  branch_name: described(nullable(Label()), 'The name of the branch; null without one.'),
  bank_address: described(nullable(Label(500)), 'The address of the bank; null without one.'),
  routing_number: described(
    Code,
    'The routing number of the bank, where the country has one; otherwise null. In Japan the codes of ' +
      'bank and branch, such as `0001-001`.',
  ),
  swift_code: described(Code, 'The SWIFT code (BIC) of the bank; null without one.'),
  ifsc_code: described(Code, 'The IFSC code of the branch, in India; otherwise null.'),
  routing_code: described(
    Code,
    'Another code of the bank, where the country has one; otherwise null.',
  ),
  account_type: described(
    Type.Enum(['checking', 'savings'], { default: 'checking' }),
    'Whether it is a checking or a savings account.',
  ),
  primary: described(
    Type.Boolean(),
    'Whether payouts go to this account. A merchant has one primary account.',
  ),
}

export const CreateBankAccount = named(
  'CreateBankAccount',
  Type.Object({
    ...Type.Partial(Type.Object(changeable)).properties,
    holder_name: changeable.holder_name,
    bank_name: changeable.bank_name,
    account_type: changeable.account_type,
    country: described(
      Type.String({ format: 'country' }),
      'The country of the bank, as an ISO-3166 code of two letters.',
    ),
    currency: described(
      Type.String({ format: 'currency' }),
      'The currency of the account, as an ISO-4217 code.',
    ),
    account_number: described(AccountNumber, 'The number of the account. It is stored encrypted.'),
  }),
  'A new bank account.',
)
export type CreateBankAccount = Static<typeof CreateBankAccount>

/** An account that pays elsewhere is another account: number, country and currency cannot change. */
export const PatchBankAccount = named(
  'UpdateBankAccount',
  Type.Object({
    ...Type.Partial(Type.Object(changeable)).properties,
    account_type: described(
      Type.Optional(Type.Enum(['checking', 'savings'])),
      'Whether it is a checking or a savings account.',
    ),
  }),
  'Changes to a bank account. An account with another number is another account.',
)
export type PatchBankAccount = Static<typeof PatchBankAccount>

export const BankAccountView = named(
  'BankAccount',
  Type.Object({
    id: described(Id, 'The id of the bank account.'),
    ...changeable,
    country: described(
      Type.String(),
      'The country of the bank, as an ISO-3166 code of two letters.',
    ),
    currency: common.currency,
    account_number: Type.String({
      description: 'The number of the account, masked but for the last four characters.',
    }),
    last_four: described(Type.String(), 'The last four characters of the number.'),
    account_type: described(
      Type.Enum(['checking', 'savings']),
      'Whether it is a checking or a savings account.',
    ),
    status: described(
      Type.Enum(['new', 'unable_to_verify', 'verified', 'errored']),
      'The verification by the operator: `new` before it.',
    ),
    created_on: common.created_on,
    updated_on: common.updated_on,
  }),
  'An account that payouts of the merchant go to.',
)
export const BankAccountPage = PageOf(BankAccountView)

export function viewBankAccount(account: BankAccount) {
  return {
    id: account.id,
    holder_name: account.holder_name,
    bank_name: account.bank_name,
    branch_name: account.branch_name,
    country: account.country,
    bank_address: account.bank_address,
    currency: account.currency,
    routing_number: account.routing_number,
    swift_code: account.swift_code,
    ifsc_code: account.ifsc_code,
    routing_code: account.routing_code,
    account_number: `****${account.last_four}`,
    last_four: account.last_four,
    account_type: account.account_type,
    status: account.status,
    primary: account.primary,
    created_on: account.created_on.toISOString(),
    updated_on: account.updated_on.toISOString(),
  }
}

interface Numbered {
  merchant_id: string
  id: string
  country: string
  currency: string
}

/** How an account number is stored: sealed, hashed for comparison, and its last four characters. */
export function protectNumber(service: Service, account: Numbered, account_number: string) {
  const { merchant_id, id, country, currency } = account
  const context = { table: 'bank_accounts', column: 'account_number', merchant_id, row_id: id }
  const key = service.keys.fingerprint.newest
  return {
    account_number: seal(service.keys.vault, context, account_number),
    fingerprint: keyedHash(key, 'bank account', [country, currency, account_number].join(' ')),
    last_four: account_number.slice(-4),
  }
}

export function refuseSameAccount(error: unknown): never {
  if (violatedIndex(error) === 'bank_accounts_by_fingerprint') {
    failField('account_number', 'BANK_ACCOUNT_EXISTS', 'is registered for the merchant already')
  }
  throw error
}

export async function getBankAccount(
  service: Service,
  merchant_id: string,
  id: string | 'primary',
): Promise<BankAccount> {
  const accounts = service.db
    .selectFrom('bank_accounts')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('deleted_on', 'is', null)
  const found =
    id === 'primary' ? accounts.where('primary', '=', true) : accounts.where('id', '=', id)
  return (await found.executeTakeFirst()) ?? fail('NOT_FOUND')
}
