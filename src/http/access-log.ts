import type { FastifyInstance } from 'fastify'
import type { Service } from '../service.ts'
import { sentStatus } from './admission.ts'
import type { LogRequest } from './log-requests.ts'
import type { Metrics } from './metrics.ts'
import { shownPath } from './shown-path.ts'

/** One line a request, and its duration for the metrics. */
export function addAccessLog(
  app: FastifyInstance,
  service: Service,
  metrics: Metrics | null | undefined,
  isLogged: (status: number) => boolean,
  logRequest: LogRequest,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    done()
    const { method, routeOptions, known_path, id: request_id } = request
    const route = routeOptions.url ?? known_path ?? 'unknown'
    const status = sentStatus(reply)
    logRequest(request, reply, { route, operation: routeOptions.schema?.operationId, status })
    metrics?.observeRequest(method, route, status, reply.elapsedTime / 1000)
    if (!service.log.isLevelEnabled('info')) return
    if (reply.refused && !isLogged(status)) return
    const { merchant_id, token_id } = request.caller ?? {}
    request.log.info(
      {
        request_id,
        method,
        route,
        path: shownPath(request),
        status,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        merchant_id,
        token_id,
      },
      'request',
    )
  })
}
