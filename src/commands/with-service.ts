import type { Config } from '../config.ts'
import { newLog } from '../log.ts'
import { type OpenService, openService } from '../open-service.ts'

/** Runs a command against the database, whether or not the service is running. */
export async function withService<T>(
  config: Config,
  work: (open: OpenService) => Promise<T>,
): Promise<T> {
  const open = await openService(config, { own: false, log: newLog('silent') })
  try {
    return await work(open)
  } finally {
    await open.close()
  }
}

export function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}
