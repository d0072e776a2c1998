import { type DoubleBalance, double_fees } from './stripe-double-balance.ts'
import {
  type Fault,
  metadataOf,
  newId,
  type Params,
  type Recorded,
  refuse,
} from './stripe-double-parts.ts'

interface DoubleDispute {
  readonly id: string
  readonly payment_intent: string
  readonly amount: number
  readonly currency: string
  readonly created: number
  readonly balance_transactions: object[]
  readonly evidence: Record<string, string>
  metadata: Record<string, string>
  status: string
  reason: string
  submissions: number
}

const texts = ['uncategorized_text', 'product_description', 'refund_policy_disclosure']
const day_seconds = 86_400

/** The disputes of the double. */
export function newDisputes(
  intents: ReadonlyMap<string, Recorded>,
  { book }: DoubleBalance,
  faults: ReadonlySet<Fault>,
  now: () => number,
) {
  const disputes = new Map<string, DoubleDispute>()
  const files = new Map<string, { name: string; type: string; bytes: number }>()

  function show({ submissions, ...dispute }: DoubleDispute): object {
    const due_by = dispute.created + 7 * day_seconds
    const evidence_details = { due_by, submission_count: submissions }
    return { object: 'dispute', ...dispute, evidence_details }
  }

  function find(id: string): DoubleDispute {
    return disputes.get(id) ?? refuse(`No such dispute: '${id}'`, 'resource_missing')
  }

  function move(dispute: DoubleDispute, category: 'dispute' | 'dispute_reversal', fee: number) {
    const { id, currency } = dispute
    const amount = category === 'dispute' ? -dispute.amount : dispute.amount
    const source = { id, object: 'dispute', amount: dispute.amount, currency }
    const made = book({ amount, fee, currency, type: 'adjustment', source, category })
    dispute.balance_transactions.push(made)
  }

  /** The bank of the customer takes the money back; a warning takes none yet. */
  function open(payment_intent: string, amount: number, status = 'needs_response'): string {
    const { currency, received } = intents.get(payment_intent) ?? refuse('No such payment')
    if (amount > received) refuse('More than was taken')
    const created = Math.floor(now() / 1000)
    const of = { payment_intent, amount, currency, created, balance_transactions: [] }
    const state = { status, reason: 'product_not_received', submissions: 0 }
    const dispute = { id: newId('du'), ...of, evidence: {}, metadata: {}, ...state }
    disputes.set(dispute.id, dispute)
    if (!status.startsWith('warning') && !faults.has('hides_withdrawal')) {
      move(dispute, 'dispute', double_fees.dispute)
    }
    return dispute.id
  }

  return {
    disputes,
    files,
    open,
    /** A warning becomes a dispute. */
    withdraw: (id: string) => {
      const dispute = find(id)
      dispute.status = 'needs_response'
      move(dispute, 'dispute', double_fees.dispute)
    },
    end: (id: string, won: boolean) => {
      const dispute = find(id)
      dispute.status = won ? 'won' : 'lost'
      if (won) move(dispute, 'dispute_reversal', 0)
    },
    show: (id: string) => show(find(id)),
    acts: {
      list_disputes: ({ payment_intent }: Params) => {
        const found = [...disputes.values()].filter((one) => one.payment_intent === payment_intent)
        return { object: 'list', url: '/v1/disputes', has_more: false, data: found.map(show) }
      },
      get_dispute: (_: Params, id: string) => show(find(id)),
      update_dispute: (params: Params, id: string) => {
        const dispute = find(id)
        if (dispute.status !== 'needs_response') refuse('This dispute is already closed')
        for (const [name, value] of Object.entries(params)) {
          const [, field] = /^evidence\[(\w+)\]$/.exec(name) ?? []
          if (!field) continue
          if (!texts.includes(field) && !files.has(value)) refuse('No such file upload')
          dispute.evidence[field] = value
        }
        dispute.metadata = { ...dispute.metadata, ...metadataOf(params) }
        if (params.submit !== 'true' || faults.has('ignores_evidence')) return show(dispute)
        dispute.status = 'under_review'
        dispute.submissions += 1
        return show(dispute)
      },
      close_dispute: (_: Params, id: string) => {
        const dispute = find(id)
        if (dispute.status !== 'needs_response') refuse('This dispute is already closed')
        if (!faults.has('ignores_acceptance')) dispute.status = 'lost'
        return show(dispute)
      },
      create_file: (params: Params) => {
        const { purpose, name = '', type = '', bytes } = params
        if (purpose !== 'dispute_evidence') refuse('Invalid purpose')
        if (!['application/pdf', 'image/png', 'image/jpeg'].includes(type))
          refuse('Invalid file type')
        const id = newId('file')
        files.set(id, { name, type, bytes: Number(bytes) })
        return { id, object: 'file', purpose }
      },
    },
  }
}
