export type Mode = 'test' | 'live'

/** Who makes a request: the application token it came with. The mode comes from nowhere else. */
export interface Caller {
  readonly token_id: string
  readonly merchant_id: string
  /** Null for a merchant's token, which sees all stores of the merchant. */
  readonly store_id: string | null
  readonly mode: Mode | null
  readonly domains: readonly string[]
  /** False when only the JWT was sent, as a browser does. */
  readonly with_secret: boolean
}
