import { createServer } from 'node:net'
import type { Config } from '../config.ts'
import { PlainError } from '../core/api/plain-error.ts'

/** A port that is not available; the message says why. */
export class ListenError extends PlainError {}

/** Checks the ports before anything else: a start that cannot succeed must not create a database. */
export async function checkPorts({ host, port, metrics_port }: Config): Promise<void> {
  if (port !== 0) await tryPort(host, port).catch((error) => refuseTaken(error, 'PORT', port, host))
  if (!metrics_port) return
  await tryPort(host, metrics_port).catch((error) =>
    refuseTaken(error, 'METRICS_PORT', metrics_port, host),
  )
}

async function tryPort(host: string, port: number): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject).listen({ port, host, exclusive: true }, resolve)
  })
  await new Promise((resolve) => probe.close(resolve))
}

export function refuseTaken(
  error: { code?: string },
  setting: string,
  port: number,
  host: string,
): never {
  const { code = '' } = error
  if (code === 'EADDRINUSE') {
    throw new ListenError(
      `Port ${port} is taken by another program. Stop it, or choose another with ${setting}.`,
    )
  }
  if (code === 'EACCES') {
    throw new ListenError(`This user may not listen on port ${port}. Choose one above 1023.`)
  }
  if (/^(EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|EAFNOSUPPORT|EINVAL)$/.test(code)) {
    throw new ListenError(`This machine has no address "${host}". Choose another with HOST.`)
  }
  throw error
}
