import type { Stripe } from 'stripe'
import type { Evidence, FileType } from '../../../core/payments/disputes.ts'
import type { DisputeResponse } from '../../../providers/provider-operations.ts'
import { checkFile } from './stripe-objects.ts'

/** What Stripe takes as a file of the evidence. */
const file_types: readonly FileType[] = ['application/pdf', 'image/png', 'image/jpeg']

/** Each of Stripe's fields has room for one file. Ours have no kind, so they are put in this order. */
const file_fields = [
  'uncategorized_file',
  'customer_communication',
  'receipt',
  'shipping_documentation',
  'service_documentation',
] as const

type StripeEvidence = Stripe.DisputeUpdateParams.Evidence

/** Why a response cannot be sent; null: it can. */
export function whyNotSent({ files }: Pick<DisputeResponse, 'files'>): string | null {
  const other = files.find(({ content_type }) => !file_types.includes(content_type))
  if (other) return `Stripe takes PDF, PNG and JPEG files: ${other.name} is ${other.content_type}.`
  if (files.length <= file_fields.length) return null
  return `Stripe takes at most ${file_fields.length} files.`
}

/** Stripe has no field for texts about the customer or the delivery: they follow the explanation. */
function writeTexts(evidence: Evidence): StripeEvidence {
  const { explanation, product, customer, delivery, refund_policy } = evidence
  const uncategorized_text = [
    explanation,
    customer && `Customer: ${customer}`,
    delivery && `Delivery: ${delivery}`,
  ]
    .filter(Boolean)
    .join('\n\n')
  return {
    ...(uncategorized_text === '' ? {} : { uncategorized_text }),
    ...(product ? { product_description: product } : {}),
    ...(refund_policy ? { refund_policy_disclosure: refund_policy } : {}),
  }
}

/** Uploads the files, and writes the texts. A file that is uploaded twice has no effect. */
export async function writeEvidence(
  stripe: Stripe,
  { evidence, files }: Pick<DisputeResponse, 'evidence' | 'files'>,
): Promise<StripeEvidence> {
  const written = writeTexts(evidence.reveal())
  for (const [at, { name, content_type: type, content }] of files.entries()) {
    const file = { data: content.reveal(), name, type }
    const field = file_fields[at] ?? 'uncategorized_file'
    written[field] = checkFile(await stripe.files.create({ purpose: 'dispute_evidence', file })).id
  }
  return written
}
