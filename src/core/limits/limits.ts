import { day_ms } from '../time/clock.ts'

/** Every limit of the API in one place; code, documents and tests read these tables. */
export const rate_limits = {
  charge: {
    per_minute: 3000,
    burst: 100,
    remaining_header: 'x-remaining-requests',
    rate_header: 'x-requests-per-minute',
  },
  route: {
    per_minute: 1200,
    burst: 30,
    remaining_header: 'x-remaining-requests-route',
    rate_header: 'x-requests-per-minute-route',
  },
  exact: {
    per_minute: 120,
    burst: 10,
    remaining_header: 'x-remaining-requests-exact',
    rate_header: 'x-requests-per-minute-exact',
  },
} as const

/**
 * How often one address may present a credential that was not verified before. A credential that turns
 * out to be valid does not count.
 */
export const attempt_limit = { per_minute: 3000, burst: 100 } as const

/** Maximum number of active resources of a kind per owner. */
export const resource_limits = {
  stores: { max: 100, owner: 'merchant' },
  store_webhooks: { max: 20, owner: 'store' },
  merchant_webhooks: { max: 20, owner: 'merchant' },
  store_app_tokens: { max: 20, owner: 'store' },
  merchant_app_tokens: { max: 20, owner: 'merchant' },
  bank_accounts: { max: 10, owner: 'merchant' },
  payment_links: { max: 1000, owner: 'store' },
} as const

/** Test charges of a merchant within a day. */
export const max_test_charges = 1440

export type LimitedResource = keyof typeof resource_limits

/** Subscriptions of one batch, and unfinished batches of a merchant. */
export const batch_limits = { items: 100, open: 10 } as const

export const page_limits = { default: 10, min: 10, min_for_clients: 1, max: 100 } as const

export const idempotency_limits = { key_length: 255, stored_ms: day_ms } as const

export const request_limits = {
  body_bytes: 256 * 1024,
  form_bytes: 16 * 1024,
  url_bytes: 8 * 1024,
  /** Levels of JSON below the top; metadata may use four of them. */
  json_depth: 32,
  json_keys: 5000,
  headers_timeout_ms: 10_000,
  request_timeout_ms: 30_000,
  /** For the body alone, from the end of the headers. */
  body_timeout_ms: 10_000,
  /** How often Node checks for connections that timed out. */
  connections_check_ms: 2_000,
  keep_alive_ms: 65_000,
} as const

export const metadata_limits = { bytes: 16 * 1024, keys: 100, depth: 4, key_length: 128 } as const
