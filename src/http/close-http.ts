import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Deadline, endsWithin } from '../core/deadline.ts'

/** Connections of a server that a stop has to end. */
export interface OpenConnections {
  /** Ends those on which nothing was ever asked, and those that wait for the next request. */
  closeIdle(): void
  closeAll(): void
}

/** To Node a connection on which nothing was sent yet is not idle, so those are found here. */
export function watchConnections(server: Server): OpenConnections {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const closeSilent = () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
  return {
    closeIdle: () => {
      closeSilent()
      server.closeIdleConnections()
    },
    closeAll: () => {
      closeSilent()
      server.closeAllConnections()
    },
  }
}

const look_ms = 50

/**
 * Takes no more connections and lets requests in progress end; at the deadline their connections are
 * closed. A connection whose last answer came meanwhile would wait for another request for a minute.
 */
export async function closeHttp(
  app: FastifyInstance,
  connections: OpenConnections,
  deadline: Deadline,
): Promise<void> {
  const closed = app.close()
  const timer = setInterval(connections.closeIdle, look_ms)
  connections.closeIdle()
  const in_time = await endsWithin(closed, deadline.left_ms())
  clearInterval(timer)
  if (in_time) return
  connections.closeAll()
  await endsWithin(closed, 10 * look_ms)
}
