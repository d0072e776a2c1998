import { lastPayout, type PayoutSchedule, startOfDayIn } from '../../core/money/payout-schedule.ts'
import { readDuration } from '../../core/time/durations.ts'
import { dateIn, default_zone } from '../../core/time/schedule.ts'
import { now, type Service } from '../../service.ts'
import { createTransfers } from './create-transfers.ts'
import type { Transfer } from './transfer.ts'

interface Schedule extends PayoutSchedule {
  wait_period?: string | null
}

/**
 * The end of the period that the merchant's schedule pays. It is counted from the payout day and not
 * from now: running again, or days later, gives the same result.
 */
function dueUntil(service: Service, configuration: { [key: string]: unknown }): Date | null {
  const { transfer_schedule, display_time_zone } = configuration
  const schedule = (transfer_schedule ?? {}) as Schedule
  const zone_id = (display_time_zone as string | null) ?? default_zone
  const payout = lastPayout(schedule, dateIn(zone_id, now(service)))
  if (!payout) return null
  const wait_ms = readDuration(schedule.wait_period ?? 'P0D') ?? 0
  const waited_ms = startOfDayIn(zone_id, payout.paid_on).getTime() - wait_ms
  return new Date(Math.min(waited_ms, startOfDayIn(zone_id, payout.before).getTime()))
}

/**
 * Creates the transfers that the schedules of all merchants ask for. Existing ones are not created
 * again, and missed ones are created now, so it does not matter how often or how late this runs.
 */
export async function createDueTransfers(service: Service): Promise<Transfer[]> {
  const merchants = await service.db
    .selectFrom('merchants')
    .select(['id', 'configuration'])
    .orderBy('id')
    .execute()
  const made: Transfer[] = []
  for (const { id: merchant_id, configuration } of merchants) {
    const to = dueUntil(service, configuration)
    if (!to) continue
    made.push(...(await createTransfers(service, { merchant_id, to, started_by: 'schedule' })))
  }
  return made
}
