import { type Selectable, sql } from 'kysely'
import { derivedId, newId, newUnguessableId } from '../core/ids.ts'
import type { ReportedDispute } from '../core/payments/disputes.ts'
import { day_ms, second_ms } from '../core/time/clock.ts'
import type { Outcome } from '../providers/provider.ts'
import type { ChargeOfDeposits, DisputeResponse } from '../providers/provider-operations.ts'
import type { TestDecision, TestDispute } from '../providers/test-customers.ts'
import type { Db } from '../store/tables/db.ts'
import type { SimulatorDisputeTable } from '../store/tables/payments/simulator-tables.ts'
import { approved, refused } from './decisions/decision.ts'
import type { Row } from './log/operations-log.ts'

type SimulatedDispute = Selectable<SimulatorDisputeTable>

/** What the simulated bank keeps for a dispute, in the smallest unit of any currency. */
export const simulated_fee = 1500
export const respond_within_ms = 7 * day_ms
/** The bank notifies so much later, as a real one would. */
const notifies_after_ms = second_ms

/** A word anywhere in the evidence decides; without one, the bank waits for the tester. */
export const evidence_words = { won: 'winning_evidence', lost: 'losing_evidence' } as const

/** A merchant who has not responded in time has lost. */
function report(row: SimulatedDispute, now_ms: number): ReportedDispute {
  const { reference, reason, amount, currency, respond_by, status } = row
  const is_late = status === 'needs_response' && respond_by.getTime() <= now_ms
  const shown = is_late ? 'lost' : status
  return {
    ...{ reference, reason, amount, currency, respond_by },
    fee_amount: simulated_fee,
    status: shown,
  }
}

export async function listDisputes(
  db: Db,
  now_ms: number,
  { merchant_id, charge_id }: Pick<ChargeOfDeposits, 'merchant_id' | 'charge_id'>,
): Promise<ReportedDispute[]> {
  const rows = await db
    .selectFrom('simulator_disputes')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('charge_id', '=', charge_id)
    .orderBy('created_on')
    .execute()
  return rows.map((row) => report(row, now_ms))
}

export async function openDispute(
  tx: Db,
  now_ms: number,
  wanted: TestDispute,
  reference = newUnguessableId(),
): Promise<ReportedDispute> {
  const row: SimulatedDispute = {
    ...wanted,
    reference,
    status: 'needs_response',
    response_reference: null,
    respond_by: new Date(now_ms + respond_within_ms),
    created_on: new Date(now_ms),
  }
  await tx
    .insertInto('simulator_disputes')
    .values(row)
    .onConflict((conflict) => conflict.columns(['merchant_id', 'reference']).doNothing())
    .execute()
  return report(row, now_ms)
}

/** A payment whose test data asks for it is disputed when its money was taken, once. */
export async function disputePaid(tx: Db, now_ms: number, operation: Row): Promise<void> {
  const { merchant_id, charge_id, amount, currency, kind, capture, traits, outcome } = operation
  const is_paid = outcome.outcome === 'approved' && (kind === 'capture' || capture === true)
  if (!is_paid || !traits.disputed) return
  const dispute = { merchant_id, charge_id, amount, currency, reason: 'fraudulent' } as const
  await openDispute(tx, now_ms, dispute, derivedId(charge_id, 'dispute'))
  await notify(tx, now_ms, dispute)
}

/** Says that something happened to a payment, as a provider does with a request to our address. */
async function notify(
  tx: Db,
  now_ms: number,
  { merchant_id, charge_id }: Pick<SimulatedDispute, 'merchant_id' | 'charge_id'>,
): Promise<void> {
  await tx
    .insertInto('provider_notifications')
    .values({
      merchant_id,
      id: newId(now_ms),
      mode: 'test',
      resource_type: 'charge',
      resource_id: charge_id,
      created_on: new Date(now_ms),
      due_on: new Date(now_ms + notifies_after_ms),
    })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'resource_id']).where(sql<boolean>`claims = 0`).doNothing(),
    )
    .execute()
}

function statusAfter({ response, evidence, files }: DisputeResponse): SimulatedDispute['status'] {
  if (response === 'acceptance') return 'accepted'
  const texts = files
    .filter(({ content_type }) => content_type === 'text/plain')
    .map(({ content }) => content.reveal().toString())
  const said = [...Object.values(evidence.reveal()), ...texts].join('\n')
  if (said.includes(evidence_words.won)) return 'won'
  return said.includes(evidence_words.lost) ? 'lost' : 'under_review'
}

/** The first response counts; repeated with its reference, it is confirmed again. */
export async function respondToDispute(
  db: Db,
  now_ms: number,
  response: DisputeResponse,
): Promise<Outcome> {
  const { merchant_id, charge_id, reference, dispute_reference } = response
  return db.transaction().execute(async (tx) => {
    const found = await tx
      .selectFrom('simulator_disputes')
      .selectAll()
      .where('merchant_id', '=', merchant_id)
      .where('reference', '=', dispute_reference)
      .forUpdate()
      .executeTakeFirst()
    if (!found) return refused(338, 'There is no such dispute.')
    if (found.response_reference === reference) return approved
    if (report(found, now_ms).status !== 'needs_response') {
      return refused(308, 'The dispute takes no response any more.')
    }
    await tx
      .updateTable('simulator_disputes')
      .set({ status: statusAfter(response), response_reference: reference })
      .where('merchant_id', '=', merchant_id)
      .where('reference', '=', dispute_reference)
      .execute()
    await notify(tx, now_ms, { merchant_id, charge_id })
    return approved
  })
}

/** The tester decides in place of the bank. */
export async function decideDispute(
  tx: Db,
  { merchant_id, reference, outcome }: TestDecision,
): Promise<ReportedDispute | null> {
  const decided = await tx
    .updateTable('simulator_disputes')
    .set({ status: outcome })
    .where('merchant_id', '=', merchant_id)
    .where('reference', '=', reference)
    .where('status', 'in', ['needs_response', 'under_review'])
    .returningAll()
    .executeTakeFirst()
  return decided ? report(decided, decided.created_on.getTime()) : null
}
