import Type from 'typebox'
import { fail } from '../core/errors.ts'
import type { RouteModule } from '../resources/route.ts'

/** What the process knows of its own state. */
export interface Health {
  /** False from the moment a stop was asked for. */
  accepting: boolean
  /** Whether the database answers; asked at most once in a while, however often the probe comes. */
  databaseAnswers(): Promise<boolean>
}

const Answer = Type.Object({ status: Type.Literal('ok') })
const schema = (summary: string) => ({ tags: ['health'], summary, response: { 200: Answer } })
const ok = { status: 'ok' } as const

export function healthRoutes(health: Health): RouteModule {
  const config = { access: { level: 'public' }, rate: 'none' } as const
  return (http) => {
    http.get(
      '/heartbeat',
      { config: { access: { level: 'public' } }, schema: schema('The service answers') },
      async () => ok,
    )
    http.get('/livez', { config, schema: schema('The process lives') }, async () => ok)
    http.get('/readyz', { config, schema: schema('Requests can be served') }, async () => {
      if (!health.accepting) {
        fail('SERVICE_UNAVAILABLE', { message: 'The service is shutting down.', retry_after_s: 1 })
      }
      if (!(await health.databaseAnswers())) {
        fail('SERVICE_UNAVAILABLE', { message: 'The database does not answer.', retry_after_s: 1 })
      }
      return ok
    })
  }
}
