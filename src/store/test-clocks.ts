import type { Mode } from '../core/caller.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Db } from './open-store.ts'
import type { Signals } from './signals.ts'

interface Moved {
  readonly offset_ms: number
  readonly frozen_ms: number | null
}

/**
 * The clocks of merchants whose test mode was moved forward. They are few, so every process caches them
 * all: it reads them at its start and whenever one was changed.
 */
export interface TestClocks {
  /** The time of a merchant's mode: the database's, unless the test clock was moved. */
  of(merchant_id: string, mode: Mode | null): Clock
  /** Merchants whose test clock was moved, or is being moved. */
  moved(): string[]
  /** Whether it is being moved now: then only the mover processes its work. */
  isMoving(merchant_id: string): boolean
  /** Reads a merchant's clock again, or all of them. */
  reload(merchant_id?: string): Promise<void>
}

export function newTestClocks(db: Db, wall_clock: Clock, signals: Signals): TestClocks {
  const moved = new Map<string, Moved>()

  async function read(merchant_id?: string): Promise<void> {
    let clocks = db.selectFrom('test_clocks').selectAll()
    if (merchant_id) clocks = clocks.where('merchant_id', '=', merchant_id)
    for (const row of await clocks.execute()) {
      const { offset_ms, frozen_at } = row
      moved.set(row.merchant_id, { offset_ms, frozen_ms: frozen_at?.getTime() ?? null })
    }
  }

  // Serialized: an outdated result must not be cached last.
  let reading: Promise<void> = Promise.resolve()
  function reload(merchant_id?: string): Promise<void> {
    reading = reading.catch(() => {}).then(() => read(merchant_id))
    return reading
  }
  // What cannot be read now is read with the next message, or by the worker.
  signals.on('clock', (merchant_id) => void reload(merchant_id || undefined).catch(() => {}))

  return {
    reload,
    moved: () => [...moved.keys()],
    isMoving: (merchant_id) => (moved.get(merchant_id)?.frozen_ms ?? null) !== null,
    of: (merchant_id, mode) => {
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
