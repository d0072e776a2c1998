import { readConfig } from '../config.ts'
import { printJson } from '../core/text/formats/print-json.ts'
import { systemClock } from '../core/time/clock.ts'
import { newLog } from '../log.ts'
import type { Service } from '../service.ts'
import { buildApp } from './app.ts'

/** The API description as text, from the routes alone: it needs no database and no port. */
export async function describeApi(): Promise<string> {
  const service = {
    config: readConfig({}),
    clock: systemClock,
    log: newLog('silent'),
    signals: { on: () => {} },
  } as unknown as Service
  const app = buildApp(service, {
    health: { accepting: true, findFaults: async () => [] },
  })
  await app.ready()
  const text = printJson(app.describeRoutes())
  await app.close()
  return `${text}\n`
}
