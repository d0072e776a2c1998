import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { outageOf } from '../../core/api/outages.ts'
import { PlainError } from '../../core/api/plain-error.ts'
import { second_ms, systemClock } from '../../core/time/clock.ts'

/** A real write to one part of the service. */
export interface WriteCheck {
  /** The subject of the sentence about the fault. */
  readonly part: string
  /** Throws when a write to this part fails. */
  write(): Promise<unknown>
}

export interface Readiness {
  /** Set when everything that a start does before the first request is done. */
  started: boolean
  findFaults(): Promise<readonly string[]>
}

const cached_ms = second_ms
/** A fault is looked at again sooner: requests are kept away until it is known to be over. */
const fault_cached_ms = 100
/** A write that takes longer counts as failed. */
const max_write_ms = 2 * second_ms

/**
 * Attempts real writes: readable storage may still refuse writes. One attempt at a time, and the next one
 * only after some time, so the cost does not depend on the number of probes.
 */
export function newReadiness(
  checks: readonly WriteCheck[],
  log: Pick<Logger, 'warn'>,
  monotonic = systemClock.monotonic,
): Readiness {
  const attempts = checks.map((check) => newAttempt(check, log))
  let known: Promise<string[]> | null = null
  let known_until_ms = 0
  const tryAll = async () => {
    known_until_ms = monotonic() + cached_ms
    const faults = (await Promise.all(attempts.map((attempt) => attempt()))).flat()
    if (faults.length > 0) known_until_ms = monotonic() + fault_cached_ms
    return faults
  }
  const readiness: Readiness = {
    started: false,
    findFaults: async () => {
      if (!readiness.started) return ['the service is starting']
      if (!known || monotonic() >= known_until_ms) known = tryAll()
      return known
    },
  }
  return readiness
}

/** While a write hangs, no other write is started. */
function newAttempt(
  { part, write }: WriteCheck,
  log: Pick<Logger, 'warn'>,
): () => Promise<string[]> {
  let pending: Promise<string[]> | null = null
  let logged = ''
  function explain(error: unknown): string[] {
    const fault = faultOf(part, error)
    if (fault !== logged) log.warn({ err: error }, `not ready: ${fault}`)
    logged = fault
    return [fault]
  }
  return () => {
    pending ??= write()
      .then(() => {
        logged = ''
        return []
      }, explain)
      .finally(() => {
        pending = null
      })
    const late = sleep(max_write_ms, [`${part} does not answer`], { ref: false })
    return Promise.race([pending, late])
  }
}

/** Without the text of the error, which may contain accounts, addresses and paths: the log has it. */
function faultOf(part: string, error: unknown): string {
  if (error instanceof PlainError) return error.message
  const cause = outageOf(error)?.cause ?? 'a write failed, and the log says why'
  return `${part} cannot be written to: ${cause}`
}
