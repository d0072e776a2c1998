import type { Selectable } from 'kysely'
import { newBuckets } from '../../core/limits/bucket.ts'
import { newFairShares } from '../../core/limits/fair-share.ts'
import { second_ms } from '../../core/time/clock.ts'
import type { Service } from '../../service.ts'
import { newColumnArrays } from '../../store/sql/batches/column-arrays.ts'
import { run } from '../../store/sql/statements/statement.ts'
import type { RequestLogTable } from '../../store/tables/accounts/console-tables.ts'
import { newTokenUse } from './record-token-use.ts'

export type LoggedRequest = Selectable<RequestLogTable>

const columns = {
  merchant_id: 'uuid',
  id: 'uuid',
  request_id: 'text',
  store_id: 'uuid',
  mode: 'text',
  token_id: 'uuid',
  is_user: 'boolean',
  method: 'text',
  operation: 'text',
  path: 'text',
  status: 'integer',
  duration_ms: 'integer',
  idempotency_key: 'text',
  resource_id: 'uuid',
  error: 'jsonb',
  ahead_ms: 'bigint',
} as const satisfies Record<keyof LoggedRequest, string>

const names = Object.keys(columns)
const arrays = newColumnArrays(columns)

/** Written without waiting for the disk: a crash loses only the last moment of the log. */
const insert_requests = `
  insert into request_log (${names.join(', ')})
  select ${names.map((name) => `i.${name}`).join(', ')}
  from (select set_config('synchronous_commit', 'off', true) as setting) as quick
  cross join unnest(${names.map(arrays.of).join(', ')}) as i (${names.join(', ')})
  where quick.setting = 'off'`

/**
 * The number of free requests that a merchant may log: a flood of refused requests or reads is cut off.
 * Successful writes cost the merchant more than a line of the log.
 */
const error_rate = { per_minute: 300, burst: 100 }
const read_rate = { per_minute: 30, burst: 20 }

/** Rows that wait for the next statement; merchants below their share get a quarter more. */
const max_waiting = 5000
/** Few rows at a time: a statement with those of a whole second delays the requests that come with it. */
const write_every_ms = second_ms / 5

export interface RequestLog {
  /** Whether one more request of a merchant is logged. Checked first, so a flood costs nothing. */
  accepts(merchant_id: string, method: string, status: number): boolean
  /** Adds a request that was accepted. */
  add(request: LoggedRequest): void
  /** Writes what waits. */
  flush(): Promise<void>
  /** Writes what waits, and nothing afterwards. */
  close(): Promise<void>
}

/** Collects requests, and writes those of a moment with one statement. */
export function newRequestLog(service: Pick<Service, 'db' | 'log' | 'clock'>): RequestLog {
  const { db, log, clock } = service
  let waiting: LoggedRequest[] = []
  let shares = newFairShares()
  const recordUse = newTokenUse(db)
  const errors = newBuckets(error_rate)
  const reads = newBuckets(read_rate)
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()
  let is_closed = false

  async function flush(): Promise<void> {
    await writing
    if (timer) clearTimeout(timer)
    timer = null
    const rows = waiting
    waiting = []
    shares = newFairShares()
    if (rows.length === 0) return
    writing = run(db, insert_requests, arrays.values(rows))
      .then(() => recordUse(rows))
      .catch((err) =>
        log.warn(
          { err, rows: rows.length },
          'the request log could not be written: these requests are missing in it',
        ),
      )
    await writing
  }

  return {
    accepts: (merchant_id, method, status) => {
      if (is_closed || !shares.mayTake(merchant_id, max_waiting)) return false
      if (status >= 400) return errors.take(merchant_id, clock.monotonic()) >= 0
      const is_read = method === 'GET' || method === 'HEAD'
      return !is_read || reads.take(merchant_id, clock.monotonic()) >= 0
    },
    add: (request) => {
      waiting.push(request)
      shares.take(request.merchant_id)
      timer ??= setTimeout(() => void flush(), write_every_ms).unref()
    },
    flush,
    close: async () => {
      is_closed = true
      await flush()
    },
  }
}
