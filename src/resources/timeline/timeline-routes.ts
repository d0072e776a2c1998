import { ChargePathSchema } from '../charges/charge-routes.ts'
import type { RouteModule } from '../route.ts'
import { readTimeline } from './read-timeline.ts'
import { Timeline } from './timeline-entry.ts'

export const timelineRoutes: RouteModule = (http) => {
  http.get(
    '/stores/:store_id/charges/:charge_id/timeline',
    {
      schema: {
        tags: ['charges'],
        summary: 'Read everything that happened to a charge, and why',
        operationId: 'getChargeTimeline',
        params: ChargePathSchema,
        response: { 200: Timeline },
      },
    },
    ({ service, caller, params }) => readTimeline(service, caller, params),
  )
}
