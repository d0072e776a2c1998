import { readConfig } from '../config.ts'
import { printJson } from '../core/text/formats/print-json.ts'
import { systemClock } from '../core/time/clock.ts'
import { newLog } from '../log.ts'
import type { Service } from '../service.ts'
import { buildApp } from './app.ts'

/** The descriptions of the API and of the console as texts, from the routes alone. */
export async function describeApi(): Promise<{ readonly api: string; readonly console: string }> {
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
  await app.close()
  return {
    api: `${printJson(app.describeRoutes('api'))}\n`,
    console: `${printJson(app.describeRoutes('console'))}\n`,
  }
}
