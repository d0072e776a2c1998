import type { Measured } from '../http/observation/metrics.ts'
import type { CountAsk, CountReply } from './shared-counts.ts'

/**
 * The message of the first process to each of the others: everything that their own settings do not
 * contain.
 */
export interface StartOrder {
  readonly database_url: string
  readonly database_connections: number
  /** Known before any process listens, even when any free port was requested. */
  readonly port: number
  /** base64 */
  readonly hash_key: string
}

export type ToMember =
  | { readonly kind: 'start'; readonly order: StartOrder }
  | { readonly kind: 'counted'; readonly replies: readonly CountReply[] }
  | { readonly kind: 'measure'; readonly question: number }
  | { readonly kind: 'stop' }

export type ToFirst =
  | { readonly kind: 'handshake' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'count'; readonly asks: readonly CountAsk[] }
  | { readonly kind: 'measured'; readonly question: number; readonly measured: Measured }
