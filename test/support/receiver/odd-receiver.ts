import { createServer, type Server, type Socket } from 'node:net'

/** A receiver of bytes, not of HTTP: it may do what no proper server does. */
export interface OddReceiver {
  readonly port: number
  /** All connections so far. */
  readonly sockets: Socket[]
  /** Connections that are open now. */
  open(): number
  /** The highest number of sockets that were open at the same time. */
  maxOpen(): number
  close(): Promise<void>
}

/** `behave` is called once a request, or the first bytes of anything else, have arrived. */
export async function newOddReceiver(
  behave: (socket: Socket, request: string) => void,
  wrap: (handler: (socket: Socket) => void) => Server = (handler) => createServer(handler),
): Promise<OddReceiver> {
  const sockets: Socket[] = []
  let max_open = 0
  const isOpen = (socket: Socket) => !socket.destroyed
  const server = wrap((socket) => {
    sockets.push(socket)
    max_open = Math.max(max_open, sockets.filter(isOpen).length)
    socket.on('error', () => {})
    socket.on('data', (bytes) => behave(socket, bytes.toString()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    port,
    sockets,
    open: () => sockets.filter(isOpen).length,
    maxOpen: () => max_open,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
