import { second_ms } from '../../../core/time/clock.ts'

/** The time for which a machine counts as alive after its last heartbeat. */
const live_ms = 15 * second_ms

/** A row of `nodes` whose machine serves. */
export const live_sql = `seen_on > now() - ${live_ms} * interval '1 millisecond'`

/** Serializes machines that start at the same time, and steps of the schema that would break old ones. */
export const nodes_lock = 7_230_110_005
