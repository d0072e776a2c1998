import { createHash } from 'node:crypto'
import { randomText } from '../../core/ids.ts'
import { challenge_policy } from '../../core/limits/card-testing-policy.ts'
import type { Service } from '../../service.ts'
import { keyedHash, sameBytes } from '../../vault/key-ring.ts'

/** Whose attempts need the answer to a challenge: a checkout session, or the card fields of a key. */
export interface Challenged {
  readonly id: string
  /** An answer is for the next attempt alone. */
  readonly attempts: number
  readonly declines: number
}

/** The challenge for a page, and its parameters. */
export interface IssuedChallenge {
  readonly kind: string
  readonly [field: string]: string | number
}

/** Something that costs a customer little and a program that tests cards much. */
export interface Challenge {
  issue(service: Service, challenged: Challenged): IssuedChallenge
  /** Whether an answer is right, in time and for the next attempt. */
  verify(service: Service, challenged: Challenged, response: string): boolean
}

/**
 * The page searches a number that makes the hash of `nonce:number` begin with the required number of zero
 * bits. The nonce is signed for its subject, the number of its attempts and an end: nothing has to be
 * stored, and once an attempt has begun with it, it is used up.
 */
export const proof_of_work: Challenge = {
  issue: (service, challenged) => {
    const { bits: base, bits_per_decline, life_ms } = challenge_policy
    const bits = base + bits_per_decline * challenged.declines
    const ends_ms = service.clock.now() + life_ms
    const head = `${ends_ms.toString(36)}.${bits}.${randomText(16)}`
    const nonce = `${head}.${signature(service, challenged, head).toString('base64url')}`
    return { kind: 'proof_of_work', hash: 'SHA-256', nonce, bits }
  },
  verify: (service, challenged, response) => {
    const found = /^(([0-9a-z]{1,12})\.(\d{1,2})\.\w{16})\.([\w-]{43}):\d{1,15}$/.exec(response)
    if (!found) return false
    const [, head = '', ends = '', bits = '', signed = ''] = found
    if (Number.parseInt(ends, 36) <= service.clock.now()) return false
    const given = Buffer.from(signed, 'base64url')
    return (
      sameBytes(given, signature(service, challenged, head)) && zeroBits(response) >= Number(bits)
    )
  },
}

function signature({ keys }: Service, { id, attempts }: Challenged, head: string): Buffer {
  return keyedHash(keys.fingerprint.newest, 'checkout challenge', `${id} ${attempts} ${head}`)
}

/** How many zero bits the hash of a text begins with, up to 32. */
export function zeroBits(text: string): number {
  return Math.clz32(createHash('sha256').update(text).digest().readUInt32BE())
}
