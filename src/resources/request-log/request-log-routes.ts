import Type from 'typebox'
import { described } from '../../core/described-schemas.ts'
import type { RouteModule } from '../route.ts'
import {
  getRequest,
  ListRequests,
  listRequests,
  RequestPage,
  RequestView,
} from './list-requests.ts'

const tags = ['activity']
const config = { access: { level: 'merchant' } } as const

export const requestLogRoutes: RouteModule = (http) => {
  http.get(
    '/requests',
    {
      config,
      schema: {
        tags,
        summary: 'List the requests of the last days',
        operationId: 'listRequests',
        querystring: ListRequests,
        response: { 200: RequestPage },
      },
    },
    ({ service, caller, query }) => listRequests(service, caller, query),
  )

  http.get(
    '/requests/:request_id',
    {
      config,
      schema: {
        tags,
        summary: 'Read a request of the last days',
        operationId: 'getRequest',
        params: Type.Object({
          request_id: described(
            Type.String({ maxLength: 128 }),
            'The id of the request, as the header `X-Request-Id` had it.',
          ),
        }),
        response: { 200: RequestView },
      },
    },
    ({ service, caller, params }) => getRequest(service, caller, params.request_id),
  )
}
