import { holdsCardNumber } from '../cards/find-card-numbers.ts'
import { Failure, type FieldError } from './errors.ts'

/**
 * Body fields that may look like a card number, by path: card fields, sealed fields and hashed fields.
 * Every other text or number of a body is stored unchanged, or ignored.
 */
const exempt: ReadonlySet<string> = new Set([
  'data.card_number',
  'data.scanned_qr',
  'data.applepay_token',
  'declaration.certificate_id',
  'account_number',
  'auth_token',
  'password',
  'new_password',
])

/** Shorter numbers are no card numbers. */
const min_number = 1_000_000_000_000
/** At most this many fields are named; a body full of card numbers must not cause a huge response. */
const max_fields = 50
const hidden_name = '[card]'

/** Why a body is refused: the fields that contain a card number. Null: there is none. */
export function cardNumberFailure(body: unknown): Failure | null {
  if (body === null || typeof body !== 'object') return null
  const fields: string[] = []
  collect(body, '', fields)
  if (fields.length === 0) return null
  const errors = fields.map((field): FieldError => ({ field, reason: 'CARD_NUMBER_NOT_ALLOWED' }))
  return new Failure('VALIDATION_ERROR', { message: messageFor(fields), errors })
}

function messageFor([first, ...others]: string[]): string {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return (
    `${first}${more} holds a card number. Send card numbers only as data.card_number when you create ` +
    'a token; here, leave the number out or send its last four digits.'
  )
}

/** Runs for every request with a body, so it allocates nothing in advance. */
function collect(value: object, path: string, fields: string[]): void {
  for (const key of Object.keys(value)) {
    if (fields.length === max_fields) return
    const inner: unknown = Reflect.get(value, key)
    const is_hidden = holdsCardNumber(key)
    if (inner !== null && typeof inner === 'object' && !is_hidden) {
      collect(inner, pathTo(path, key), fields)
    } else if (is_hidden || isCardNumber(inner)) {
      const field = pathTo(path, is_hidden ? hidden_name : key)
      if (!exempt.has(field)) fields.push(field)
    }
  }
}

function pathTo(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function isCardNumber(value: unknown): boolean {
  if (typeof value === 'string') return holdsCardNumber(value)
  return typeof value === 'number' && value >= min_number && holdsCardNumber(String(value))
}
