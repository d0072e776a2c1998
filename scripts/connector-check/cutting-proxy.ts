import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { promised } from '../../src/processes/promised.ts'

/** The fate of the bytes of the next request and of its response. */
export interface Cut {
  /** The connection ends after this many bytes of the request. */
  readonly request_bytes?: number
  readonly response_bytes?: number
  /** This is answered instead, and the provider gets nothing. */
  readonly response?: string
  /** Drops everything: no request is forwarded, no response is returned. */
  readonly hold?: true
}

/** A TCP proxy that breaks connections where a check wants it, and remembers what the provider said. */
export interface CuttingProxy {
  readonly url: string
  /** Applies to the bytes from now on, until the next call. */
  cut(plan: Cut): void
  /** Bytes that passed since then. */
  passed(): { readonly request: number; readonly response: number }
  /** Resolves when the first bytes of a request have arrived since then. */
  arrived(): Promise<void>
  /** Everything that the provider answered. */
  readonly responses: string[]
  close(): Promise<void>
}

export async function openProxy(upstream: { host: string; port: number }): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  const responses: string[] = []
  let plan: Cut = {}
  let passed = { request: 0, response: 0 }
  let arrived = promised<void>()

  function hold(socket: Socket): Socket {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    return socket.setNoDelay(true)
  }

  /** Passes on what the plan allows, and ends both sides where it does not. */
  function pass(direction: 'request' | 'response', part: Buffer, from: Socket, to: Socket): void {
    const bound = plan[`${direction}_bytes`] ?? Number.POSITIVE_INFINITY
    const left = bound - passed[direction]
    passed[direction] += part.length
    if (part.length <= left) {
      to.write(part)
      return
    }
    const end = () => {
      from.destroy()
      to.destroy()
    }
    if (left > 0) to.write(part.subarray(0, left), end)
    else end()
  }

  const server = createServer((client) => {
    hold(client)
    const provider = hold(connect(upstream.port, upstream.host))
    client.on('data', (part) => {
      arrived.resolve()
      if (plan.hold) return
      if (plan.response !== undefined) client.end(plan.response)
      else pass('request', part, client, provider)
    })
    provider.on('data', (part) => {
      responses.push(part.toString())
      pass('response', part, provider, client)
    })
    client.on('close', () => provider.destroy())
    provider.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    responses,
    cut: (next) => {
      plan = next
      passed = { request: 0, response: 0 }
      arrived = promised<void>()
    },
    passed: () => passed,
    arrived: () => arrived.promise,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
