import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { PageParameters } from '../../core/api/schemas.ts'
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

export const savedViewRoutes: readonly Route[] = [
  operation({
    at: 'GET /me/views',
    id: 'listSavedViews',
    client: 'users.listSavedViews',
    tag: 'users',
    summary: 'List the saved views of the user',
    right: 'own',
    query: Type.Object(PageParameters),
    responses: { 200: SavedViewPage },
    handle: ({ service, caller, query }) => listViews(service, caller, query),
  }),

  operation({
    at: 'POST /me/views',
    id: 'createSavedView',
    client: 'users.createSavedView',
    tag: 'users',
    summary: 'Create a saved view of a list',
    text: 'A user can have 50.',
    right: 'own',
    errors: ['RESOURCE_LIMIT_REACHED'],
    body: CreateView,
    responses: { 201: SavedViewShape },
    handle: async ({ service, caller, body }) => createView(service, caller, body),
  }),

  operation({
    at: 'PATCH /me/views/:view_id',
    id: 'updateSavedView',
    client: 'users.updateSavedView',
    tag: 'users',
    summary: 'Update a saved view',
    right: 'own',
    body: PatchView,
    responses: { 200: SavedViewShape },
    handle: ({ service, caller, params, body }) => patchView(service, caller, params.view_id, body),
  }),

  operation({
    at: 'DELETE /me/views/:view_id',
    id: 'deleteSavedView',
    client: 'users.deleteSavedView',
    tag: 'users',
    summary: 'Delete a saved view',
    right: 'own',
    responses: { 204: Type.Null() },
    handle: ({ service, caller, params }) => deleteView(service, caller, params.view_id),
  }),
]
