import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { second_ms, systemClock } from '../../core/time/clock.ts'
import { type Deadline, endsWithin } from '../../core/time/deadline.ts'

/** Connections of a server that a stop must close. */
export interface OpenConnections {
  /** Closes connections that have been idle for a while, and those that wait for the next request. */
  closeIdle(): void
  closeAll(): void
}

/** A new connection is about to be used: its first request is still answered. */
const first_request_ms = second_ms

/** For Node a connection without any data yet is not idle, so those are tracked here. */
export function watchConnections(server: Server): OpenConnections {
  const opened_ms = new Map<Socket, number>()
  server.on('connection', (socket: Socket) => {
    opened_ms.set(socket, systemClock.monotonic())
    socket.once('close', () => opened_ms.delete(socket))
  })
  const closeSilent = (min_age_ms: number) => {
    const latest_ms = systemClock.monotonic() - min_age_ms
    for (const [socket, at_ms] of opened_ms) {
      if (socket.bytesRead === 0 && at_ms <= latest_ms) socket.destroy()
    }
  }
  return {
    closeIdle: () => {
      closeSilent(first_request_ms)
      server.closeIdleConnections()
    },
    closeAll: () => {
      closeSilent(0)
      server.closeAllConnections()
    },
  }
}

const look_ms = 50

/**
 * Accepts no more connections and lets requests in progress finish; at the deadline their connections
 * are closed. A connection whose last response was sent meanwhile would otherwise stay open for a
 * minute.
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
