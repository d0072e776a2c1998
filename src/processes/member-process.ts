import cluster from 'node:cluster'
import type { Config } from '../config.ts'
import { explainError } from '../core/api/explain-error.ts'
import { PlainError } from '../core/api/plain-error.ts'
import { endProcessInTime, endProcessSoon } from '../core/end-process.ts'
import type { Metrics } from '../http/observation/metrics.ts'
import { newServiceLog } from '../log.ts'
import { once, type RunningService, startService } from '../main.ts'
import type { StartOrder, ToFirst, ToMember } from './process-messages.ts'
import { promised } from './promised.ts'
import { newSharedCounts, type SharedCounts } from './shared-counts.ts'

/** A pipe writes this much atomically: lines of several processes do not mix. */
const pipe_bytes = 4096

/**
 * One of several processes. It serves with the settings of the first process until that one stops it or
 * dies; Node then exits this process.
 */
export async function runMember(config: Config, number: number): Promise<null> {
  const { worker } = cluster
  if (!worker) throw new PlainError('"serve --process" is for the first process only.')
  const send = (message: ToFirst) => void worker.send(message, () => {})
  const order = promised<StartOrder | null>()
  let counts: SharedCounts | null = null
  let metrics: Metrics | null = null
  let running: Promise<RunningService> | null = null

  const stopping = new AbortController()
  const stop = once(async () => {
    endProcessInTime()
    stopping.abort()
    order.resolve(null)
    const service = await running?.catch(() => null)
    await service?.stop().catch((error) => {
      process.stderr.write(`kaikei: ${error.message}\n`)
      process.exitCode = 1
    })
    worker.disconnect()
    endProcessSoon()
  })
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  worker.on('message', async (message: ToMember) => {
    if (message.kind === 'counted') counts?.onReplies(message.replies)
    else if (message.kind === 'start') order.resolve(message.order)
    else if (message.kind === 'stop') await stop()
    else {
      const measured = (await metrics?.measured()) ?? []
      send({ kind: 'measured', question: message.question, measured })
    }
  })
  send({ kind: 'handshake' })
  const given = await order.promise
  if (!given) return null

  const { hash_key, ...settings } = given
  counts = newSharedCounts(Buffer.from(hash_key, 'base64'), (asks) => send({ kind: 'count', asks }))
  const log = newServiceLog(config, pipe_bytes).child({ process: number })
  const onMetrics = (found: Metrics) => {
    metrics = found
  }
  const member = { number, log, counts, onMetrics }
  running = startService({ ...config, ...settings }, { member, signal: stopping.signal })
  await running.then(
    () => send({ kind: 'ready' }),
    (error) => {
      if (stopping.signal.aborted) return
      send({ kind: 'failed', message: explainError(error, config.database_url === null) })
      process.exitCode = 1
      worker.disconnect()
    },
  )
  return null
}
