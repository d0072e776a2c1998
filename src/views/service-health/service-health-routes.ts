import { operation, type Route } from '../../api/routes/operation.ts'
import { readTrends, TrendsView } from './provider-trends.ts'
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

  operation({
    at: 'GET /operator/trends',
    id: 'getOperatorTrends',
    client: 'operator.getTrends',
    tag: 'operator',
    summary: 'Get the approvals and refusals of providers in the last 24 hours',
    text: 'The newest 20,000 calls are examined.',
    right: 'operator',
    responses: { 200: TrendsView },
    handle: ({ service }) => readTrends(service),
  }),
]
