import cluster from 'node:cluster'
import { pino } from 'pino'
import type { Config } from '../config.ts'
import { PlainError } from '../core/plain-error.ts'
import type { Metrics } from '../http/metrics.ts'
import { newLog } from '../log.ts'
import { once, type RunningService, startService } from '../main.ts'
import type { StartOrder, ToFirst, ToMember } from './process-messages.ts'
import { promised } from './promised.ts'
import { newSharedCounts, type SharedCounts } from './shared-counts.ts'

/** What a pipe takes in one piece: lines of several processes do not mix. */
const pipe_bytes = 4096

/**
 * One of several processes: serves as the first one says, until that one says stop or is gone. When
 * it is gone, node ends this process at once.
 */
export async function runMember(config: Config, number: number): Promise<null> {
  const { worker } = cluster
  if (!worker) throw new PlainError('"serve --process" is for the first process only.')
  const tell = (message: ToFirst) => void worker.send(message, () => {})
  const order = promised<StartOrder | null>()
  let counts: SharedCounts | null = null
  let metrics: Metrics | null = null
  let running: Promise<RunningService> | null = null

  const stop = once(async () => {
    order.resolve(null)
    const service = await running?.catch(() => null)
    await service?.stop().catch((error) => {
      process.stderr.write(`kaikei: ${error.message}\n`)
      process.exitCode = 1
    })
    worker.disconnect()
  })
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  worker.on('message', async (message: ToMember) => {
    if (message.kind === 'counted') counts?.onReplies(message.replies)
    else if (message.kind === 'start') order.resolve(message.order)
    else if (message.kind === 'stop') await stop()
    else {
      const measured = (await metrics?.measured()) ?? []
      tell({ kind: 'measured', question: message.question, measured })
    }
  })
  tell({ kind: 'hello' })
  const given = await order.promise
  if (!given) return null

  const { hash_key, ...settings } = given
  counts = newSharedCounts(Buffer.from(hash_key, 'base64'), (asks) => tell({ kind: 'count', asks }))
  const to = pino.destination({ fd: 1, sync: false, maxWrite: pipe_bytes })
  const log = newLog(config.log_level, to).child({ process: number })
  const onMetrics = (found: Metrics) => {
    metrics = found
  }
  running = startService({ ...config, ...settings }, { number, log, counts, onMetrics })
  await running.then(
    () => tell({ kind: 'ready' }),
    (error) => {
      tell({ kind: 'failed', message: error instanceof PlainError ? error.message : error.stack })
      process.exitCode = 1
      worker.disconnect()
    },
  )
  return null
}
