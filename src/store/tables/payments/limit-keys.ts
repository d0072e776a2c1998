/** By whom and with what a card was tried, as hashes that say neither. */
export interface LimitKeys {
  readonly address: string
  readonly card: string
  /** The application token, of a call without its secret. */
  readonly credential?: string
  readonly met_challenge?: boolean
  readonly with_secret?: boolean
}
