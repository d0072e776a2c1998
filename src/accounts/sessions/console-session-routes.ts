import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { inTransaction } from '../../service.ts'
import { endSessions } from '../users/end-sessions.ts'
import { pathOf, requireUser } from '../users/user.ts'
import { clearConsoleCookie, setConsoleCookie } from './console-cookie.ts'
import {
  ConfirmSession,
  ConsoleSessionView,
  confirmSession,
  viewConsoleSession,
} from './console-session.ts'
import { LogIn, logIn } from './log-in.ts'
import { takeTry } from './login-rates.ts'
import { signInFrom } from './user-session.ts'

const path = '/console/session'

/** The session of the console. Its token is in a cookie that scripts cannot read. */
export const consoleSessionRoutes: readonly Route[] = [
  operation({
    at: `POST ${path}`,
    id: 'createConsoleSession',
    client: 'users.createConsoleSession',
    tag: 'users',
    summary: 'Sign in to the console with a cookie',
    right: 'public',
    errors: ['INVALID_CREDENTIALS', 'TOTP_REQUIRED', 'INVALID_PERMISSIONS'],
    console_only: true,
    body: LogIn,
    responses: { 200: ConsoleSessionView },
    handle: async (request, reply) => {
      const { service, body, ip } = request
      await takeTry(service, ip, body.email)
      const opened = await logIn(service, body, signInFrom(request, 'cookie'))
      setConsoleCookie(reply, service, opened.jwt)
      return viewConsoleSession(service, opened.merchant_id, opened.session_id)
    },
  }),

  operation({
    at: `GET ${path}`,
    id: 'getConsoleSession',
    client: 'users.getConsoleSession',
    tag: 'users',
    summary: 'Get the session of the console',
    right: 'own',
    console_only: true,
    responses: { 200: ConsoleSessionView },
    handle: async ({ service, caller }) =>
      viewConsoleSession(service, caller.merchant_id, caller.user?.session_id ?? '', caller.mode),
  }),

  operation({
    at: `DELETE ${path}`,
    id: 'deleteConsoleSession',
    client: 'users.deleteConsoleSession',
    tag: 'users',
    summary: 'Sign out of the console',
    right: 'own',
    console_only: true,
    responses: { 204: Type.Null() },
    handle: async ({ service, caller }, reply) => {
      await inTransaction(service, (tx) => endSessions(tx, pathOf(caller), caller.user?.session_id))
      clearConsoleCookie(reply, service)
    },
  }),

  operation({
    at: `POST ${path}/confirm`,
    id: 'confirmConsoleSession',
    client: 'users.confirmConsoleSession',
    tag: 'users',
    summary: 'Confirm the session with a code or password',
    right: 'own',
    errors: ['INVALID_CREDENTIALS', 'TOTP_REQUIRED'],
    console_only: true,
    body: ConfirmSession,
    responses: { 204: Type.Null() },
    handle: async (request, reply) => {
      const { service, caller, body, ip } = request
      const { email } = await requireUser(service, pathOf(caller))
      await takeTry(service, ip, email)
      const from = signInFrom(request, 'cookie')
      const { jwt } = await confirmSession(service, caller, body, from)
      setConsoleCookie(reply, service, jwt)
    },
  }),
]
