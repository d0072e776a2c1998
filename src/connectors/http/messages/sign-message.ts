import { createHmac, timingSafeEqual } from 'node:crypto'
import { minute_ms, second_ms } from '../../../core/time/clock.ts'

/** A key that this service and an acquirer share; its id says which one signed. */
export interface SigningKey {
  readonly id: string
  readonly secret: string
}

/** The signed text: of a call to the acquirer, or of its notification. */
export interface SignedCall {
  readonly method: 'GET' | 'POST'
  /** The target of the request line, from the first slash. */
  readonly path: string
  readonly body: Buffer | string
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

export const signature_headers = {
  key: 'kaikei-key',
  timestamp: 'kaikei-timestamp',
  signature: 'kaikei-signature',
} as const

/** How far the clocks of both sides may differ. Older messages are refused. */
export const max_skew_ms = 5 * minute_ms

function signatureOf(secret: string, timestamp: string, { method, path, body }: SignedCall) {
  return createHmac('sha256', secret)
    .update(`${timestamp}\n${method}\n${path}\n`)
    .update(body)
    .digest('hex')
}

/** The headers that sign a call at this time. */
export function signCall(key: SigningKey, call: SignedCall, now_ms: number) {
  const timestamp = String(Math.floor(now_ms / second_ms))
  return {
    [signature_headers.key]: key.id,
    [signature_headers.timestamp]: timestamp,
    [signature_headers.signature]: signatureOf(key.secret, timestamp, call),
  }
}

/** Whether one of the keys signed the message recently. */
export function isSigned(
  keys: readonly SigningKey[],
  call: SignedCall,
  headers: Headers,
  now_ms: number,
): boolean {
  const { [signature_headers.key]: id, [signature_headers.signature]: signature } = headers
  const timestamp = headers[signature_headers.timestamp]
  const key = keys.find((one) => one.id === id)
  if (!key || typeof signature !== 'string') return false
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now_ms - Number(timestamp) * second_ms) > max_skew_ms) return false
  const given = Buffer.from(signature)
  const right = Buffer.from(signatureOf(key.secret, timestamp, call))
  return given.length === right.length && timingSafeEqual(given, right)
}
