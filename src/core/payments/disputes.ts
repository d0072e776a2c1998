import type { StateOf } from './states.ts'

/** Why customers dispute a charge, whatever their bank calls it. */
export const dispute_reasons = [
  'fraudulent',
  'unrecognized',
  'duplicate',
  'product_not_received',
  'product_unacceptable',
  'subscription_canceled',
  'credit_not_processed',
  'general',
] as const
export type DisputeReason = (typeof dispute_reasons)[number]

/** The texts that a merchant can send to the bank of the customer. */
export const evidence_texts = {
  explanation: 'The reasons why the charge is valid.',
  product: 'The sale and its terms.',
  customer: 'Your data about the customer, and your correspondence.',
  delivery: 'The delivery: method, date and parcel number.',
  refund_policy: 'Your refund policy, and its disclosure to the customer.',
} as const
export type EvidenceName = keyof typeof evidence_texts
export type Evidence = Partial<Record<EvidenceName, string>>

/** The allowed types of an evidence file, and the first bytes of each; null: any text. */
export const file_types = {
  'application/pdf': '255044462d',
  'image/png': '89504e470d0a1a0a',
  'image/jpeg': 'ffd8ff',
  'text/plain': null,
} as const satisfies Record<string, string | null>
export type FileType = keyof typeof file_types

/** A file is sent as Base64 in a body of its own size: `file_body_bytes`. */
export const dispute_limits = {
  text_length: 5000,
  file_count: 5,
  file_bytes: 5 * 1024 * 1024,
  file_name_length: 100,
} as const
/** The longest body with a file: its Base64, and the names beside it. */
export const file_body_bytes = Math.ceil(dispute_limits.file_bytes / 3) * 4 + 4096

/** A dispute as the provider knows it. */
export interface ReportedDispute {
  /** The provider's own name of the dispute, which never changes. */
  readonly reference: string
  readonly status: StateOf<'dispute'>
  readonly reason: DisputeReason
  readonly amount: number
  /** The fee that the provider keeps for the dispute, even when the merchant wins. */
  readonly fee_amount: number
  /** The currency of the amount and the fee. */
  readonly currency: string
  readonly respond_by: Date
}
