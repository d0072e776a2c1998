import type { RouteModule } from '../route.ts'
import { Activity, ActivityQuery, readActivity } from './activity.ts'
import { Attention, AttentionQuery, readAttention } from './attention.ts'

const tags = ['activity']

export const activityRoutes: RouteModule = (http) => {
  http.get(
    '/activity',
    {
      schema: {
        tags,
        summary: 'Read sums of a period and of the period before it',
        operationId: 'getActivity',
        querystring: ActivityQuery,
        response: { 200: Activity },
      },
    },
    ({ service, caller, query }) => readActivity(service, caller, query),
  )

  http.get(
    '/attention',
    {
      schema: {
        tags,
        summary: 'Read what needs attention',
        operationId: 'getAttention',
        querystring: AttentionQuery,
        response: { 200: Attention },
      },
    },
    ({ service, caller, query }) => readAttention(service, caller, query),
  )
}
