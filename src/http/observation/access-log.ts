import type { FastifyInstance } from 'fastify'
import type { Service } from '../../service.ts'
import { sentStatus } from '../admission/admission.ts'
import { loggedPath, unknown_route } from '../reply/shown-path.ts'
import type { LogRequests } from './log-requests.ts'
import type { Metrics } from './metrics.ts'
import { traceRequest } from './trace-requests.ts'

/**
 * One line a request, of at most 300 bytes, and its duration for the metrics. The request log has more: the
 * application token, the whole path, the error. Probes are logged when they fail.
 */
export function addAccessLog(
  app: FastifyInstance,
  service: Service,
  metrics: Metrics | null | undefined,
  isLogged: (status: number) => boolean,
  log_requests: LogRequests,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    done()
    const { method, routeOptions, known_path, id: request_id } = request
    const route = routeOptions.url ?? known_path ?? unknown_route
    const status = sentStatus(reply)
    log_requests.write(request, reply, {
      route,
      operation: routeOptions.schema?.operationId,
      status,
    })
    if (service.observers.traces) traceRequest(service, request, reply, route, status)
    metrics?.observeRequest(method, route, status, reply.elapsedTime / 1000)
    if (!service.log.isLevelEnabled('info')) return
    if (reply.refused && !isLogged(status)) return
    if (routeOptions.config.probe && status < 400) return
    const path = loggedPath(request)
    request.log.info(
      {
        request_id,
        method,
        route: routeOf(path, route),
        path,
        status,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        merchant_id: request.caller?.merchant_id,
      },
      'request',
    )
  })
}

/** A path that is shown says more than its route, unless it has none. */
export function routeOf(path: string | undefined, route: string): string | undefined {
  return path === undefined || route === unknown_route ? route : undefined
}
