import type { Selectable } from 'kysely'
import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, Instant, nullable, PageOf, PageParameters } from '../../core/api/schemas.ts'
import { dateIn } from '../../core/time/schedule.ts'
import { type Charge, getCharge } from '../../payments/charges/charge.ts'
import { listRows } from '../../store/sql/reads/list-rows.ts'
import { viewPage } from '../../store/sql/reads/page.ts'
import type { BankTransferLedgerTable } from '../../store/tables/commerce/deposit-tables.ts'

const text = nullable(Type.String())

const LedgerPage = PageOf(
  named(
    'BankTransferLedger',
    Type.Object({
      id: described(Id, 'The id of the movement.'),
      bank_ledger_type: described(
        Type.Enum(['deposit', 'payment']),
        'Money that arrived (`deposit`), or that paid the charge or was returned (`payment`).',
      ),
      amount: common.amount,
      balance: described(
        Type.Integer(),
        'The balance after the entry, in the smallest unit of the currency.',
      ),
      virtual_bank_account_holder_name: described(
        text,
        'The name of the account holder; null without an account.',
      ),
      virtual_bank_account_number: described(
        text,
        'The number of the virtual account; null without an account.',
      ),
      virtual_account_id: described(
        nullable(Id),
        'The id of the virtual account; null without one.',
      ),
      transaction_date: described(
        Type.String(),
        'The day of the movement in Japan, as year-month-day.',
      ),
      transaction_timestamp: described(Instant, 'The time.'),
      mode: common.mode,
      created_on: common.created_on,
    }),
    'A movement on the virtual account of a bank transfer.',
  ),
)

function viewMovement(charge: Charge, row: Selectable<BankTransferLedgerTable>) {
  const { instructions } = charge
  const account = instructions?.kind === 'bank_transfer' ? instructions : null
  const created_on = row.created_on.toISOString()
  return {
    id: row.id,
    bank_ledger_type: row.bank_ledger_type,
    amount: row.amount,
    balance: row.balance,
    virtual_bank_account_holder_name: account?.account_holder_name ?? null,
    virtual_bank_account_number: account?.account_number ?? null,
    virtual_account_id: account?.account_id ?? null,
    transaction_date: dateIn('Asia/Tokyo', row.created_on),
    transaction_timestamp: created_on,
    mode: row.mode,
    created_on,
  }
}

/** The statement of the virtual account that a charge was to be paid to. */
export const bankTransferLedgerRoutes: readonly Route[] = [
  operation({
    at: 'GET /stores/:store_id/charges/:charge_id/bank_transfer_ledgers',
    id: 'listBankTransferLedgers',
    client: 'ledgers.listBankTransferLedgers',
    tag: 'ledgers',
    summary: "List the movements on a bank transfer's virtual account",
    text:
      'Every amount that arrived at the account of the charge, and every amount that was ' +
      'returned.',
    right: 'payments',
    access: { level: 'merchant' },
    query: Type.Object(PageParameters),
    responses: { 200: LedgerPage },
    handle: async ({ service, caller, params, query }) => {
      const charge = await getCharge(service, caller, params)
      if (charge.payment_type !== 'bank_transfer') fail('NOT_FOUND')
      const known = { merchant_id: charge.merchant_id, charge_id: charge.id }
      const movements = await listRows(service, 'bank_transfer_ledgers', known, query)
      return viewPage(movements, (row) => viewMovement(charge, row))
    },
  }),
]
