import { operation, type Route } from '../../api/routes/operation.ts'
import { Activity, ActivityQuery, readActivity } from './activity.ts'
import { Attention, AttentionQuery, readAttention } from './attention.ts'

export const activityRoutes: readonly Route[] = [
  operation({
    at: 'GET /activity',
    id: 'getActivity',
    client: 'activity.get',
    tag: 'activity',
    summary: 'Get the totals of a period and the previous one',
    text: 'Counted from events, about a second late. A period has at most 400 days.',
    right: 'settings',
    query: ActivityQuery,
    responses: { 200: Activity },
    handle: ({ service, caller, query }) => readActivity(service, caller, query),
  }),

  operation({
    at: 'GET /attention',
    id: 'getAttention',
    client: 'activity.getAttention',
    tag: 'activity',
    summary: 'List what needs attention',
    text:
      'Payments, disputes, deliveries and subscriptions that need attention, newest first, ' +
      'up to five of each kind.',
    right: 'settings',
    query: AttentionQuery,
    responses: { 200: Attention },
    handle: ({ service, caller, query }) => readAttention(service, caller, query),
  }),
]
