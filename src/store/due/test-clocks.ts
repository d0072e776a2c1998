import { setTimeout as sleep } from 'node:timers/promises'
import type { Mode } from '../../core/access/caller.ts'
import { type Clock, second_ms, systemClock } from '../../core/time/clock.ts'
import type { Signals } from '../signals.ts'
import { shareQueries } from '../sql/batches/share-queries.ts'
import type { Db } from '../tables/db.ts'

interface Moved {
  readonly offset_ms: number
  readonly frozen_ms: number | null
}

/**
 * The clocks of merchants whose test mode was moved forward. They are few, so every process caches them
 * all: it reads them at its start and whenever one was changed. A process that may have missed a message
 * reads them again, and a request that moves a clock ends when no process uses the old time any more.
 */
export interface TestClocks {
  /** The time of a merchant's mode: the database's, unless the test clock was moved. */
  of(merchant_id: string, mode: Mode | null): Clock
  /** By how much the test clock of a merchant is ahead of the database at this time. */
  aheadAt(merchant_id: string, wall_ms: number): number
  /** Merchants whose test clock was moved, or is being moved. */
  moved(): string[]
  /** Whether the clock is being moved. Meanwhile only the mover processes its work. */
  isMoving(merchant_id: string): boolean
  /** Reads a merchant's clock again, or all of them. */
  reload(merchant_id?: string): Promise<void>
  /**
   * Until the release, the caller sets the merchant's time in this process. For other processes the
   * database must record that the clock is moving.
   */
  hold(merchant_id: string, at_ms: number): HeldClock
  /** A request waits for this before it reads a clock; null when the cached one is recent enough. */
  catchUp(): Promise<void> | null
  /** Resolves when every other process has noticed a move: each request that is sent from then on sees it. */
  letOthersNotice(): Promise<void>
}

export interface HeldClock {
  readonly now_ms: number
  moveTo(at_ms: number): void
  release(): void
}

/** How long cached clocks are used after it is known that no message was missed. */
const trusted_ms = second_ms

export function newTestClocks(db: Db, wall_clock: Clock, signals: Signals): TestClocks {
  const moved = new Map<string, Moved>()
  const held = new Map<string, { now_ms: number }>()

  async function read(merchant_id?: string): Promise<void> {
    let clocks = db.selectFrom('test_clocks').selectAll()
    if (merchant_id) clocks = clocks.where('merchant_id', '=', merchant_id)
    const known = merchant_id ? [merchant_id] : [...moved.keys()]
    const rows = await clocks.execute()
    const found = new Set(rows.map((row) => row.merchant_id))
    // The clock of a merchant that was removed is forgotten.
    for (const id of known) if (!found.has(id)) moved.delete(id)
    for (const row of rows) {
      const { offset_ms, frozen_at } = row
      moved.set(row.merchant_id, { offset_ms, frozen_ms: frozen_at?.getTime() ?? null })
    }
  }

  // Serialized: an outdated result must not be cached last.
  let reading: Promise<void> = Promise.resolve()
  let pending = 0
  function reload(merchant_id?: string): Promise<void> {
    pending += 1
    reading = reading
      .catch(() => {})
      .then(() => read(merchant_id))
      .finally(() => {
        pending -= 1
      })
    return reading
  }
  const reloadShared = shareQueries(() => reload())
  // A failed read is repeated with the next message, or by the worker.
  signals.on('clock', (merchant_id) => void reload(merchant_id || undefined).catch(() => {}))

  return {
    reload,
    catchUp: () => {
      const trusted_until_ms = signals.heardUntilHere() + trusted_ms
      // The clock is read only where it matters: every request in test mode comes here.
      if (trusted_until_ms !== Number.POSITIVE_INFINITY) {
        if (systemClock.monotonic() >= trusted_until_ms) return reloadShared()
      }
      return pending > 0 ? reading : null
    },
    letOthersNotice: async () => {
      if (await signals.hasOthers()) await sleep(trusted_ms)
    },
    hold: (merchant_id, at_ms) => {
      const clock = { now_ms: at_ms }
      held.set(merchant_id, clock)
      return {
        get now_ms() {
          return clock.now_ms
        },
        moveTo: (to_ms) => {
          clock.now_ms = to_ms
        },
        release: () => void held.delete(merchant_id),
      }
    },
    aheadAt: (merchant_id, wall_ms) => {
      const holder = held.get(merchant_id)
      if (holder) return holder.now_ms - wall_ms
      const { offset_ms = 0, frozen_ms = null } = moved.get(merchant_id) ?? {}
      return frozen_ms === null ? offset_ms : frozen_ms - wall_ms
    },
    moved: () => [...moved.keys()],
    isMoving: (merchant_id) =>
      held.has(merchant_id) || (moved.get(merchant_id)?.frozen_ms ?? null) !== null,
    of: (merchant_id, mode) => {
      const holder = mode === 'test' ? held.get(merchant_id) : undefined
      if (holder) return { now: () => holder.now_ms, monotonic: wall_clock.monotonic }
      const found = mode === 'test' ? moved.get(merchant_id) : undefined
      if (!found) return wall_clock
      const { offset_ms, frozen_ms } = found
      return {
        now: () => frozen_ms ?? wall_clock.now() + offset_ms,
        monotonic: wall_clock.monotonic,
      }
    },
  }
}
