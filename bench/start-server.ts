import { type ChildProcess, spawn } from 'node:child_process'

interface Started {
  port: number
  child: ChildProcess
}

/** Starts a program that says where it is ready. */
export function start(args: string[], environment: Record<string, string> = {}): Promise<Started> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`exit ${code}`)))
    child.stdout?.on('data', (text) => {
      const port = /ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(String(text))?.[1]
      if (port) resolve({ port: Number(port), child })
    })
  })
}
