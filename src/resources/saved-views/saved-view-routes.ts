import Type from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { PageParameters } from '../../core/schemas.ts'
import type { RouteModule } from '../route.ts'
import {
  CreateView,
  createView,
  deleteView,
  listViews,
  PatchView,
  patchView,
  SavedViewPage,
  SavedViewShape,
} from './saved-view.ts'

const tags = ['users']
const config = { access: { level: 'user' } } as const
const params = Type.Object(pathIds('view_id'))

export const savedViewRoutes: RouteModule = (http) => {
  http.get(
    '/me/views',
    {
      config,
      schema: {
        tags,
        summary: 'List the saved views of the user',
        operationId: 'listSavedViews',
        querystring: Type.Object(PageParameters),
        response: { 200: SavedViewPage },
      },
    },
    ({ service, caller, query }) => listViews(service, caller, query),
  )

  http.post(
    '/me/views',
    {
      config,
      schema: {
        tags,
        summary: 'Save filters and columns of a list under a name',
        operationId: 'createSavedView',
        body: CreateView,
        response: { 201: SavedViewShape },
      },
    },
    async ({ service, caller, body }, reply) => {
      reply.code(201)
      return createView(service, caller, body)
    },
  )

  http.patch(
    '/me/views/:view_id',
    {
      config,
      schema: {
        tags,
        summary: 'Change a saved view',
        operationId: 'updateSavedView',
        params,
        body: PatchView,
        response: { 200: SavedViewShape },
      },
    },
    ({ service, caller, params, body }) => patchView(service, caller, params.view_id, body),
  )

  http.delete(
    '/me/views/:view_id',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a saved view',
        operationId: 'deleteSavedView',
        params,
        response: { 204: Type.Null() },
      },
    },
    async ({ service, caller, params }, reply) => {
      await deleteView(service, caller, params.view_id)
      reply.code(204)
      return null
    },
  )
}
