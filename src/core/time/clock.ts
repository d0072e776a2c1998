import { performance } from 'node:perf_hooks'

/** The only source of time. Every rule about time takes a clock as a parameter. */
export interface Clock {
  /** Milliseconds since 1970, whole. */
  now(): number
  /** Milliseconds that only increase, whatever happens to the machine's date: for rates and leases. */
  monotonic(): number
}

/**
 * The machine's clock. Its date may be wrong, so rules use the database's; its monotonic side is
 * reliable.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.floor(performance.now()),
}

export const second_ms = 1000
export const minute_ms = 60 * second_ms
export const hour_ms = 60 * minute_ms
export const day_ms = 24 * hour_ms
