import type { Stripe } from 'stripe'
import {
  type DisputeReason,
  dispute_reasons,
  type ReportedDispute,
} from '../../core/payments/disputes.ts'
import { second_ms } from '../../core/time/clock.ts'
import type { Outcome } from '../../providers/provider.ts'
import type { ChargeOfDeposits, DisputeResponse } from '../../providers/provider-operations.ts'
import { ourAmount, ourMoney } from './messages/stripe-amounts.ts'
import { checkDispute } from './messages/stripe-objects.ts'
import { whyNotSent, writeEvidence } from './messages/write-evidence.ts'
import { metadataOf } from './messages/write-intents.ts'
import { NoResponse } from './stripe-client.ts'

/** States of disputes that have taken money. One that was accepted is `lost` there. */
const states: Readonly<Record<string, ReportedDispute['status']>> = {
  needs_response: 'needs_response',
  under_review: 'under_review',
  // The bank has decided once, and may decide again.
  appeal_needs_response: 'under_review',
  appeal_under_review: 'under_review',
  prevented: 'won',
  won: 'won',
  lost: 'lost',
}

function reasonOf(reason: string): DisputeReason {
  return dispute_reasons.find((one) => one === reason) ?? 'general'
}

/** The first withdrawal of money; null: there was none yet. */
function withdrawalOf({ balance_transactions }: Stripe.Dispute): Stripe.BalanceTransaction | null {
  const taken = balance_transactions.filter(({ amount }) => amount < 0)
  return taken.toSorted((a, b) => a.created - b.created)[0] ?? null
}

/**
 * A dispute counts from the moment in which Stripe has taken the money: then its amount and fee are known.
 * Null: nothing was taken. A withdrawal in the currency of the account does not say the fee in another.
 */
export function readDispute(dispute: Stripe.Dispute): ReportedDispute | null {
  const withdrawal = withdrawalOf(checkDispute(dispute))
  if (!withdrawal) return null
  const { id: reference, currency: code, created, evidence_details } = dispute
  const status = states[dispute.status]
  if (!status) throw new NoResponse('The status of a dispute is not known.')
  const is_same = withdrawal.currency === code
  return {
    reference,
    status,
    reason: reasonOf(dispute.reason),
    ...ourMoney(is_same ? -withdrawal.amount : dispute.amount, code),
    fee_amount: (is_same && ourAmount(withdrawal.fee, code)) || 0,
    // Without a date the bank takes no response.
    respond_by: new Date((evidence_details.due_by || created) * second_ms),
  }
}

export async function findDisputes(
  stripe: Stripe,
  { provider_reference: payment_intent }: Pick<ChargeOfDeposits, 'provider_reference'>,
): Promise<ReportedDispute[]> {
  if (!payment_intent?.startsWith('pi_')) return []
  const found: ReportedDispute[] = []
  for await (const dispute of stripe.disputes.list({ payment_intent, limit: 100 })) {
    const read = readDispute(dispute)
    if (dispute.payment_intent !== payment_intent) {
      throw new NoResponse('The answer is about disputes of another payment.')
    }
    if (read) found.push(read)
  }
  return found
}

/** Whether this response has been sent: evidence carries its name, and an accepted dispute is lost. */
function isDone({ status, metadata }: Stripe.Dispute, { response, reference }: DisputeResponse) {
  if (response === 'acceptance') return status === 'lost'
  return status !== 'needs_response' && metadata.kaikei_reference === reference
}

/** Sends evidence, or gives in. A dispute takes one response. */
export async function respondAt(stripe: Stripe, response: DisputeResponse): Promise<Outcome> {
  const { dispute_reference: id, reference } = response
  const dispute = checkDispute(await stripe.disputes.retrieve(id))
  const is_own = dispute.id === id && dispute.payment_intent === response.provider_reference
  if (!is_own) throw new NoResponse('The answer is about another dispute.')
  const done = { outcome: 'approved', provider_reference: id } as const
  if (isDone(dispute, response)) return done
  if (dispute.status !== 'needs_response') {
    const detail = 'The dispute takes no response any more.'
    return { outcome: 'refused', code: 309, detail, raw_code: dispute.status.slice(0, 64) }
  }
  const sent =
    response.response === 'acceptance'
      ? await stripe.disputes.close(id, {}, { idempotencyKey: reference })
      : await submitEvidence(stripe, response)
  if (!isDone(checkDispute(sent), response)) throw new NoResponse('The response was not taken.')
  return done
}

/** Whether a response that may have been sent before has arrived; null: it has not. */
export async function lookForResponse(
  stripe: Stripe,
  response: DisputeResponse,
): Promise<Outcome | null> {
  const { dispute_reference: id } = response
  const dispute = checkDispute(await stripe.disputes.retrieve(id))
  return isDone(dispute, response) ? { outcome: 'approved', provider_reference: id } : null
}

async function submitEvidence(stripe: Stripe, response: DisputeResponse): Promise<Stripe.Dispute> {
  const { dispute_reference: id, reference, files } = response
  const evidence = await writeEvidence(stripe, response)
  const params = { evidence, metadata: metadataOf(response), submit: true }
  // Files have other names when they are uploaded again, and a key is for one content only.
  const idempotencyKey =
    files.length > 0 ? `${reference}-${evidence.uncategorized_file}` : reference
  return stripe.disputes.update(id, params, { idempotencyKey })
}

/** A response with a file that Stripe does not take is not sent. */
export function refusedResponse(response: DisputeResponse): Outcome | null {
  const detail = whyNotSent(response)
  return detail === null ? null : { outcome: 'refused', code: 309, detail }
}
