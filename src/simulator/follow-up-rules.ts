import { sql, type Transaction } from 'kysely'
import type { SimulatorOutcome } from '../store/tables/payments/simulator-tables.ts'
import type { Tables } from '../store/tables/tables.ts'
import { approved, refused } from './decisions/decision.ts'
import type { LoggedOperation, Row } from './log/operations-log.ts'

/** What the provider did with a charge so far, read while what began it is locked. */
interface History {
  authorization: Row | null
  /** Something still waits for the customer, or the cardholder was asked. */
  begun: boolean
  voided: boolean
  /** Null: nothing was captured. */
  captured_amount: number | null
  refunded_amount: number
  deposited_amount: number
  returned_amount: number
  return_fails: boolean
}

/** Waits for every other operation on the charge; what is read afterwards stays true. */
export async function lockHistory(
  tx: Transaction<Tables>,
  operation: LoggedOperation,
): Promise<History> {
  const ofCharge = tx
    .selectFrom('simulator_operations')
    .selectAll()
    .where('merchant_id', '=', operation.merchant_id)
    .where('charge_id', '=', operation.charge_id)
  await ofCharge
    .where('kind', 'in', ['authorize', 'authenticate'])
    .orderBy('reference')
    .forUpdate()
    .execute()
  const all = await ofCharge.orderBy('created_on').orderBy('reference').execute()
  const rows = all.filter(({ outcome }) => outcome.outcome === 'approved')
  const first = (kind: Row['kind']) => rows.find((row) => row.kind === kind) ?? null
  const sum = (kind: Row['kind']) =>
    rows.reduce((total, row) => total + (row.kind === kind ? row.amount : 0), 0)
  const authorization = first('authorize')
  const taken = authorization?.capture ? authorization : first('capture')
  return {
    authorization,
    begun: all.some(isWaiting) || first('authenticate') !== null,
    voided: first('void') !== null,
    captured_amount: taken?.amount ?? null,
    refunded_amount: sum('refund'),
    deposited_amount: sum('deposit'),
    returned_amount: sum('return'),
    return_fails: rows.some(({ kind, traits }) => kind === 'deposit' && traits.refund_fails),
  }
}

function isWaiting({ outcome }: Row): boolean {
  return outcome.outcome === 'waiting'
}

export type Rule = (operation: LoggedOperation, history: History) => SimulatorOutcome

export const decideCapture: Rule = (operation, { authorization, voided, captured_amount }) => {
  if (authorization === null) return refused(308, 'There is no such authorization.')
  if (operation.currency !== authorization.currency) return refused(308, 'Another currency.')
  if (voided) return refused(308, 'The authorization was released.')
  if (captured_amount !== null) return refused(308, 'The authorization was already captured.')
  if (operation.amount > authorization.amount) return refused(308, 'More than was authorized.')
  return approved
}

export const decideVoid: Rule = (_, { authorization, begun, voided, captured_amount }) => {
  if (authorization === null && begun) return approved
  if (authorization === null) return refused(312, 'There is no such authorization.')
  if (captured_amount !== null) return refused(312, 'The authorization was already captured.')
  if (voided) return refused(345, 'The authorization was already released.')
  if (authorization.traits.void_fails) return refused(312, 'The test card asked for it.')
  return approved
}

export const decideRefund: Rule = (
  operation,
  { authorization, captured_amount, refunded_amount },
) => {
  if (authorization === null || captured_amount === null) {
    return refused(308, 'Nothing was captured.')
  }
  if (operation.currency !== authorization.currency) return refused(308, 'Another currency.')
  if (authorization.traits.refund_fails) return refused(329, 'The test card asked for it.')
  if (refunded_amount + operation.amount > captured_amount) {
    return refused(308, 'More than was captured.')
  }
  return approved
}

export const decideReturn: Rule = (
  { amount },
  { deposited_amount, returned_amount, return_fails },
) => {
  if (return_fails) return refused(329, "The payer's name asked for it.")
  if (returned_amount + amount > deposited_amount) return refused(308, 'More than was deposited.')
  return approved
}

/** Withdraws what waits for the customer, so that it cannot be paid any more. */
export async function withdraw(tx: Transaction<Tables>, operation: LoggedOperation): Promise<void> {
  await tx
    .updateTable('simulator_operations')
    .set({ outcome: JSON.stringify(refused(345, 'The payment was withdrawn.')) })
    .where('merchant_id', '=', operation.merchant_id)
    .where('charge_id', '=', operation.charge_id)
    .where(sql`outcome ->> 'outcome'`, '=', 'waiting')
    .execute()
}
