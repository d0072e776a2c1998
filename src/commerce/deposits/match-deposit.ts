import type { MatchAmount } from '../../core/payments/match-amounts.ts'
import type { ReturnReason } from '../../store/tables/commerce/deposit-tables.ts'

/** A deposit, and what it meets. All amounts are minor units of one currency. */
export interface Arrival {
  readonly match_amount: MatchAmount
  /** False when the charge does not wait any more, or the money came after its end. */
  readonly open: boolean
  readonly wanted: number
  /** What is held for the charge already. */
  readonly held: number
  readonly amount: number
}

/** What becomes of a deposit: kept or sent back, and whether the charge is paid by it. */
export type Match =
  | { readonly kept: false; readonly reason: ReturnReason }
  | { readonly kept: true; readonly pays: boolean; readonly surplus: number }

type Rule = (arrival: Arrival) => Match

const whole = (amount: number, wanted: number): Match => ({
  kept: true,
  pays: amount >= wanted,
  surplus: Math.max(amount - wanted, 0),
})
const back = (reason: ReturnReason): Match => ({ kept: false, reason })

/**
 * `exact` and `minimum` look at each deposit alone, because the bank rejects it alone; `maximum`
 * and `disabled` take it in parts. The customer never pays more than was asked for: a surplus that
 * a rule lets in is sent back.
 */
const rules: Readonly<Record<MatchAmount, Rule>> = {
  exact: ({ amount, wanted }) =>
    amount === wanted ? whole(amount, wanted) : back(amount < wanted ? 'too_little' : 'too_much'),
  minimum: ({ amount, wanted }) => (amount >= wanted ? whole(amount, wanted) : back('too_little')),
  maximum: ({ held, amount, wanted }) =>
    held + amount <= wanted ? whole(held + amount, wanted) : back('too_much'),
  disabled: ({ held, amount, wanted }) => whole(held + amount, wanted),
}

export function matchDeposit(arrival: Arrival): Match {
  return arrival.open ? rules[arrival.match_amount](arrival) : back('late')
}
