/**
 * Set on every response. Programs read the API, so browsers must not frame, sniff, cache or execute it.
 * Pages have their own content policy.
 */
export const security_headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** For repeated refusals. Their status keeps them out of caches, and nothing in them can be executed. */
export const refusal_headers = {
  'x-content-type-options': security_headers['x-content-type-options'],
} as const

/** Added when the public address is https. */
export const strict_transport = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
} as const
