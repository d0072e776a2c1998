import Type from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { named } from '../../core/described-schemas.ts'
import { PageParameters } from '../../core/schemas.ts'
import type { Http, RouteModule } from '../route.ts'
import {
  CreateUser,
  findUser,
  inviteUser,
  ListUsers,
  listUsers,
  ManagedUserPage,
  ManagedUserView,
  PatchUser,
  patchOwnUser,
  patchUser,
  viewManagedUser,
} from './manage-users.ts'
import { endOwnSession, listSessions, UserSessionPage, viewSession } from './own-sessions.ts'
import { pathOf, UserView, viewUser } from './user.ts'

const tags = ['users']
const config = { access: { level: 'user' } } as const
const params = Type.Object(pathIds('user_id'))
const { name, lang } = PatchUser.properties
const PatchOwnUser = named(
  'UpdateCurrentUser',
  Type.Object({ name, lang }),
  'What users change of themselves.',
)

/** The users of a merchant, for its owners. */
export const manageUserRoutes: RouteModule = (http) => {
  http.get(
    '/users',
    {
      config,
      schema: {
        tags,
        summary: 'List the users of the merchant',
        operationId: 'listUsers',
        querystring: ListUsers,
        response: { 200: ManagedUserPage },
      },
    },
    async ({ service, caller, query }) => {
      const { items, has_more } = await listUsers(service, caller.merchant_id, query)
      return { items: items.map(viewManagedUser), has_more }
    },
  )

  http.post(
    '/users',
    {
      config,
      schema: {
        tags,
        summary: 'Invite a user by mail',
        operationId: 'createUser',
        body: CreateUser,
        response: { 201: ManagedUserView },
      },
    },
    async ({ service, caller, body }, reply) => {
      const { email, name, role, lang } = body
      const wanted = { merchant_id: caller.merchant_id, email, name, role, lang }
      reply.code(201)
      return viewManagedUser(await inviteUser(service, wanted))
    },
  )
  addUserRoutes(http)
  addOwnRoutes(http)
}

function addUserRoutes(http: Http): void {
  http.get(
    '/users/:user_id',
    {
      config,
      schema: {
        tags,
        summary: 'Read a user',
        operationId: 'getUser',
        params,
        response: { 200: ManagedUserView },
      },
    },
    async ({ service, caller: { merchant_id }, params: { user_id: id } }) =>
      viewManagedUser(await findUser(service, { merchant_id, id })),
  )

  http.patch(
    '/users/:user_id',
    {
      config,
      schema: {
        tags,
        summary: 'Change the role or the name of a user, or disable them',
        operationId: 'updateUser',
        params,
        body: PatchUser,
        response: { 200: ManagedUserView },
      },
    },
    async ({ service, caller: { merchant_id }, params: { user_id: id }, body }) =>
      viewManagedUser(await patchUser(service, { merchant_id, id }, body)),
  )

  http.delete(
    '/users/:user_id',
    {
      config,
      schema: {
        tags,
        summary: 'End the access of a user',
        operationId: 'deleteUser',
        params,
        response: { 204: Type.Null() },
      },
    },
    async ({ service, caller: { merchant_id }, params: { user_id: id } }, reply) => {
      await patchUser(service, { merchant_id, id }, { disabled: true })
      reply.code(204)
      return null
    },
  )
}

function addOwnRoutes(http: Http): void {
  http.patch(
    '/me/user',
    {
      config,
      schema: {
        tags,
        summary: 'Change the current user',
        operationId: 'updateCurrentUser',
        body: PatchOwnUser,
        response: { 200: UserView },
      },
    },
    async ({ service, caller, body }) =>
      viewUser(await patchOwnUser(service, pathOf(caller), body)),
  )

  http.get(
    '/me/sessions',
    {
      config,
      schema: {
        tags,
        summary: 'List the sessions of the current user',
        operationId: 'listUserSessions',
        querystring: Type.Object(PageParameters),
        response: { 200: UserSessionPage },
      },
    },
    async ({ service, caller, query }) => {
      const { items, has_more } = await listSessions(service, caller, query)
      return { items: items.map((session) => viewSession(caller, session)), has_more }
    },
  )

  http.delete(
    '/me/sessions/:session_id',
    {
      config,
      schema: {
        tags,
        summary: 'End a session of the current user',
        operationId: 'deleteUserSession',
        params: Type.Object(pathIds('session_id')),
        response: { 204: Type.Null() },
      },
    },
    async ({ service, caller, params }, reply) => {
      await endOwnSession(service, caller, params.session_id)
      reply.code(204)
      return null
    },
  )
}
