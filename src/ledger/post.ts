import type { Mode } from '../core/access/caller.ts'
import type { LedgerKind, LedgerOrigin } from '../core/money/ledger-kinds.ts'
import { namesOf } from '../core/table-names.ts'
import { newRow, type Service, type Transacting } from '../service.ts'
import { newColumnArrays } from '../store/sql/batches/column-arrays.ts'
import { run } from '../store/sql/statements/statement.ts'
import type { Account } from './accounts.ts'

/** The facts about a charge that the ledger needs. */
export interface LedgerCharge {
  readonly merchant_id: string
  readonly store_id: string
  readonly mode: Mode
  readonly id: string
  readonly requested_amount: number
  readonly requested_currency: string
}

export interface LedgerEntry {
  readonly account: Account
  readonly currency: string
  readonly amount: number
}

export interface NewLedgerTransaction {
  readonly merchant_id: string
  readonly store_id: string
  readonly mode: Mode
  readonly origin: LedgerOrigin
  readonly kind: LedgerKind
  /** Null for a payout: that belongs to a transfer. */
  readonly charge_id: string | null
  readonly refund_id: string | null
  readonly deposit_id: string | null
  readonly transfer_id: string | null
  readonly note: string | null
  readonly entries: readonly LedgerEntry[]
}

interface Money {
  readonly amount: number
  readonly currency: string
}

/** Moves money between two accounts: the first is debited, the second credited. */
function move(debit: Account, credit: Account, { amount, currency }: Money): LedgerEntry[] {
  if (amount === 0) return []
  return [
    { account: debit, currency, amount },
    { account: credit, currency, amount: -amount },
  ]
}

/** An amount of zero posts no transaction, for example when a card is only verified. */
function transaction(
  { merchant_id, store_id, mode, id }: LedgerCharge,
  origin: LedgerOrigin,
  kind: LedgerKind,
  entries: LedgerEntry[],
  of: { refund_id?: string; deposit_id?: string; note?: string } = {},
): NewLedgerTransaction[] {
  if (entries.length === 0) return []
  const { refund_id = null, deposit_id = null, note = null } = of
  const owner = { merchant_id, store_id, mode, charge_id: id, transfer_id: null }
  return [{ ...owner, origin, kind, refund_id, deposit_id, note, entries }]
}

function requestedMoney({ requested_amount, requested_currency }: LedgerCharge): Money {
  return { amount: requested_amount, currency: requested_currency }
}

/** The customer's bank holds the requested amount. */
export function authorizationHeld(charge: LedgerCharge): NewLedgerTransaction[] {
  const held = move('authorization_hold', 'authorized_by_customer', requestedMoney(charge))
  return transaction(charge, 'charge', 'authorization', held)
}

/** The hold ended: it was canceled, or (origin `charge`) it was captured or expired. */
export function authorizationReleased(
  charge: LedgerCharge,
  origin: 'cancel' | 'charge' = 'cancel',
): NewLedgerTransaction[] {
  const released = move('authorized_by_customer', 'authorization_hold', requestedMoney(charge))
  return transaction(charge, origin, 'release', released)
}

export interface LedgerCapture extends Money {
  readonly fee: number
  /** Deposits were posted when they arrived; a capture moves them on from there. */
  readonly from?: 'provider_receivable' | 'suspense'
  /** The captured part of the requested amount, when it is not all of it. */
  readonly requested_amount?: number
}

/**
 * A capture: the sale, our fee, and the conversion when another currency was requested. The caller
 * releases the hold of the charge in the same posting.
 */
export function captured(charge: LedgerCharge, capture: LedgerCapture): NewLedgerTransaction[] {
  const { amount, currency, fee, from = 'provider_receivable' } = capture
  const sale = move(from, 'merchant_payable', { amount, currency })
  const fees = move('merchant_payable', 'fee_income', { amount: fee, currency })
  const asked = {
    amount: capture.requested_amount ?? charge.requested_amount,
    currency: charge.requested_currency,
  }
  const conversion =
    asked.currency === currency
      ? []
      : [
          ...move('conversion_requested', 'fx_clearing', asked),
          ...move('fx_clearing', 'conversion_charged', { amount, currency }),
        ]
  return [
    ...transaction(charge, 'charge', 'capture', sale),
    ...transaction(charge, 'charge', 'fee', fees),
    ...transaction(charge, 'charge', 'conversion', conversion),
  ]
}

