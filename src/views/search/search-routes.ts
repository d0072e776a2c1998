import { operation, type Route } from '../../api/routes/operation.ts'
import { SearchQuery, SearchResults, search } from './search-everything.ts'

export const searchRoutes: readonly Route[] = [
  operation({
    at: 'GET /search',
    id: 'searchEverything',
    client: 'activity.search',
    tag: 'activity',
    summary: 'Search payments, customers and everything about them',
    text: "The newest matches of each kind in one mode, limited to the caller's permissions.",
    right: 'settings',
    access: { level: 'merchant' },
    query: SearchQuery,
    responses: { 200: SearchResults },
    handle: ({ service, caller, query }) => search(service, caller, query),
  }),
]
