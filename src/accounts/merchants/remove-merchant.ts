import { sql } from 'kysely'
import { PlainError } from '../../core/api/plain-error.ts'
import { hour_ms } from '../../core/time/clock.ts'
import { inTransaction, type Service } from '../../service.ts'
import type { Db } from '../../store/tables/db.ts'

/** Whether the merchant was created as one that may be removed as a whole. */
export async function isRemovable({ db }: Service, merchant_id: string): Promise<boolean> {
  const marked = db.selectFrom('removable_merchants').select('merchant_id')
  return (await marked.where('merchant_id', '=', merchant_id).executeTakeFirst()) !== undefined
}

/** Every table with rows of merchants, as the database knows them: a new one cannot be forgotten. */
export async function merchantTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = (select relnamespace from pg_class where oid = to_regclass('merchants'))
      and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname = 'merchant_id' and not a.attisdropped
    order by c.relname`.execute(db)
  return rows.map(({ name }) => name)
}

/** These stay until the rest is gone: the triggers of the other tables read them. */
const last_table = 'removable_merchants'
/** The chain over all audit logs stays whole; no line of a removable merchant is in it. */
const remaining_tables: readonly string[] = [last_table, 'audit_anchors']

/**
 * Removes a merchant with everything that it has, and refuses every merchant that was not created for that:
 * here, and in the triggers of the ledger and the audit log. First nothing can happen to it any more, in
 * this process and in others; then all its rows go in one transaction, those of all tables in one statement,
 * so that no order of foreign keys matters.
 */
export async function removeMerchant(service: Service, merchant_id: string): Promise<number> {
  if (!(await isRemovable(service, merchant_id))) {
    throw new PlainError(
      `The merchant ${merchant_id} is not a demo shop. Only demo shops can be removed.`,
    )
  }
  await closeMerchant(service, merchant_id)
  await service.clocks.letOthersNotice()
  const removed = await inTransaction(service, async ({ db }) => {
    await sql`select 1 from merchants where id = ${merchant_id} for update`.execute(db)
    await sql`select set_config('kaikei.removes_merchant', ${merchant_id}, true)`.execute(db)
    const tables = (await merchantTables(db)).filter((name) => !remaining_tables.includes(name))
    const deletions = tables.map(
      (name, index) => sql`${sql.ref(`t${index}`)} as (delete from ${sql.table(name)}
        where merchant_id = ${merchant_id} returning 1)`,
    )
    const counts = tables.map(
      (_, index) => sql`select count(*) as count from ${sql.ref(`t${index}`)}`,
    )
    const { rows } = await sql<{ count: number }>`with ${sql.join(deletions)}
      select sum(count)::bigint as count from (${sql.join(counts, sql` union all `)}) as all_tables`.execute(
      db,
    )
    await sql`delete from ${sql.table(last_table)} where merchant_id = ${merchant_id}`.execute(db)
    await sql`delete from merchants where id = ${merchant_id}`.execute(db)
    return Number(rows[0]?.count ?? 0)
  })
  await service.clocks.reload()
  service.signals.broadcast('clock', '')
  service.log.info({ merchant_id, rows: removed }, 'a demo shop was removed')
  return removed
}

/** Ends its credentials, and stops its clock: no request and no due work reaches it any more. */
async function closeMerchant(service: Service, merchant_id: string): Promise<void> {
  const at = new Date(service.wall_clock.now())
  await inTransaction(service, async ({ db }) => {
    const due_on = new Date(at.getTime() + hour_ms)
    const stopped = { frozen_at: at, target: at, updated_on: at, due_on }
    await db
      .insertInto('test_clocks')
      .values({ merchant_id, offset_ms: 0, ...stopped })
      .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(stopped))
      .execute()
    await db
      .updateTable('app_tokens')
      .set({ deleted_on: at })
      .where('merchant_id', '=', merchant_id)
      .where('deleted_on', 'is', null)
      .execute()
    await db.deleteFrom('user_sessions').where('merchant_id', '=', merchant_id).execute()
    await db.deleteFrom('console_links').where('merchant_id', '=', merchant_id).execute()
  })
  await service.clocks.reload(merchant_id)
  service.signals.broadcast('clock', merchant_id)
  service.signals.broadcast('revoked', '')
}