/** Money was returned to the customer, in the currency of the sale. The fee is not refunded. */
export function refunded(
  charge: LedgerCharge,
  refund: Money & { readonly id: string },
): NewLedgerTransaction[] {
  const returned = move('merchant_payable', 'provider_receivable', refund)
  return transaction(charge, 'refund', 'refund', returned, { refund_id: refund.id })
}

/** A step of a dispute: the provider takes money back, keeps a fee, or returns what the merchant has won. */
export type DisputeStep = 'withdrawal' | 'fee' | 'reversal'

/** The merchant bears what the provider takes. A charge has any number of these: they are adjustments. */
export function disputePosting(
  charge: LedgerCharge,
  step: DisputeStep,
  money: Money,
): NewLedgerTransaction[] {
  const entries =
    step === 'reversal'
      ? move('provider_receivable', 'merchant_payable', money)
      : move('merchant_payable', 'provider_receivable', money)
  return transaction(charge, 'charge', 'adjustment', entries, { note: `dispute ${step}` })
}

/** The provider has paid us, or has taken from us, what a transaction of the charge says. */
export function settledByProvider(charge: LedgerCharge, money: Money): NewLedgerTransaction[] {
  const entries = move('provider_settled', 'provider_receivable', money)
  return transaction(charge, 'manual', 'adjustment', entries, { note: 'settlement' })
}

interface LedgerDeposit extends Money {
  readonly id: string
}

/** Money arrived for a charge and is not assigned yet. */
export function deposited(charge: LedgerCharge, deposit: LedgerDeposit): NewLedgerTransaction[] {
  const arrived = move('provider_receivable', 'suspense', deposit)
  return transaction(charge, 'charge', 'deposit', arrived, { deposit_id: deposit.id })
}

/** A deposit, or its surplus, was returned to its sender. */
export function sentBack(charge: LedgerCharge, deposit: LedgerDeposit): NewLedgerTransaction[] {
  const returned = move('suspense', 'provider_receivable', deposit)
  return transaction(charge, 'charge', 'return', returned, { deposit_id: deposit.id })
}

interface LedgerTransfer {
  readonly merchant_id: string
  readonly mode: Mode
  readonly id: string
  readonly currency: string
}

/**
 * The merchant was paid. Every store is settled separately: one that refunded more than it sold has an
 * amount below zero.
 */
export function paidOut(
  { merchant_id, mode, id, currency }: LedgerTransfer,
  stores: readonly { readonly store_id: string; readonly amount: number }[],
): NewLedgerTransaction[] {
  const none = { charge_id: null, refund_id: null, deposit_id: null, note: null }
  return stores.flatMap(({ store_id, amount }) => {
    const entries = move('merchant_payable', 'paid_out', { amount, currency })
    if (entries.length === 0) return []
    const owner = { merchant_id, store_id, mode, transfer_id: id, ...none }
    return [{ ...owner, origin: 'manual', kind: 'payout', entries }]
  })
}

/** Reports a programming error with a message, before the database refuses it. */
function requireBalanced(transaction: NewLedgerTransaction): void {
  const { kind, charge_id, transfer_id, entries } = transaction
  const owner = charge_id ? `charge ${charge_id}` : `transfer ${transfer_id}`
  const sums = new Map<string, bigint>()
  for (const { amount, currency } of entries) {
    if (!Number.isSafeInteger(amount) || amount === 0) {
      throw new RangeError(`The ${kind} of ${owner} has an entry of ${amount}.`)
    }
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount))
  }
  const unbalanced = [...sums].filter(([, sum]) => sum !== 0n)
  if (entries.length === 0 || unbalanced.length > 0) {
    const by = unbalanced.map(([currency, sum]) => `${currency} by ${sum}`).join(', ')
    throw new RangeError(`The ${kind} of ${owner} is out of balance: ${by || 'empty'}.`)
  }
}

