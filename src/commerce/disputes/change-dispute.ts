import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/access/caller.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail, failField } from '../../core/api/errors.ts'
import { nullable } from '../../core/api/schemas.ts'
import { dispute_limits, type Evidence, evidence_texts } from '../../core/payments/disputes.ts'
import { namesOf, tableOf } from '../../core/table-names.ts'
import { findProvider } from '../../open-providers.ts'
import { atTimeOf, inTransaction, now, type Service, type Transacting } from '../../service.ts'
import { seal } from '../../vault/seal.ts'
import {
  type Dispute,
  type DisputePath,
  evidenceContext,
  evidenceOf,
  getDispute,
} from './dispute.ts'

const Text = nullable(Type.String({ maxLength: dispute_limits.text_length }))

const UpdateEvidence = Type.Object(
  tableOf(namesOf(evidence_texts), (name) => Type.Optional(described(Text, evidence_texts[name]))),
)

export const UpdateDispute = named(
  'UpdateDispute',
  Type.Object({
    evidence: described(
      Type.Optional(
        named('UpdateDisputeEvidence', UpdateEvidence, 'The evidence texts to update.'),
      ),
      'Texts to add or replace, at most 5,000 characters each; null removes one.',
    ),
    submit: described(
      Type.Optional(Type.Boolean()),
      'Whether to send texts and files to the bank now. That can be done once.',
    ),
  }),
  'Changes to the evidence of a dispute.',
)
export type UpdateDispute = Static<typeof UpdateDispute>

/** A response can be prepared and sent while there is none and its time is not over. */
export function requireOpen(service: Service, dispute: Dispute): void {
  const { status, pending_response, respond_by } = dispute
  const is_over = respond_by.getTime() <= service.clock.now()
  if (status !== 'needs_response' || pending_response || is_over) fail('DISPUTE_NOT_OPEN')
}

/** Without an operation at the provider no response is recorded, because none was sent. */
function requireRespondable({ providers }: Service, { provider }: Dispute): void {
  if (findProvider(providers, provider)?.respondToDispute) return
  fail('NOT_SUPPORTED_BY_PROCESSOR', {
    message: 'The provider takes responses to disputes on its own pages only. Respond there.',
  })
}

function mergeEvidence(before: Evidence, changes: UpdateDispute['evidence'] = {}): Evidence {
  const merged = { ...before, ...changes }
  const stored = Object.entries(merged).filter(([, text]) => text !== null && text !== '')
  return Object.fromEntries(stored)
}

/** Stores texts of the evidence, and sends all of it when that is asked for. */
export async function updateDispute(
  service: Service,
  caller: Caller,
  path: DisputePath,
  { evidence: changes, submit = false }: UpdateDispute,
): Promise<Dispute> {
  return inTransaction(service, async (base) => {
    const dispute = await getDispute(base, caller, path, true)
    const tx = atTimeOf(base, dispute)
    requireOpen(tx, dispute)
    const evidence = mergeEvidence(evidenceOf(tx, dispute), changes)
    const is_empty = Object.keys(evidence).length === 0 && dispute.files.length === 0
    if (submit && is_empty) {
      failField('evidence', 'REQUIRED_VALUE', 'needs a text or a file before it is submitted')
    }
    if (submit) requireRespondable(tx, dispute)
    const sealed = seal(tx.keys.vault, evidenceContext(dispute), JSON.stringify(evidence))
    return changeDispute(tx, dispute, { evidence: sealed }, submit ? 'evidence' : null)
  })
}

/** Gives in: the customer keeps the money, and the dispute ends when the provider knows. */
export async function acceptDispute(
  service: Service,
  caller: Caller,
  path: DisputePath,
): Promise<Dispute> {
  return inTransaction(service, async (base) => {
    const dispute = await getDispute(base, caller, path, true)
    const tx = atTimeOf(base, dispute)
    requireOpen(tx, dispute)
    requireRespondable(tx, dispute)
    return changeDispute(tx, dispute, {}, 'acceptance')
  })
}

interface Change {
  readonly evidence?: Buffer
  readonly files?: string
}

/**
 * Changes a dispute that the caller has locked. A response is noted before the provider hears of it: the
 * worker sends it, and a worker that looked at the dispute before loses its claim.
 */
export async function changeDispute(
  tx: Transacting,
  dispute: Dispute,
  change: Change,
  pending_response: Dispute['pending_response'] = null,
): Promise<Dispute> {
  const changed = await tx.db
    .updateTable('disputes')
    .set((column) => ({
      ...change,
      pending_response,
      updated_on: now(tx),
      due_on: pending_response ? now(tx) : dispute.respond_by,
      claims: column('claims', '+', 1),
    }))
    .where('merchant_id', '=', dispute.merchant_id)
    .where('id', '=', dispute.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (pending_response) tx.afterCommit(() => tx.signals.broadcast('work', 'disputes'))
  return changed
}
