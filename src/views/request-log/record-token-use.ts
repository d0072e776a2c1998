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

/** Records which application tokens were used, with the requests of a moment. */
export function newTokenUse(
  db: Db,
): (rows: readonly LoggedRequest[], now_ms: number) => Promise<void> {
  const recorded = new Map<string, number>()
  return async (rows, now_ms) => {
    const used = new Map<string, string>()
    for (const { is_user, token_id, merchant_id } of rows) {
      if (!is_user && now_ms - (recorded.get(token_id) ?? 0) >= every_ms)
        used.set(token_id, merchant_id)
    }
    if (used.size === 0) return
    if (recorded.size > max_remembered) recorded.clear()
    for (const id of used.keys()) recorded.set(id, now_ms)
    const at = new Date(now_ms)
    await run(db, record_use, [
      [...used.values()],
      [...used.keys()],
      [...used.keys()].map(() => at),
    ])
  }
}
