import { operation, type Route } from '../../api/routes/operation.ts'
import { HealthView, readHealth } from './service-health.ts'

export const serviceHealthRoutes: readonly Route[] = [
  operation({
    at: 'GET /operator/health',
    id: 'getOperatorHealth',
    client: 'operator.getHealth',
    tag: 'operator',
    summary: 'Get the health of the service',
    right: 'operator',
    responses: { 200: HealthView },
    handle: ({ service }) => readHealth(service),
  }),
]
