import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { freshBytes } from '../core/ids.ts'
import type { Key, KeyRing } from './key-ring.ts'

/** The context of a sealed value. It opens nowhere else. */
export interface SealContext {
  readonly table: string
  readonly column: string
  readonly merchant_id: string
  readonly row_id: string
}

/** A sealed value was changed, moved to another row, or its key is gone. */
export class SealBroken extends Error {}

const format = 1
const iv_bytes = 12
const tag_bytes = 16

const max_merchant_keys = 10_000
const merchant_keys = new WeakMap<Key, Map<string, KeyObject>>()

/**
 * Every merchant has its own key, derived from the ring's key, so no key seals too often. Recently used
 * keys are cached: deriving one costs more than sealing.
 */
function merchantKey(key: Key, merchant_id: string): KeyObject {
  const known = merchant_keys.get(key) ?? new Map<string, KeyObject>()
  merchant_keys.set(key, known)
  const found = known.get(merchant_id)
  if (found) return found
  if (known.size >= max_merchant_keys) known.clear()
  const bytes = hkdfSync('sha256', key.bytes, merchant_id, 'kaikei seal 1', 32)
  const created = createSecretKey(Buffer.from(bytes))
  known.set(merchant_id, created)
  return created
}

function boundTo(context: SealContext, key_id: string): Buffer {
  const { table, column, merchant_id, row_id } = context
  return Buffer.from([table, column, merchant_id, row_id, key_id].join('\0'))
}

/** AES-256-GCM: format, key id, random IV, tag, ciphertext. */
export function seal(ring: KeyRing, context: SealContext, plain: string | Buffer): Buffer {
  const { newest } = ring
  const iv = freshBytes(iv_bytes)
  const cipher = createCipheriv('aes-256-gcm', merchantKey(newest, context.merchant_id), iv)
  cipher.setAAD(boundTo(context, newest.id))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  const id = Buffer.from(newest.id)
  return Buffer.concat([Buffer.from([format, id.length]), id, iv, cipher.getAuthTag(), body])
}

export function unseal(ring: KeyRing, context: SealContext, sealed: Buffer): Buffer {
  const id_end = 2 + (sealed[1] ?? 0)
  const key = ring.find(sealed.subarray(2, id_end).toString())
  const tag_start = id_end + iv_bytes
  const body_start = tag_start + tag_bytes
  if (sealed[0] !== format || !key || sealed.length < body_start) {
    throw new SealBroken(`A sealed value of ${context.table}.${context.column} cannot be opened.`)
  }
  const iv = sealed.subarray(id_end, tag_start)
  const opener = createDecipheriv('aes-256-gcm', merchantKey(key, context.merchant_id), iv)
  opener.setAAD(boundTo(context, key.id))
  opener.setAuthTag(sealed.subarray(tag_start, body_start))
  try {
    return Buffer.concat([opener.update(sealed.subarray(body_start)), opener.final()])
  } catch {
    throw new SealBroken(`A sealed value of ${context.table}.${context.column} was changed.`)
  }
}
