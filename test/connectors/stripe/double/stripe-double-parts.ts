import { randomBytes } from 'node:crypto'

export type Params = Readonly<Record<string, string>>

/** An object of the double's record, with the fields that the connector may look at. */
export interface Recorded {
  id: string
  object: 'payment_intent' | 'setup_intent'
  status: string
  number: string | null
  types: string[]
  created: number
  customer: string | null
  email: string | null
  amount: number
  currency: string
  manual: boolean
  received: number
  refunded: number
  canceled_by: string | null
  error: Problem | null
  authenticated: boolean
  return_url: string
  metadata: Record<string, string>
}

interface Problem {
  readonly type: 'card_error' | 'invalid_request_error' | 'idempotency_error'
  readonly code?: string | undefined
  readonly decline_code?: string | undefined
  readonly message: string
  readonly param?: string
  readonly payment_intent?: object
}

export class Refusal extends Error {
  readonly status: number
  readonly problem: Problem

  constructor(status: number, problem: Problem) {
    super(problem.message)
    this.status = status
    this.problem = problem
  }
}

export function refuse(message: string, code?: string, more: Partial<Problem> = {}): never {
  throw new Refusal(400, { type: 'invalid_request_error', code, message, ...more })
}

export const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

export type Fault =
  | 'repeats'
  | 'over_capture'
  | 'over_refund'
  | 'takes_part'
  | 'voids_captured'
  | 'skips_challenge'
  | 'wrong_digits'
  | 'pending_refund'
  | 'unmapped_decline'
  | 'takes_expired'
  | 'leaks_number'
  | 'signs_wrongly'
  | 'hides_withdrawal'
  | 'hides_payment'
  | 'ignores_evidence'
  | 'ignores_acceptance'
  | 'repeats_pages'
  | 'search_lags'
  | 'renames_lines'
  | 'hides_codes'
  | 'hides_account'
  | 'loses_deposits'
  | 'renames_deposits'

export interface StoredRefund {
  readonly id: string
  readonly payment_intent: string | null
  readonly created: number
  readonly amount: number
  readonly currency: string
  readonly metadata: Record<string, string>
  status: string
}

export function metadataOf(params: Params): Record<string, string> {
  const own = Object.entries(params).filter(([name]) => name.startsWith('metadata['))
  return Object.fromEntries(own.map(([name, value]) => [name.slice(9, -1), value]))
}
