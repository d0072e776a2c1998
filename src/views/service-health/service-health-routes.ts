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
    summary: 'Get the responses of providers and the queues of the last 24 hours',
    text: 'The newest 20,000 calls are examined. A worker measures the queues every five minutes.',
    right: 'operator',
    responses: { 200: TrendsView },
    handle: ({ service }) => readTrends(service),
  }),
]
