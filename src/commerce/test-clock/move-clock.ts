import { setTimeout as sleep } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import { worker_policy } from '../../core/limits/retry-policies.ts'
import { isTransacting, onlyFor, type Service } from '../../service.ts'
import { queue_tables, queueOf } from '../../store/due/due-queues.ts'
import { dueTable, type QueueTable } from '../../store/due/due-work.ts'
import { findRow } from '../../store/sql/reads/find-row.ts'
import type { TestClockTable } from '../../store/tables/commerce/subscription-tables.ts'

type TestClock = Selectable<TestClockTable>

/** The tables with due work of test mode. */
export const test_queues = queue_tables.filter((table) => queueOf(table).clock === 'merchant')

const { lease_ms } = worker_policy
const look_ms = 50

/**
 * Records the target of a merchant's test clock and moves it there, from its time when that was requested.
 * When a process dies on the way, another continues.
 */
export async function moveClock(
  service: Service,
  merchant_id: string,
  from: Date,
  target: Date,
): Promise<void> {
  const wall_ms = service.wall_clock.now()
  const row = await service.db
    .insertInto('test_clocks')
    .values({
      merchant_id,
      offset_ms: 0,
      frozen_at: from,
      target,
      // The time of the database when the move was requested.
      updated_on: from,
      due_on: new Date(isTransacting(service) ? wall_ms : wall_ms + lease_ms),
    })
    .onConflict((conflict) =>
      conflict.column('merchant_id').doUpdateSet((old) => ({
        // The later target of two concurrent moves wins.
        target: sql<Date>`greatest(test_clocks.target, excluded.target)`,
        frozen_at: sql<Date>`coalesce(test_clocks.frozen_at, excluded.frozen_at)`,
        updated_on: sql<Date>`case when test_clocks.target is not null then test_clocks.updated_on
          else excluded.frozen_at - test_clocks.offset_ms * interval '1 millisecond' end`,
        due_on: old.ref('excluded.due_on'),
        claims: old('test_clocks.claims', '+', 1),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  if (isTransacting(service)) {
    // An idempotent request only records the target: the worker moves the clock after the commit.
    service.afterCommit(() => service.signals.broadcast('work', 'test_clocks'))
    return
  }
  await announceClock(service, merchant_id)
  await advance(service, row)
  await waitFor(service, merchant_id, target)
  await service.clocks.letOthersNotice()
}

/**
 * A concurrent move has taken over; the response waits until the clock has reached the target, but not
 * for ever.
 */
async function waitFor(service: Service, merchant_id: string, target: Date): Promise<void> {
  for (let looks = 0; looks < lease_ms / look_ms; looks += 1) {
    if (service.clocks.of(merchant_id, 'test').now() >= target.getTime()) return
    await sleep(look_ms)
    await service.clocks.reload(merchant_id)
  }
}

/** Continues clocks whose process died. A message about a clock may be lost, so all are read again. */
export async function resumeTestClocks(service: Service, most: number): Promise<number> {
  await service.clocks.reload()
  const wall_ms = service.wall_clock.now()
  const { rows } = await sql<TestClock>`
    update test_clocks t set due_on = ${new Date(wall_ms + lease_ms)}, claims = t.claims + 1
    from (select merchant_id from test_clocks where due_on <= ${new Date(wall_ms)}
      order by due_on limit ${most} for update skip locked) as due
    where t.merchant_id = due.merchant_id returning t.*`.execute(service.db)
  for (const row of rows) await advance(service, row)
  return rows.length
}

async function announceClock(service: Service, merchant_id: string): Promise<void> {
  await service.clocks.reload(merchant_id)
  service.signals.broadcast('clock', merchant_id)
}

/**
 * From one due instant to the next: the clock stops at each until everything due then is done, so that
 * everything happens in order and at its own time.
 */
async function advance(service: Service, { merchant_id, claims }: TestClock): Promise<void> {
  for (;;) {
    const clock = await findRow(service, 'test_clocks', { merchant_id, claims })
    if (!clock?.target || !clock.frozen_at) return
    const next = await nextDue(service, merchant_id, clock.target)
    const step_ms = Math.max(next?.getTime() ?? clock.target.getTime(), clock.frozen_at.getTime())
    const moved = await service.db
      .updateTable('test_clocks')
      .set(next ? standing(service, step_ms) : running(clock.target, clock.updated_on))
      .where('merchant_id', '=', merchant_id)
      .where('claims', '=', claims)
      .where('target', '=', clock.target)
      .returning('merchant_id')
      .executeTakeFirst()
    if (moved) await announceClock(service, merchant_id)
    if (moved && !next) return
    while ((await service.runDue(onlyFor(service, merchant_id))) > 0);
  }
}

function standing({ wall_clock }: Service, step_ms: number) {
  return { frozen_at: new Date(step_ms), due_on: new Date(wall_clock.now() + lease_ms) }
}

/**
 * At the target the clock runs again, ahead of the machine by exactly as much as it was moved: the time
 * that the move took has passed there, too.
 */
function running(target: Date, requested_on: Date) {
  const offset_ms = target.getTime() - requested_on.getTime()
  return { offset_ms, frozen_at: null, target: null, due_on: null }
}

/** The earliest due work up to the target; `tables`: only of these queues. */
export async function nextDue(
  service: Service,
  merchant_id: string,
  target: Date,
  tables: readonly QueueTable[] = test_queues,
): Promise<Date | null> {
  const parts = tables.map((table) => {
    const { claimed } = queueOf(table)
    return sql`
      (select due_on from ${sql.table(dueTable(table))} where merchant_id = ${merchant_id} and mode = 'test'
        and due_on <= ${target} ${claimed ? sql`and not ${claimed}` : sql``}
        order by due_on limit 1)`
  })
  const { rows } = await sql<{ due_on: Date | null }>`
    select min(due_on) as due_on from (${sql.join(parts, sql` union all `)}) as all_queues`.execute(
    service.db,
  )
  return rows[0]?.due_on ?? null
}
