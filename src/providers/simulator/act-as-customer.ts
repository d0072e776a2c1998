import { sql } from 'kysely'
import { newId, newUnguessableId } from '../../core/ids.ts'
import { inTransaction, now, type Service, type Transacting } from '../../service.ts'
import type { SimulatorOutcome } from '../../store/simulator-tables.ts'
import { record, refused } from './simulator-book.ts'

/** What a customer can do on a page, and what the provider behind it then says. */
export const customer_outcomes = ['successful', 'failed', 'expired', 'abandoned'] as const
export type CustomerOutcome = (typeof customer_outcomes)[number]

/** What a payment or a challenge that waits is about. */
export interface Waiting {
  readonly merchant_id: string
  readonly resource_type: 'charge' | 'transaction_token'
  readonly resource_id: string
  /** The operation that waits. */
  readonly reference: string
  readonly kind: 'payment' | 'challenge'
}

const answers: Readonly<Record<Waiting['kind'], Record<CustomerOutcome, SimulatorOutcome>>> = {
  payment: {
    successful: { outcome: 'approved' },
    failed: refused(340, 'The customer declined.'),
    expired: refused(327, 'The customer did not act in time.'),
    abandoned: refused(340, 'The customer left.'),
  },
  challenge: {
    successful: { outcome: 'approved' },
    failed: refused(359, 'The cardholder declined.'),
    expired: refused(327, 'The cardholder did not answer in time.'),
    abandoned: refused(358, 'The cardholder left.'),
  },
}

/**
 * The customer acts at the simulated provider, which then tells the service. False when nothing
 * waited any more: somebody was faster, or the payment was withdrawn.
 */
export async function actAsCustomer(
  service: Service,
  waiting: Waiting,
  outcome: CustomerOutcome,
): Promise<boolean> {
  const { merchant_id, reference, resource_type, resource_id, kind } = waiting
  return inTransaction(service, async (tx) => {
    const changed = await tx.db
      .updateTable('simulator_operations')
      .set({ outcome: JSON.stringify(answers[kind][outcome]) })
      .where('merchant_id', '=', merchant_id)
      .where('reference', '=', reference)
      .where(sql`outcome ->> 'outcome'`, '=', 'waiting')
      .returning('reference')
      .executeTakeFirst()
    if (changed) await leaveNotice(tx, { merchant_id, resource_type, resource_id }, null)
    return changed !== undefined
  })
}

export interface Payment {
  readonly merchant_id: string
  readonly charge_id: string
  readonly amount: number
  readonly currency: string
  readonly name: string | null
}

/** A payer whose money cannot be sent back. */
export const unreturnable_name = 'RETURN FAILS'

/** Money arrives, at a till or on an account, whatever has become of the charge meanwhile. */
export async function payDeposit(service: Service, payment: Payment): Promise<string> {
  const { merchant_id, charge_id, amount, currency, name } = payment
  const reference = newUnguessableId()
  const refund_fails = name?.toUpperCase() === unreturnable_name
  return inTransaction(service, async (tx) => {
    const arrived = { merchant_id, reference, charge_id, amount, currency }
    await record(tx.db, tx.clock.now(), arrived, {
      kind: 'deposit',
      capture: null,
      outcome: { outcome: 'approved' },
      traits: refund_fails ? { refund_fails } : {},
      delay_ms: 0,
    })
    await leaveNotice(
      tx,
      { merchant_id, resource_type: 'charge', resource_id: charge_id },
      JSON.stringify({ reference, amount, currency, name }),
    )
    return reference
  })
}

async function leaveNotice(
  tx: Transacting,
  about: Pick<Waiting, 'merchant_id' | 'resource_type' | 'resource_id'>,
  deposit: string | null,
): Promise<void> {
  const created_on = now(tx)
  await tx.db
    .insertInto('simulator_notices')
    .values({
      ...about,
      id: newId(created_on.getTime()),
      deposit,
      created_on,
      due_on: created_on,
    })
    .execute()
  tx.afterCommit(() => tx.signals.spread('work', 'simulator_notices'))
}
