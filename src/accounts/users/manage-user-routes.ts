import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { named } from '../../core/api/described-schemas.ts'
import { PageParameters } from '../../core/api/schemas.ts'
import { viewPage } from '../../store/sql/reads/page.ts'
import {
  CreateUser,
  findUser,
  InvitedUserView,
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

const { name, lang } = PatchUser.properties
const PatchOwnUser = named(
  'UpdateCurrentUser',
  Type.Object({ name, lang }),
  'What users change of themselves.',
)

/** The users of a merchant, for its owners. */
export const manageUserRoutes: readonly Route[] = [
  operation({
    at: 'GET /users',
    id: 'listUsers',
    client: 'users.list',
    tag: 'users',
    summary: 'List the users of the merchant',
    right: 'users',
    query: ListUsers,
    responses: { 200: ManagedUserPage },
    handle: async ({ service, caller, query }) => {
      return viewPage(await listUsers(service, caller.merchant_id, query), viewManagedUser)
    },
  }),

  operation({
    at: 'POST /users',
    id: 'createUser',
    client: 'users.create',
    tag: 'users',
    summary: 'Invite a user by mail',
    right: 'users',
    errors: ['RESOURCE_LIMIT_REACHED', 'USER_EMAIL_EXISTS'],
    body: CreateUser,
    compresses: false,
    responses: { 201: InvitedUserView },
    handle: async ({ service, caller, body }) => {
      const { email, name, role, lang } = body
      const wanted = { merchant_id: caller.merchant_id, email, name, role, lang }
      const { user, link } = await inviteUser(service, wanted)
      return { ...viewManagedUser(user), ...(link ? { invitation_link: link } : {}) }
    },
  }),

  operation({
    at: 'GET /users/:user_id',
    id: 'getUser',
    client: 'users.get',
    tag: 'users',
    summary: 'Get a user',
    right: 'users',
    responses: { 200: ManagedUserView },
    handle: async ({ service, caller: { merchant_id }, params: { user_id: id } }) =>
      viewManagedUser(await findUser(service, { merchant_id, id })),
  }),

  operation({
    at: 'PATCH /users/:user_id',
    id: 'updateUser',
    client: 'users.update',
    tag: 'users',
    summary: 'Update a user',
    right: 'users',
    errors: ['USER_EMAIL_EXISTS'],
    body: PatchUser,
    responses: { 200: ManagedUserView },
    handle: async ({ service, caller: { merchant_id }, params: { user_id: id }, body }) =>
      viewManagedUser(await patchUser(service, { merchant_id, id }, body)),
  }),

  operation({
    at: 'DELETE /users/:user_id',
    id: 'deleteUser',
    client: 'users.delete',
    tag: 'users',
    summary: 'Delete a user',
    right: 'users',
    responses: { 204: Type.Null() },
    handle: ({ service, caller: { merchant_id }, params: { user_id: id } }) =>
      patchUser(service, { merchant_id, id }, { disabled: true }),
  }),

  operation({
    at: 'PATCH /me/user',
    id: 'updateCurrentUser',
    client: 'users.updateCurrent',
    tag: 'users',
    summary: 'Update the current user',
    right: 'own',
    body: PatchOwnUser,
    responses: { 200: UserView },
    handle: async ({ service, caller, body }) =>
      viewUser(await patchOwnUser(service, pathOf(caller), body)),
  }),

  operation({
    at: 'GET /me/sessions',
    id: 'listUserSessions',
    client: 'users.listSessions',
    tag: 'users',
    summary: 'List the sessions of the current user',
    right: 'own',
    query: Type.Object(PageParameters),
    responses: { 200: UserSessionPage },
    handle: async ({ service, caller, query }) => {
      return viewPage(await listSessions(service, caller, query), (session) =>
        viewSession(caller, session),
      )
    },
  }),

  operation({
    at: 'DELETE /me/sessions/:session_id',
    id: 'deleteUserSession',
    client: 'users.deleteSession',
    tag: 'users',
    summary: 'End a session of the current user',
    right: 'own',
    responses: { 204: Type.Null() },
    handle: ({ service, caller, params }) => endOwnSession(service, caller, params.session_id),
  }),
]
