import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/access/caller.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail, failField } from '../../core/api/errors.ts'
import { hour_ms } from '../../core/time/clock.ts'
import { readDuration } from '../../core/time/durations.ts'
import { announce, inTransaction, type Service } from '../../service.ts'
import { credentialName } from '../credentials/cached-credentials.ts'
import { requireSecondFactor } from '../users/user-rights.ts'
import type { AppToken } from './app-token.ts'
import { createAppToken } from './create-app-token.ts'
import { type AppTokenPath, endAppToken } from './delete-app-token.ts'

export const RotateAppToken = named(
  'RotateAppToken',
  Type.Object({
    overlap: described(
      Type.String({ format: 'duration', maxLength: 40, default: 'P1D' }),
      'The time for which the old token still works: `PT0S` to one week. Default: one day.',
    ),
  }),
  'The overlap of both tokens.',
)
type RotateAppToken = Static<typeof RotateAppToken>

const longest_overlap_ms = 7 * 24 * hour_ms

/**
 * A token with the same store, mode, domains and name replaces another one, which ends after the overlap:
 * programs get the new credential meanwhile, and none is refused. One that ends sooner already keeps its end.
 */
export async function rotateAppToken(
  service: Service,
  caller: Caller,
  path: AppTokenPath,
  { overlap }: RotateAppToken,
): Promise<{ token: AppToken; secret: string }> {
  const overlap_ms = readDuration(overlap)
  if (overlap_ms === null || overlap_ms > longest_overlap_ms) {
    failField('overlap', 'INVALID_DURATION', 'must be at most one week: P7D')
  }
  return inTransaction(service, async (tx) => {
    const { merchant_id, store_id, id } = path
    const old = await tx.db
      .selectFrom('app_tokens')
      .selectAll()
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', id)
      .where('store_id', 'is not distinct from', store_id)
      .where('deleted_on', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!old || (caller.mode && old.mode && old.mode !== caller.mode)) fail('NOT_FOUND')
    const sees_live = caller.mode !== 'test' || caller.user?.second_factor
    if (old.mode === 'live' && !sees_live) requireSecondFactor()
    if (overlap_ms === 0) await endAppToken(tx, path)
    const created = await createAppToken(tx, {
      merchant_id,
      creator_id: caller.token_id,
      name: old.name,
      ...(store_id && old.mode
        ? { store: { id: store_id, mode: old.mode, domains: old.domains } }
        : {}),
    })
    if (overlap_ms > 0) {
      const ends_ms = tx.wall_clock.now() + overlap_ms
      const due_on = new Date(Math.min(ends_ms, old.due_on?.getTime() ?? ends_ms))
      await tx.db
        .updateTable('app_tokens')
        .set({ due_on })
        .where('merchant_id', '=', merchant_id)
        .where('id', '=', id)
        .execute()
      // Every process reads the row again, with its end.
      await announce(tx, 'revoked', credentialName(merchant_id, id))
    }
    return created
  })
}
