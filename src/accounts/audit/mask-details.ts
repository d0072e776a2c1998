import { maskText } from '../../core/cards/sensitive.ts'

const hidden = '[hidden]'
const too_large = '[too large]'
/** The largest input or result that a line contains. */
const max_length = 16 * 1024

/** Names of fields whose values must not be readable later. */
const secret_names = new RegExp(
  // Settings of connectors are credentials, whatever a kind calls them.
  '^settings$|pass|secret|(^|_)(token|jwt|totp|cvv|key)$|otpauth|recovery|card_number|' +
    'account_number|certificate_id|scanned_qr',
  'i',
)

/** A value without secrets and card numbers, for the audit log. */
export function maskDetails(value: unknown): unknown {
  if (value === undefined || value === null) return null
  const masked = mask(value)
  return JSON.stringify(masked).length > max_length ? too_large : masked
}

function mask(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value)
  if (typeof value === 'number') return maskText(String(value)) === String(value) ? value : hidden
  if (Array.isArray(value)) return value.map(mask)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const is_secret = secret_names.test(name) && inner !== null && typeof inner !== 'boolean'
      return [maskText(name), is_secret ? hidden : mask(inner)]
    }),
  )
}
