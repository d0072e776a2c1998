import { sql } from 'kysely'
import { newUnguessableId } from '../core/ids.ts'
import type {
  CustomerActions,
  CustomerOutcome,
  WaitingOperation,
} from '../providers/test-customers.ts'
import type { SimulatorOutcome } from '../store/tables/payments/simulator-tables.ts'
import { approved, refused } from './decisions/decision.ts'
import { logOperation } from './log/operations-log.ts'
import { decideDispute, disputePaid, openDispute } from './simulated-disputes.ts'

const outcomes: Readonly<
  Record<WaitingOperation['kind'], Record<CustomerOutcome, SimulatorOutcome>>
> = {
  payment: {
    successful: approved,
    failed: refused(340, 'The customer declined.'),
    expired: refused(327, 'The customer did not act in time.'),
    abandoned: refused(340, 'The customer left.'),
  },
  challenge: {
    successful: approved,
    failed: refused(359, 'The cardholder declined.'),
    expired: refused(327, 'The cardholder did not answer in time.'),
    abandoned: refused(358, 'The cardholder left.'),
  },
}

/** A payer whose money cannot be sent back. */
export const unreturnable_name = 'RETURN FAILS'

/** The customer acts at the simulated provider, or pays at a convenience store or a bank. */
export function newCustomerActions(timeOf: (merchant_id: string) => number): CustomerActions {
  return {
    act: async (tx, { merchant_id, reference, kind }, outcome) => {
      const changed = await tx
        .updateTable('simulator_operations')
        .set({ outcome: JSON.stringify(outcomes[kind][outcome]) })
        .where('merchant_id', '=', merchant_id)
        .where('reference', '=', reference)
        .where(sql`outcome ->> 'outcome'`, '=', 'waiting')
        .returningAll()
        .executeTakeFirst()
      if (changed) await disputePaid(tx, timeOf(merchant_id), changed)
      return changed !== undefined
    },
    deposit: async (tx, { merchant_id, charge_id, amount, currency, name }) => {
      const reference = newUnguessableId()
      const refund_fails = name?.toUpperCase() === unreturnable_name
      const arrived = { merchant_id, reference, charge_id, amount, currency }
      await logOperation(tx, timeOf(merchant_id), arrived, {
        kind: 'deposit',
        capture: null,
        outcome: approved,
        traits: { name, ...(refund_fails ? { refund_fails } : {}) },
        delay_ms: 0,
      })
      return reference
    },
    dispute: (tx, wanted) => openDispute(tx, timeOf(wanted.merchant_id), wanted),
    decideDispute,
  }
}
