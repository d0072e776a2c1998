import type { DisputeReason, ReportedDispute } from '../core/payments/disputes.ts'
import type { Db } from '../store/tables/db.ts'

/** The tester's actions in place of the customer, in a transaction. Only simulators have them. */
export interface CustomerActions {
  /** False when nothing waited any more. */
  act(tx: Db, waiting: WaitingOperation, outcome: CustomerOutcome): Promise<boolean>
  /** Money arrives, whatever has become of the charge meanwhile; returns its reference. */
  deposit(tx: Db, payment: TestDeposit): Promise<string>
  /** The customer disputes a payment. */
  dispute(tx: Db, dispute: TestDispute): Promise<ReportedDispute>
  /** The customer's bank decides a dispute; null: it is not known, or was decided before. */
  decideDispute(tx: Db, dispute: TestDecision): Promise<ReportedDispute | null>
}

export interface TestDispute {
  readonly merchant_id: string
  readonly charge_id: string
  readonly amount: number
  readonly currency: string
  readonly reason: DisputeReason
}

export interface TestDecision {
  readonly merchant_id: string
  readonly reference: string
  readonly outcome: 'won' | 'lost'
}

export interface TestDeposit {
  readonly merchant_id: string
  readonly charge_id: string
  readonly amount: number
  readonly currency: string
  readonly name: string | null
}

export const customer_outcomes = ['successful', 'failed', 'expired', 'abandoned'] as const
export type CustomerOutcome = (typeof customer_outcomes)[number]

/** The subject of a waiting payment or challenge. */
export interface WaitingOperation {
  readonly merchant_id: string
  readonly resource_type: 'charge' | 'transaction_token'
  readonly resource_id: string
  /** The operation that waits. */
  readonly reference: string
  readonly kind: 'payment' | 'challenge'
}
