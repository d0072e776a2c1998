import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Times {
  requests: number
  p50_ms: number
  p99_ms: number
}

export interface LoadResult extends Times {
  seconds: number
  per_second: number
  errors: number
  errors_by_status: Record<string, number>
  /** The units that were polled, counted separately. */
  watched: Times
}

/** One request of a unit of work; a unit may need several in sequence. */
export interface Step {
  request: string
  /** Gets the body of a successful response; returns the next step of the unit, or null when it is done. */
  answered?(body: string): Step | null
  /** The duration of a unit that ends with this step is counted separately. */
  watched?: true
}

export interface LoadOptions {
  port: number
  connections: number
  seconds: number
  /** Maximum units started per second. */
  pace?: number | undefined
  /** Connections begin one after the other over this time: customers do not all pay at the same moment. */
  begin_within_ms?: number | undefined
  /** Maximum units started in total. */
  count?: number | undefined
  /** The first step of the next unit; null: there are no more. */
  begin(): Step | null
}

export function timesOf(times_ms: number[]): Times {
  times_ms.sort((a, b) => a - b)
  const at = (part: number) => times_ms[Math.floor(times_ms.length * part)] ?? 0
  return { requests: times_ms.length, p50_ms: at(0.5), p99_ms: at(0.99) }
}

/**
 * Sends requests over keep-alive connections, one at a time on each, on plain sockets, because the
 * client must cost less than the server it measures. A response other than 2xx is an error and ends its
 * unit.
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { pace, count = Number.POSITIVE_INFINITY, begin_within_ms = 0 } = options
  const times_ms: number[] = []
  const watched_ms: number[] = []
  const errors_by_status: Record<string, number> = {}
  const start_ms = performance.now()
  const end_ms = start_ms + options.seconds * 1000
  let begun = 0

  const note = (status: string) => {
    errors_by_status[status] = (errors_by_status[status] ?? 0) + 1
  }

  /** Waits until the next unit may start; null: the run has ended. */
  async function begin(): Promise<Step | null> {
    if (begun >= count) return null
    const turn_ms = pace ? start_ms + (begun / pace) * 1000 : 0
    begun += 1
    if (turn_ms >= end_ms) return null
    const wait_ms = turn_ms - performance.now()
    if (wait_ms > 1) await sleep(wait_ms)
    return performance.now() < end_ms ? options.begin() : null
  }

  async function runConnection(number: number): Promise<void> {
    await sleep((number / options.connections) * begin_within_ms)
    const line = newLine(options.port)
    for (let first = await begin(); first; first = await begin()) {
      const begun_ms = performance.now()
      let step = first
      for (;;) {
        const { status, body } = await line.ask(step.request)
        if (status[0] !== '2') {
          note(status)
          times_ms.push(performance.now() - begun_ms)
          break
        }
        const next = step.answered?.(body) ?? null
        if (next) {
          step = next
          continue
        }
        const passed_ms = performance.now() - begun_ms
        times_ms.push(passed_ms)
        if (step.watched) watched_ms.push(passed_ms)
        break
      }
    }
    line.close()
  }

  await Promise.all(
    Array.from({ length: options.connections }, (_, number) => runConnection(number)),
  )
  const seconds = (performance.now() - start_ms) / 1000
  return {
    ...timesOf(times_ms),
    seconds,
    per_second: Math.round(times_ms.length / seconds),
    errors: Object.values(errors_by_status).reduce((sum, one) => sum + one, 0),
    errors_by_status,
    watched: timesOf(watched_ms),
  }
}

interface ApiResponse {
  status: string
  body: string
}

/** A connection that is reopened when the server closes it. */
function newLine(port: number) {
  let socket: ReturnType<typeof connect> | null = null
  let received = ''
  let response: (response: ApiResponse) => void = () => {}

  function onData(chunk: string): void {
    received = received === '' ? chunk : received + chunk
    const head = received.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
    if (received.length < head + 4 + length) return
    const status = received.slice(9, 12)
    const body = received.slice(head + 4)
    received = ''
    response({ status, body })
  }

  function open() {
    received = ''
    const opened = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
    opened.on('data', onData)
    opened.on('error', () => {})
    opened.on('close', () => {
      if (socket !== opened) return
      socket = null
      response({ status: 'connection lost', body: '' })
    })
    return opened
  }

  return {
    ask: (request: string) =>
      new Promise<ApiResponse>((resolve) => {
        response = resolve
        socket ??= open()
        socket.write(request)
      }),
    close: () => {
      const opened = socket
      socket = null
      opened?.end()
    },
  }
}
