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

export * from './time-units.ts'
