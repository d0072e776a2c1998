import type { Event } from './generated/api-types.ts'
import { KaikeiError } from './kaikei-error.ts'

/** Headers of any server: an object as in Node, or `Headers` as in a fetch handler. */
export type ReceivedHeaders = Headers | Record<string, string | string[] | undefined>

export interface VerifyOptions {
  /** How far the time of the message may be off. */
  tolerance_s?: number
}

/** The prefixes of secrets, each with its verification. */
const schemes = {
  whsec_: { version: 'v1', algorithm: { name: 'HMAC', hash: 'SHA-256' } },
  whpk_: { version: 'v1a', algorithm: { name: 'Ed25519' } },
} as const

/**
 * Returns the event of a webhook's delivery if the signature is right and recent; otherwise it rejects
 * with the code `INVALID_SIGNATURE`. `body` must be the bytes that were received, not parsed JSON.
 * While a secret is being changed, pass both.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: ReceivedHeaders,
  secret: string | readonly string[],
  { tolerance_s = 300 }: VerifyOptions = {},
): Promise<Event> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    readHeader(headers, `webhook-${name}`),
  )
  if (!id || !timestamp || !signatures) refuse('A webhook header is missing.')
  // A recorded message that is sent again is refused by its age.
  const age_s = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age_s <= tolerance_s)) refuse(`The message is more than ${tolerance_s} s off.`)
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const content = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    if (await isSigned(content, signatures.split(' '), one)) return JSON.parse(text)
  }
  return refuse('No signature fits the secret.')
}

function refuse(message: string): never {
  throw new KaikeiError('INVALID_SIGNATURE', message)
}

function readHeader(headers: ReceivedHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const spelling = Object.keys(headers).find((one) => one.toLowerCase() === name)
  return spelling && [headers[spelling]].flat()[0]
}

/** The comparison takes the same time wherever the signatures differ: that is up to `subtle.verify`. */
async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secret: string,
): Promise<boolean> {
  const prefix = secret.startsWith('whpk_') ? 'whpk_' : 'whsec_'
  const { version, algorithm } = schemes[prefix]
  const bytes = readBase64(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret)
  if (!bytes) throw new TypeError('The secret of a webhook begins with "whsec_" or "whpk_".')
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
  for (const signature of signatures) {
    const [used_version, encoded = ''] = signature.split(',')
    const given = used_version === version ? readBase64(encoded) : null
    if (given && (await crypto.subtle.verify(algorithm, key, given, content))) return true
  }
  return false
}

function readBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}
