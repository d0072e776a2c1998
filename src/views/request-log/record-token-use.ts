import { instantOf } from '../../core/ids.ts'
import { minute_ms } from '../../core/time/clock.ts'
import { run } from '../../store/sql/statements/statement.ts'
import type { Db } from '../../store/tables/db.ts'
import type { LoggedRequest } from './record-requests.ts'

/** Precision of the last use of a token, in minutes: recording every use would be a write each time. */
const every_ms = 10 * minute_ms
/** Maximum of remembered tokens; beyond it all are forgotten, and written once more. */
const max_remembered = 10_000

const record_use = `
  update app_tokens t set last_used_on = u.used_on
  from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as u (merchant_id, id, used_on)
  where t.merchant_id = u.merchant_id and t.id = u.id
    and (t.last_used_on is null or t.last_used_on < u.used_on)`

/** Records which application tokens were used, with the requests of a moment, and when. */
export function newTokenUse(db: Db): (rows: readonly LoggedRequest[]) => Promise<void> {
  const recorded = new Map<string, number>()
  return async (rows) => {
    const used: { merchant_id: string; token_id: string; at_ms: number }[] = []
    if (recorded.size > max_remembered) recorded.clear()
    for (const { is_user, token_id, merchant_id, id } of rows) {
      const at_ms = instantOf(id)
      if (is_user || at_ms - (recorded.get(token_id) ?? 0) < every_ms) continue
      recorded.set(token_id, at_ms)
      used.push({ merchant_id, token_id, at_ms })
    }
    if (used.length === 0) return
    await run(db, record_use, [
      used.map(({ merchant_id }) => merchant_id),
      used.map(({ token_id }) => token_id),
      used.map(({ at_ms }) => new Date(at_ms)),
    ])
  }
}
