import type { IncomingHttpHeaders } from 'node:http'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
  path: string
}

export interface ReceiverAnswer {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** A merchant's server: stores what it gets and responds as it is told. */
export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** The response to every request from now on; a promise is awaited. */
  answer: (request: Received) => ReceiverAnswer | Promise<ReceiverAnswer>
  /** Resolves when this many requests have arrived. */
  until(count: number): Promise<void>
  close(): Promise<void>
}

export async function newReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let waiting: { count: number; done: () => void }[] = []
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.on('end', async () => {
      const text = Buffer.concat(parts).toString()
      const one: Received = {
        headers: request.headers,
        text,
        body: text === '' ? null : JSON.parse(text),
        path: request.url ?? '',
      }
      received.push(one)
      const { status, headers = {}, body = '' } = await receiver.answer(one)
      response.writeHead(status, headers).end(body)
      for (const { count, done } of waiting) if (received.length >= count) done()
      waiting = waiting.filter(({ count }) => received.length < count)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer: () => ({ status: 200 }),
    until: (count) =>
      new Promise((done) => {
        if (received.length >= count) done()
        else waiting.push({ count, done })
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return receiver
}