/** A transaction as it will be written. */
export interface LedgerRow extends NewLedgerTransaction {
  readonly id: string
  readonly created_on: Date
}

export function ledgerRows(
  service: Service,
  transactions: readonly NewLedgerTransaction[],
): LedgerRow[] {
  return transactions.map((one) => {
    requireBalanced(one)
    const { id, created_on } = newRow(service)
    return { ...one, id, created_on }
  })
}

const ledger_types = {
  id: 'uuid',
  origin: 'text',
  kind: 'text',
  merchant_id: 'uuid',
  store_id: 'uuid',
  mode: 'text',
  charge_id: 'uuid',
  refund_id: 'uuid',
  deposit_id: 'uuid',
  transfer_id: 'uuid',
  note: 'text',
  created_on: 'timestamptz',
} as const
/** The entries of a transaction are those from `first` to `last` among all entries. */
const place_types = { first: 'integer', last: 'integer' } as const
const entry_types = { account: 'text', currency: 'text', amount: 'bigint' } as const

type LedgerColumn = keyof typeof ledger_types

/** Transactions as parameters, which start after `given`, with these columns and their entries. */
export function newLedgerArrays(names: readonly LedgerColumn[], given: number) {
  const types = Object.fromEntries(names.map((name) => [name, ledger_types[name]]))
  const rows = newColumnArrays({ ...types, ...place_types }, given)
  const entry_arrays = newColumnArrays(
    entry_types,
    given + Object.keys({ ...types, ...place_types }).length,
  )
  return {
    of: rows.of,
    /** The columns of the transaction with this number in a list. */
    columnsAt: (row: string) => {
      const slice = (name: string) =>
        `(${entry_arrays.of(name)})[${rows.at('first', row)}:${rows.at('last', row)}]`
      return [
        ...names.map((name) => `${rows.at(name, row)} as ${name}`),
        `${slice('account')} as accounts`,
        `${slice('currency')} as currencies`,
        `${slice('amount')} as amounts`,
      ].join(', ')
    },
    values: (transactions: readonly LedgerRow[]) => {
      let last = 0
      const placed = transactions.map((transaction) => {
        const first = last + 1
        last += transaction.entries.length
        return { ...transaction, first, last }
      })
      const all = transactions.flatMap(({ entries }) => entries)
      return [...rows.values(placed), ...entry_arrays.values(all)]
    },
  }
}

/**
 * The part of a `with` that writes the transactions of a list, and their entries. Everything of a database
 * transaction is written together: balances are then locked in one order, and only until it commits.
 */
export const ledgerFrom = (list: string) => `
  transactions as (
    insert into ledger_transactions (merchant_id, id, store_id, mode, origin, kind,
      charge_id, refund_id, deposit_id, transfer_id, note, accounts, currencies, amounts, created_on)
    select merchant_id, id, store_id, mode, origin, kind,
      charge_id, refund_id, deposit_id, transfer_id, note, accounts, currencies, amounts, created_on
    from ${list}
  )`

const arrays = newLedgerArrays(namesOf(ledger_types), 0)
const post_ledger = `
  with entered as (
    select ${arrays.columnsAt('place')} from generate_subscripts(${arrays.of('id')}, 1) as place
  ), ${ledgerFrom('entered')}
  select 1`

/** Writes any number of ledger transactions in the caller's transaction; returns their ids. */
export async function postLedger(
  service: Transacting,
  transactions: readonly NewLedgerTransaction[],
): Promise<string[]> {
  if (transactions.length === 0) return []
  const rows = ledgerRows(service, transactions)
  await run(service.db, post_ledger, arrays.values(rows))
  return rows.map(({ id }) => id)
}
