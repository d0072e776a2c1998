import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'

export interface LoadResult {
  requests: number
  errors: number
  seconds: number
  per_second: number
  p50_ms: number
  p99_ms: number
}

export interface LoadOptions {
  port: number
  connections: number
  seconds: number
  /** The bytes of the next request; null: there are no more. */
  next(): string | null
  /** Gets the body of every answer. */
  onAnswer?(body: string): void
}

/**
 * Sends requests over keep-alive connections, one at a time on each, straight from sockets: the
 * client must cost less than the server it measures. An answer other than 2xx is an error.
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const times_ms: number[] = []
  let errors = 0
  const start = performance.now()
  const end = start + options.seconds * 1000

  const runConnection = () =>
    new Promise<void>((resolve, reject) => {
      let received = ''
      let sent_at = 0
      const socket = connect(options.port, '127.0.0.1')
      socket.setNoDelay(true).setEncoding('latin1')
      const finish = () => {
        socket.end()
        resolve()
      }
      const send = () => {
        const request = options.next()
        if (request === null) return finish()
        sent_at = performance.now()
        socket.write(request)
      }
      socket.on('connect', send).on('error', reject)
      socket.on('data', (chunk: string) => {
        received += chunk
        const head = received.indexOf('\r\n\r\n')
        if (head < 0) return
        const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
        if (received.length < head + 4 + length) return
        times_ms.push(performance.now() - sent_at)
        if (received.charAt(9) !== '2') errors += 1
        options.onAnswer?.(received.slice(head + 4))
        received = ''
        if (performance.now() < end) return send()
        finish()
      })
    })

  await Promise.all(Array.from({ length: options.connections }, runConnection))
  const seconds = (performance.now() - start) / 1000
  times_ms.sort((a, b) => a - b)
  const at = (part: number) => times_ms[Math.floor(times_ms.length * part)] ?? 0
  const requests = times_ms.length
  const per_second = Math.round(requests / seconds)
  return { requests, errors, seconds, per_second, p50_ms: at(0.5), p99_ms: at(0.99) }
}

export function postRequest(path: string, body: object, authorization = ''): string {
  const text = JSON.stringify(body)
  const auth = authorization ? `Authorization: ${authorization}\r\n` : ''
  const type = 'Content-Type: application/json\r\n'
  const length = `Content-Length: ${Buffer.byteLength(text)}\r\n`
  return `POST ${path} HTTP/1.1\r\nHost: bench\r\n${auth}${type}${length}\r\n${text}`
}

export function getRequest(path: string, authorization = ''): string {
  const auth = authorization ? `Authorization: ${authorization}\r\n` : ''
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\n${auth}\r\n`
}
