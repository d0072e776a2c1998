// Application tokens for trying operations. They are in the memory of this page and nowhere else.
let token = null

/** The content of a JWT, or null. */
function claimsOf(text) {
  const [, , claims = ''] = text.split('.')
  try {
    return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return null
  }
}

/** `ok`, `unreadable`, or `live` for everything that is no token of a store in test mode. */
export function takeToken(text) {
  const given = text.trim().replace(/^Bearer\s+/i, '')
  const claims = claimsOf(given)
  token = null
  if (!claims) return 'unreadable'
  if (claims.mode !== 'test') return 'live'
  token = { text: given, store_id: claims.store_id, merchant_id: claims.merchant_id }
  return 'ok'
}

export function currentToken() {
  return token
}

/** The demo store of a development start; false when this service gives none. */
export async function takeDemo() {
  const response = await fetch('/docs/demo-credentials', { method: 'POST' })
  if (!response.ok) return false
  const { credentials } = await response.json()
  return takeToken(credentials) === 'ok'
}
