import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'

/** The state of the process. */
export interface Health {
  /** False once a stop was requested. */
  accepting: boolean
  /**
   * The current reasons why a write would fail, each as the rest of a sentence; empty when the service is
   * ready. Checked at most once a second, and ten times a second during a fault, however often the probe is
   * called.
   */
  findFaults(): Promise<readonly string[]>
  /** Faults that do not prevent requests, a sentence each. */
  findWarnings?(): readonly string[]
}

const ApiResponse = named(
  'Healthy',
  Type.Object({ status: described(Type.Literal('ok'), 'Always `ok`.') }),
  'The response of a probe that found no fault.',
)
const Ready = named(
  'Ready',
  Type.Object({
    status: described(Type.Literal('ok'), 'Always `ok`.'),
    warnings: described(
      Type.Array(Type.String()),
      'Faults that do not prevent requests, a sentence each.',
    ),
  }),
  'The response of the readiness probe when requests can be served.',
)
const ok = { status: 'ok' } as const

/** Why requests would fail now; none: the service is ready. */
export async function findFaults(health: Health): Promise<readonly string[]> {
  return health.accepting ? health.findFaults() : ['the service is shutting down']
}

const probe = { client: null, tag: 'health', right: 'public', probe: true } as const

export function healthRoutes(health: Health): Route[] {
  return [
    operation({
      at: 'GET /heartbeat',
      id: 'getHeartbeat',
      summary: 'Get the heartbeat',
      text: 'Responds with 200 while the process runs.',
      ...probe,
      responses: { 200: ApiResponse },
      handle: () => ok,
    }),

    operation({
      at: 'GET /livez',
      id: 'getLiveness',
      summary: 'Get the liveness of the process',
      ...probe,
      text:
        'For supervisors: restart the process when there is no response. It does not check ' +
        'the database.',
      rate: 'none',
      responses: { 200: ApiResponse },
      handle: () => ok,
    }),

    operation({
      at: 'GET /readyz',
      id: 'getReadiness',
      summary: 'Get the readiness for requests',
      ...probe,
      text:
        'For load balancers: 503 while the service starts, stops or cannot reach its ' +
        'database.',
      rate: 'none',
      responses: { 200: Ready },
      handle: async () => {
        const faults = await findFaults(health)
        if (faults.length > 0) {
          fail('SERVICE_UNAVAILABLE', { message: asSentence(faults), retry_after_s: 1 })
        }
        return { ...ok, warnings: [...(health.findWarnings?.() ?? [])] }
      },
    }),
  ]
}

function asSentence(faults: readonly string[]): string {
  const text = faults.join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
