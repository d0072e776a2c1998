import type { Service } from '../../../service.ts'
import { keyedHash } from '../../../vault/key-ring.ts'
import type { Charge } from '../charge.ts'

/**
 * The name of the page on which the customer of a charge acts. The provider learns
 * where to send them back before the charge waits, so the name is derived from the charge, with a secret key.
 */
export function pageIdOf({ keys }: Service, { id, redirect, three_ds }: Charge): string {
  const given = redirect?.redirect_id ?? three_ds?.redirect_id
  if (given) return given
  const hex = keyedHash(keys.fingerprint.newest, 'page', id).toString('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`]
  return [...parts, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}
