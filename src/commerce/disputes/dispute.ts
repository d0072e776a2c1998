import type { Selectable } from 'kysely'
import Type from 'typebox'
import type { Caller } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named, textOf } from '../../core/api/described-schemas.ts'
import { Id, Instant, nullable, PageOf } from '../../core/api/schemas.ts'
import { formatAmount } from '../../core/money/money.ts'
import {
  dispute_reasons,
  type Evidence,
  evidence_texts,
  file_types,
} from '../../core/payments/disputes.ts'
import { statesOf } from '../../core/payments/states.ts'
import { ChargeErrorView } from '../../methods/pieces/shown-pieces.ts'
import type { Service } from '../../service.ts'
import { requireRow } from '../../store/sql/reads/find-row.ts'
import type { DisputeTable } from '../../store/tables/commerce/dispute-tables.ts'
import { type SealContext, unseal } from '../../vault/seal.ts'

export type Dispute = Selectable<DisputeTable>

const EvidenceView = named(
  'DisputeEvidence',
  Type.Object(
    Object.fromEntries(
      Object.entries(evidence_texts).map(([name, text]) => [
        name,
        Type.Optional(described(Type.String(), text)),
      ]),
    ),
  ),
  "The merchant's response to a dispute.",
)

export const DisputeFileView = named(
  'DisputeFile',
  Type.Object({
    id: described(Id, 'The id of the file.'),
    name: described(Type.String(), 'The name of the file.'),
    content_type: described(textOf(null, Object.keys(file_types)), 'The type of the file.'),
    size: described(Type.Integer(), 'How many bytes it has.'),
    created_on: common.created_on,
  }),
  'A file of the evidence.',
)

export const DisputeView = named(
  'Dispute',
  Type.Object({
    id: described(Id, 'The id of the dispute.'),
    merchant_id: common.merchant_id,
    store_id: common.store_id,
    charge_id: described(Id, 'The charge that is disputed.'),
    mode: common.mode,
    status: described(
      textOf('DisputeStatus', statesOf('dispute'), 'The status of a dispute.'),
      'The state: you must respond, the bank decides, or the result.',
    ),
    reason: described(
      textOf('DisputeReason', dispute_reasons, 'Why a customer disputes a charge.'),
      'The reason for the dispute.',
    ),
    amount: common.amount,
    currency: common.currency,
    amount_formatted: common.amount_formatted,
    fee_amount: described(Type.Integer(), "The provider's fee for it, won or lost."),
    respond_by: described(
      Instant,
      'The deadline for your response; without one the dispute is lost.',
    ),
    provider_reference: described(Type.String(), "The provider's own name of the dispute."),
    evidence: described(nullable(EvidenceView), 'Your texts; null in lists and events.'),
    files: described(Type.Array(DisputeFileView), 'Your files, at most 5.'),
    pending_response: described(
      nullable(textOf(null, ['evidence', 'acceptance'])),
      'The operation in progress at the provider; null if there is none.',
    ),
    error: described(ChargeErrorView, 'Why the provider refused a response; null if it did not.'),
    created_on: common.created_on,
    updated_on: common.updated_on,
  }),
  'Money of a charge that the customer asked their bank to return.',
)
export const DisputePage = PageOf(DisputeView)

/** The texts are sealed: lists and events leave them out. */
export function viewDispute(dispute: Dispute, evidence: Evidence | null = null) {
  const { amount, currency } = dispute
  return {
    id: dispute.id,
    merchant_id: dispute.merchant_id,
    store_id: dispute.store_id,
    charge_id: dispute.charge_id,
    mode: dispute.mode,
    status: dispute.status,
    reason: dispute.reason,
    amount,
    currency,
    amount_formatted: formatAmount(amount, currency),
    fee_amount: dispute.fee_amount,
    respond_by: dispute.respond_by.toISOString(),
    provider_reference: dispute.provider_reference,
    evidence,
    files: dispute.files,
    pending_response: dispute.pending_response,
    error: dispute.error,
    created_on: dispute.created_on.toISOString(),
    updated_on: dispute.updated_on.toISOString(),
  }
}

/** The owner's view of one dispute. */
export function viewWholeDispute(service: Service, dispute: Dispute) {
  return viewDispute(dispute, evidenceOf(service, dispute))
}

type DisputeKey = Pick<Dispute, 'merchant_id' | 'id'>

export function evidenceContext({ merchant_id, id }: DisputeKey): SealContext {
  return { table: 'disputes', column: 'evidence', merchant_id, row_id: id }
}

export function evidenceOf({ keys }: Service, dispute: Dispute): Evidence {
  if (dispute.evidence === null) return {}
  return JSON.parse(unseal(keys.vault, evidenceContext(dispute), dispute.evidence).toString())
}

export interface DisputePath {
  readonly store_id: string
  readonly dispute_id: string
}

export async function getDispute(
  service: Service,
  caller: Pick<Caller, 'merchant_id' | 'mode'>,
  { store_id, dispute_id }: DisputePath,
  lock = false,
): Promise<Dispute> {
  const { merchant_id, mode } = caller
  return requireRow(service, 'disputes', { merchant_id, store_id, id: dispute_id, mode }, lock)
}

/** The disputed part of a charge that was not returned to the merchant. */
export async function disputedAmount(
  { db }: Service,
  { merchant_id, id }: DisputeKey,
): Promise<number> {
  const disputes = await db
    .selectFrom('disputes')
    .select('amount')
    .where('merchant_id', '=', merchant_id)
    .where('charge_id', '=', id)
    .where('status', '<>', 'won')
    .execute()
  return disputes.reduce((sum, { amount }) => sum + amount, 0)
}
