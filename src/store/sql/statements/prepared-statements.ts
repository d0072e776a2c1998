import { faultOf } from '../../../core/read-unknown.ts'
import { systemClock } from '../../../core/time/clock.ts'
import type { QueryLayer } from '../connections/session.ts'

/** More texts than this are not prepared: a list with rare filters is planned for each request. */
const max_texts = 1000

/** The age of a session's plans before they are renewed for the first time. */
const first_plans_ms = 1000

/**
 * Gives every statement with parameters a name, so that a connection parses and plans it once. That is
 * half of the cost of a short statement. After a schema change a plan can be out of date: then all get
 * new names, and the statement is sent again.
 *
 * A plan that was made when its tables were small may scan an index that grows with them: to the
 * planner all indexes of a small table are alike. So a session plans again whenever it is twice as old
 * as at the last time, including the plans of database functions: 25 times in its first year.
 */
export function newStatementNames(monotonic = systemClock.monotonic) {
  const names = new Map<string, number>()
  let generation = 1

  function nameOf(text: string): string | null {
    const known = names.get(text) ?? (names.size < max_texts ? names.size : null)
    if (known === null) return null
    names.set(text, known)
    return `kaikei_${generation}_${known}`
  }

  const prepareStatements: QueryLayer = (query) => {
    const begun = monotonic()
    let planned = begun
    const renewPlans = async () => {
      await query('discard plans')
      planned = monotonic()
    }
    const send = (text: string, values: unknown[]) => {
      const name = nameOf(text)
      return query(name === null ? { text, values } : { name, text, values })
    }
    const prepared = async (text: string, values: unknown[]) => {
      const used = generation
      try {
        if (monotonic() - planned > Math.max(planned - begun, first_plans_ms)) await renewPlans()
        return await send(text, values)
      } catch (error) {
        if (!isOutdatedPlan(error)) throw error
        if (used === generation) generation += 1
        // Inside a transaction it has already failed: the whole transaction is retried.
        return send(text, values).catch(() => {
          throw error
        })
      }
    }
    return (...args) => {
      const [text, values] = args
      const has_values = Array.isArray(values) && values.length > 0
      return typeof text === 'string' && has_values ? prepared(text, values) : query(...args)
    }
  }
  return prepareStatements
}

/** The schema was changed since the statement was planned. */
export function isOutdatedPlan(error: unknown): boolean {
  const { code, message = '' } = faultOf(error)
  return code === '0A000' && /cached plan/.test(message)
}
