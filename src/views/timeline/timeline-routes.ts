import { operation, type Route } from '../../api/routes/operation.ts'
import { readTimeline } from './read-timeline.ts'
import { Timeline } from './timeline-entry.ts'

export const timelineRoutes: readonly Route[] = [
  operation({
    at: 'GET /stores/:store_id/charges/:charge_id/timeline',
    id: 'getChargeTimeline',
    client: 'charges.getTimeline',
    tag: 'charges',
    summary: 'Get the timeline of a charge',
    text:
      'Requests, rules, calls of the provider, changes of status, postings, events with ' +
      'deliveries, and what users did, the oldest first. `kind` says what is in `details`.',
    right: 'payments',
    admit_as: 'list',
    responses: { 200: Timeline },
    handle: ({ service, caller, params }) => readTimeline(service, caller, params),
  }),
]
