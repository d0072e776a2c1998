import Type, { type Static } from 'typebox'
import { type BankAccount, BankAccountView } from '../../accounts/bank-accounts/bank-account.ts'
import { oneMode, scopeOf } from '../../accounts/stores/list-scope.ts'
import type { Caller } from '../../core/access/caller.ts'
import { mayRead } from '../../core/access/rights.ts'
import { common, filters } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { Id, Instant, nullable } from '../../core/api/schemas.ts'
import { formatAmount } from '../../core/money/money.ts'
import { payout_parts } from '../../core/money/payout-parts.ts'
import { statesOf } from '../../core/payments/states.ts'
import type { Service } from '../../service.ts'
import { type NextTransfer, next_reasons, readNextTransfers } from './next-transfer.ts'
import type { PartSum } from './open-sums.ts'

const Whole = Type.Integer()
const Day = Type.String({ format: 'date' })

export const PartName = Type.Enum([...payout_parts])

export const TransferPart = named(
  'TransferPart',
  Type.Object({
    part: described(
      PartName,
      'The kind of ledger lines: sales, fees, refunds, disputes or other adjustments.',
    ),
    amount: described(
      Whole,
      'By how much it changes the payout, in the smallest unit: fees and refunds are negative.',
    ),
    amount_formatted: common.amount_formatted,
    count: described(Whole, 'How many ledger transactions it sums.'),
  }),
  'A part of a payout. The parts of a payout sum to its amount.',
)

const { id, holder_name, bank_name, branch_name, account_type, last_four } =
  BankAccountView.properties

const PayoutAccount = named(
  'PayoutAccount',
  Type.Object({ id, holder_name, bank_name, branch_name, account_type, last_four }),
  'The bank account that a payout goes to.',
)

export const NextTransferView = named(
  'NextTransfer',
  Type.Object({
    transfer_id: described(nullable(Id), 'The transfer, once it was created; null before.'),
    status: described(
      nullable(Type.Enum(statesOf('transfer'))),
      'The state of that transfer; null without one.',
    ),
    reason: described(
      Type.Enum([...next_reasons]),
      'Its transfer is under way, or the schedule or the operator (`no_schedule`) will create it; with ' +
        'every other reason nothing is paid, and `amount` is carried over.',
    ),
    mode: common.mode,
    currency: common.currency,
    amount: described(Whole, 'The sum of its parts, in the smallest unit of the currency.'),
    amount_formatted: common.amount_formatted,
    paid_on: described(
      nullable(Day),
      "The day of the merchant's schedule, in its time zone; null where the schedule does not decide it.",
    ),
    from: described(nullable(Instant), 'The posting time of its oldest sale; null without any.'),
    to: described(
      nullable(Instant),
      'Sales posted before this time are in it; null where everything that is owed was added up.',
    ),
    parts: described(Type.Array(TransferPart), 'The sums by kind; a kind without lines is absent.'),
    later_amount: described(
      Whole,
      'The amount of the following payout, on `later_on`; without that day, the remaining amount owed.',
    ),
    later_on: described(
      nullable(Day),
      'The day of the payout after it; null when none is due yet.',
    ),
    min_amount: described(Whole, 'The smallest payout, in the smallest unit.'),
    bank_account_id: described(nullable(Id), 'The account for this payout; null without one.'),
    bank_account: described(
      nullable(PayoutAccount),
      "The account's details; null without one, and for callers without permission to read bank accounts.",
    ),
  }),
  'The next payout of one currency, as the scheduler would create it now.',
)

export const NextTransferList = named(
  'NextTransfers',
  Type.Object({
    payouts: described(Type.Array(NextTransferView), 'One for each currency of the ledger.'),
  }),
  'The next payouts, one for each currency.',
)

export const TransferParts = named(
  'TransferParts',
  Type.Object({
    parts: described(Type.Array(TransferPart), 'The sums by kind; a kind without lines is absent.'),
  }),
  'The sums that make up a transfer.',
)

export const NextTransferQuery = Type.Object({ currency: filters.currency, mode: filters.mode })

export function viewPart({ part, amount, count }: PartSum, currency: string) {
  return { part, amount, amount_formatted: formatAmount(amount, currency), count }
}

/** The next payout of each requested currency. */
export async function showNextTransfers(
  service: Service,
  caller: Caller,
  query: Static<typeof NextTransferQuery>,
) {
  const { merchant_id, ...scope } = await scopeOf(service, caller, query)
  const mode = oneMode({ merchant_id, ...scope })
  const currency = query.currency?.toUpperCase() ?? null
  const found = await readNextTransfers(service, { merchant_id, mode }, currency)
  const accounts = mayRead(caller, 'bank_accounts') ? await accountsOf(service, found) : []
  return { payouts: found.map((next) => viewNext(next, accounts)) }
}

/** Also one that was deleted since its transfer was created. */
async function accountsOf({ db }: Service, found: readonly NextTransfer[]): Promise<BankAccount[]> {
  const [first] = found
  const ids = found.flatMap(({ bank_account_id }) => bank_account_id ?? [])
  if (!first || ids.length === 0) return []
  return db
    .selectFrom('bank_accounts')
    .selectAll()
    .where('merchant_id', '=', first.merchant_id)
    .where('id', 'in', ids)
    .execute()
}

function viewNext(next: NextTransfer, accounts: readonly BankAccount[]) {
  const { transfer, reason, mode, currency, amount, later, bank_account_id } = next
  const account = accounts.find((one) => one.id === bank_account_id)
  return {
    transfer_id: transfer?.id ?? null,
    status: transfer?.status ?? null,
    ...{ reason, mode, currency, amount },
    amount_formatted: formatAmount(amount, currency),
    paid_on: next.paid_on,
    from: next.from?.toISOString() ?? null,
    to: next.to?.toISOString() ?? null,
    parts: next.parts.map((part) => viewPart(part, currency)),
    later_amount: later.amount,
    later_on: later.paid_on,
    min_amount: next.min_amount,
    bank_account_id,
    bank_account: account ? viewAccount(account) : null,
  }
}

function viewAccount({ id, holder_name, bank_name, branch_name, ...of }: BankAccount) {
  return {
    id,
    holder_name,
    bank_name,
    branch_name,
    account_type: of.account_type,
    last_four: of.last_four,
  }
}
