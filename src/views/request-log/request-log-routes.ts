import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { described } from '../../core/api/described-schemas.ts'
import {
  getRequest,
  ListRequests,
  listRequests,
  RequestPage,
  RequestView,
} from './list-requests.ts'

export const requestLogRoutes: readonly Route[] = [
  operation({
    at: 'GET /requests',
    id: 'listRequests',
    client: 'activity.listRequests',
    tag: 'activity',
    summary: 'List the requests of the last days',
    text:
      'Stored for `REQUEST_LOG_DAYS`: every write, and per minute up to 300 refused ' +
      'requests and 60 reads.',
    right: 'requests',
    access: { level: 'merchant' },
    query: ListRequests,
    responses: { 200: RequestPage },
    handle: ({ service, caller, query }) => listRequests(service, caller, query),
  }),

  operation({
    at: 'GET /requests/:request_id',
    id: 'getRequest',
    client: 'activity.getRequest',
    tag: 'activity',
    summary: 'Get a request of the last days',
    text: 'One entry of the request log. `REQUEST_LOG_DAYS` says how long entries are kept.',
    right: 'requests',
    access: { level: 'merchant' },
    params: Type.Object({
      request_id: described(
        Type.String({ maxLength: 128 }),
        'The id of the request, as the header `X-Request-Id` had it.',
      ),
    }),
    responses: { 200: RequestView },
    handle: ({ service, caller, params }) => getRequest(service, caller, params.request_id),
  }),
]
