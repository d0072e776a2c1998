import { randomUUID } from 'node:crypto'
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

export interface ReceiverResponse {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** A merchant's server: stores its requests and responds as configured. */
export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** The response to every request from now on; a promise is awaited. */
  respond: (request: Received) => ReceiverResponse | Promise<ReceiverResponse>
  /** Resolves when this many requests have arrived. */
  until(count: number): Promise<void>
  close(): Promise<void>
}

export async function newReceiver(address = '127.0.0.1'): Promise<Receiver> {
  const received: Received[] = []
  let waiting: { count: number; done: () => void }[] = []
  // A process of another test may still send to a port that is this receiver's now: each has a name.
  const name = randomUUID()
  const server: Server = createServer((request, response) => {
    const path = request.url ?? ''
    const named = /^\/[\da-f-]{36}(?=\/)/.exec(path)?.[0] ?? ''
    if (named !== '' && named !== `/${name}`) return void response.writeHead(410).end()
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.on('end', async () => {
      const text = Buffer.concat(parts).toString()
      const one: Received = {
        headers: request.headers,
        text,
        body: text === '' ? null : JSON.parse(text),
        path: path.slice(named.length),
      }
      received.push(one)
      const { status, headers = {}, body = '' } = await receiver.respond(one)
      response.writeHead(status, headers).end(body)
      for (const { count, done } of waiting) if (received.length >= count) done()
      waiting = waiting.filter(({ count }) => received.length < count)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://${address}:${port}/${name}/hook`,
    received,
    respond: () => ({ status: 200 }),
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
