import { Temporal } from 'temporal-polyfill'
import type { Merchant } from '../../accounts/merchants/merchant.ts'
import type { Mode } from '../../core/access/caller.ts'
import {
  lastPayout,
  nextPayout,
  type Payout,
  type PayoutSchedule,
  startOfDayIn,
} from '../../core/money/payout-schedule.ts'
import { readDuration } from '../../core/time/durations.ts'
import { dateIn, default_zone } from '../../core/time/schedule.ts'
import { atTimeOf, now, type Service } from '../../service.ts'
import type { StoredConfiguration } from '../../store/tables/tables.ts'
import { createTransfers } from './create-transfers.ts'
import type { Transfer } from './transfer.ts'

const modes = ['live', 'test'] as const

/** A payout day of a merchant, and the end of what is paid on it. */
export interface PayoutDay {
  readonly paid_on: string
  readonly to: Date
}

interface Schedule extends PayoutSchedule {
  wait_period?: string | null
}

/** The zone in which the days of a merchant's schedule begin. */
export function zoneOf({ display_time_zone }: StoredConfiguration): string {
  return (display_time_zone as string | null) ?? default_zone
}

/**
 * A day of the merchant's schedule, and the end of the period that it pays. That is counted from the payout
 * day and not from now: running again, or days later, gives the same result.
 */
function payoutDay(
  configuration: StoredConfiguration,
  find: (schedule: PayoutSchedule) => Payout | null,
): PayoutDay | null {
  const schedule = (configuration.transfer_schedule ?? {}) as Schedule
  const zone_id = zoneOf(configuration)
  const payout = find(schedule)
  if (!payout) return null
  const wait_ms = readDuration(schedule.wait_period ?? 'P0D') ?? 0
  const waited_ms = startOfDayIn(zone_id, payout.paid_on).getTime() - wait_ms
  const before_ms = startOfDayIn(zone_id, payout.before).getTime()
  return { paid_on: payout.paid_on, to: new Date(Math.min(waited_ms, before_ms)) }
}

/** The payout day that the scheduler acts on at an instant: the newest one that has begun. */
export function duePayoutDay(configuration: StoredConfiguration, at: Date): PayoutDay | null {
  const today = dateIn(zoneOf(configuration), at)
  return payoutDay(configuration, (schedule) => lastPayout(schedule, today))
}

/** The payout day after another one. */
export function payoutDayAfter(
  configuration: StoredConfiguration,
  { paid_on }: PayoutDay,
): PayoutDay | null {
  const next_day = Temporal.PlainDate.from(paid_on).add({ days: 1 }).toString()
  return payoutDay(configuration, (schedule) => nextPayout(schedule, next_day))
}

/**
 * Creates the transfers that the schedules of all merchants ask for. Existing ones are not created
 * again, and missed ones are created now, so it does not matter how often or how late this runs. In test mode
 * the merchant's test clock says which day it is.
 */
export async function createDueTransfers(service: Service): Promise<Transfer[]> {
  const merchants = await service.db
    .selectFrom('merchants')
    .select(['id', 'configuration'])
    .orderBy('id')
    .execute()
  const created: Transfer[] = []
  for (const one of merchants) created.push(...(await createDueTransfersOf(service, one, modes)))
  return created
}

/** The same for one merchant. */
export async function createDueTransfersOf(
  service: Service,
  { id: merchant_id, configuration }: Pick<Merchant, 'id' | 'configuration'>,
  of_modes: readonly Mode[],
): Promise<Transfer[]> {
  const created: Transfer[] = []
  for (const mode of of_modes) {
    const day = duePayoutDay(configuration, now(atTimeOf(service, { merchant_id, mode })))
    if (!day) continue
    const wanted = { merchant_id, mode, to: day.to, started_by: 'schedule' }
    created.push(...(await createTransfers(service, wanted)))
  }
  return created
}
