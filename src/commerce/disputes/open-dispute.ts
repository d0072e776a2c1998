import type { ReportedDispute } from '../../core/payments/disputes.ts'
import type { Charge } from '../../payments/charges/charge.ts'
import { atTimeOf, inTransaction, newRow, type Service, type Transacting } from '../../service.ts'
import { lockRow } from '../../store/sql/reads/find-row.ts'
import { type Dispute, disputedAmount } from './dispute.ts'
import { emitDispute, moveDispute, postStep } from './move-dispute.ts'

/** The step that leads to what a provider reports; null: it reports the first state. */
const actions = {
  needs_response: null,
  under_review: 'submit',
  accepted: 'accept',
  won: 'win',
  lost: 'lose',
} as const satisfies Record<ReportedDispute['status'], string | null>

type ChargeKey = Pick<Charge, 'merchant_id' | 'id'>

/**
 * Writes a provider's report of a dispute, in any order and any number of times: a dispute is opened once,
 * and an old report does not lead back. The charge is locked first, as refunds do, so that no money is both
 * returned and disputed. Null: there is no such money.
 */
export async function recordDispute(
  service: Service,
  { merchant_id, id }: ChargeKey,
  report: ReportedDispute,
): Promise<Dispute | null> {
  return inTransaction(service, async (base) => {
    const charge = await lockRow(base, 'charges', { merchant_id, id })
    if (!charge) return null
    const tx = atTimeOf(base, charge)
    const known = (await findDispute(tx, charge, report)) ?? (await openDispute(tx, charge, report))
    const action = known && actions[report.status]
    return (action && (await moveDispute(tx, known, action))) || known
  })
}

async function findDispute(
  tx: Transacting,
  { merchant_id, id, provider }: Charge,
  { reference }: ReportedDispute,
): Promise<Dispute | null> {
  const found = await lockRow(tx, 'disputes', {
    merchant_id,
    provider,
    provider_reference: reference,
    charge_id: id,
  })
  return found ?? null
}

/** Opens a dispute of a charge that the caller has locked: at most of what is left of it. */
async function openDispute(
  tx: Transacting,
  charge: Charge,
  report: ReportedDispute,
): Promise<Dispute | null> {
  const { merchant_id, store_id, mode, id: charge_id, provider } = charge
  const { reference: provider_reference, reason, currency, fee_amount, respond_by } = report
  const left = (charge.charged_amount ?? 0) - charge.refunded_amount
  const amount = Math.min(report.amount, left - (await disputedAmount(tx, charge)))
  const problem = provider === null || currency !== charge.charged_currency || amount <= 0
  const row = { merchant_id, store_id, charge_id, mode, reason, amount, fee_amount, currency }
  const dispute = problem
    ? null
    : await tx.db
        .insertInto('disputes')
        .values({
          ...row,
          ...newRow(tx),
          provider,
          provider_reference,
          status: 'needs_response',
          evidence: null,
          files: '[]',
          pending_response: null,
          error: null,
          respond_by,
          updated_on: new Date(tx.clock.now()),
          due_on: respond_by,
        })
        .onConflict((conflict) =>
          conflict.columns(['merchant_id', 'provider', 'provider_reference']).doNothing(),
        )
        .returningAll()
        .executeTakeFirst()
  if (!dispute) {
    const about = { merchant_id, charge_id, provider, provider_reference, amount: report.amount }
    tx.log.error(
      { ...about, currency, left },
      'a reported dispute exceeds the remaining amount of its charge: compare both with the provider',
    )
    return null
  }
  await postStep(tx, dispute, 'withdrawal', amount)
  await postStep(tx, dispute, 'fee', fee_amount)
  await emitDispute(tx, 'dispute_created', dispute)
  return dispute
}
