import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProxy, proxies_advice } from '../../scripts/programs/proxies.mjs'
import { freePort, temporaryFolder } from '../support/fleet/running-process.ts'

export interface LoadBalancer {
  readonly url: string
  /** The ports that machines may listen on. */
  readonly ports: readonly number[]
  close(): Promise<void>
}

/**
 * A real HAProxy before several machines; it sends requests to the ready ones, and none twice: a refusal of
 * a stopping machine is an error at the client.
 */
export async function startHaproxy(size: number): Promise<LoadBalancer> {
  const program = findProxy('haproxy')
  if (program === null) throw new Error(proxies_advice)
  const folder = temporaryFolder()
  const port = await freePort()
  const ports: number[] = []
  while (ports.length < size) ports.push(await freePort())
  const servers = ports.map((one) => `  server s${one} 127.0.0.1:${one} check`)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    `global
  log stderr local0
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 3s
  retries 0
frontend api
  bind 127.0.0.1:${port}
  default_backend machines
backend machines
  balance roundrobin
  option httpchk GET /readyz
  default-server inter 200ms fall 2 rise 1
${servers.join('\n')}
`,
  )
  const child = spawn(program, ['-f', file], { stdio: 'ignore' })
  return {
    url: `http://127.0.0.1:${port}`,
    ports,
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
