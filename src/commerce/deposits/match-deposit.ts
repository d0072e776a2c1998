import type { MatchAmount } from '../../core/payments/match-amounts.ts'
import type { ReturnReason } from '../../store/tables/commerce/deposit-tables.ts'

/** A deposit, and what it meets. All amounts are minor units of one currency. */
export interface Arrival {
  readonly match_amount: MatchAmount
  /** False when the charge does not wait any more, or the money came after its end. */
  readonly open: boolean
  readonly wanted: number
  /** The amount that is already held for the charge. */
  readonly held: number
  readonly amount: number
}

/** The outcome of a deposit: kept or returned, and whether it completes the charge. */
export type Match =
  | { readonly stored: false; readonly reason: ReturnReason }
  | { readonly stored: true; readonly pays: boolean; readonly surplus: number }

type Rule = (arrival: Arrival) => Match

const whole = (amount: number, wanted: number): Match => ({
  stored: true,
  pays: amount >= wanted,
  surplus: Math.max(amount - wanted, 0),
})
const back = (reason: ReturnReason): Match => ({ stored: false, reason })

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
