import Type from 'typebox'
import { inTransaction } from '../../service.ts'
import type { RouteModule } from '../route.ts'
import { clearConsoleCookie, setConsoleCookie } from './console-cookie.ts'
import {
  ConfirmSession,
  ConsoleSessionView,
  confirmSession,
  viewConsoleSession,
} from './console-session.ts'
import { LogIn, logIn } from './log-in.ts'
import { takeTry } from './login-rates.ts'
import { pathOf, requireUser } from './user.ts'
import { endSessions, signInFrom } from './user-session.ts'

const tags = ['users']
const path = '/console/session'
const config = { access: { level: 'user' }, console_only: true } as const

/** The session of the console. Its token is in a cookie that scripts cannot read. */
export const consoleSessionRoutes: RouteModule = (http) => {
  http.post(
    path,
    {
      config: { access: { level: 'public' }, console_only: true },
      schema: {
        tags,
        summary: 'Sign in to the console with a cookie',
        operationId: 'createConsoleSession',
        body: LogIn,
        response: { 200: ConsoleSessionView },
      },
    },
    async (request, reply) => {
      const { service, body, ip } = request
      await takeTry(service, ip, body.email)
      const opened = await logIn(service, body, signInFrom(request, 'cookie'))
      setConsoleCookie(reply, service, opened.jwt)
      return viewConsoleSession(service, opened.merchant_id, opened.session_id)
    },
  )

  http.get(
    path,
    {
      config,
      schema: {
        tags,
        summary: 'Read the session of the console',
        operationId: 'getConsoleSession',
        response: { 200: ConsoleSessionView },
      },
    },
    async ({ service, caller }) =>
      viewConsoleSession(service, caller.merchant_id, caller.user?.session_id ?? '', caller.mode),
  )

  http.delete(
    path,
    {
      config,
      schema: {
        tags,
        summary: 'Sign out of the console',
        operationId: 'deleteConsoleSession',
        response: { 204: Type.Null() },
      },
    },
    async ({ service, caller }, reply) => {
      await inTransaction(service, (tx) => endSessions(tx, pathOf(caller), caller.user?.session_id))
      clearConsoleCookie(reply, service)
      reply.code(204)
      return null
    },
  )

  http.post(
    `${path}/confirm`,
    {
      config,
      schema: {
        tags,
        summary: 'Show a code or the password again',
        operationId: 'confirmConsoleSession',
        body: ConfirmSession,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { service, caller, body, ip } = request
      const { email } = await requireUser(service, pathOf(caller))
      await takeTry(service, ip, email)
      const from = signInFrom(request, 'cookie')
      const { jwt } = await confirmSession(service, caller, body, from)
      setConsoleCookie(reply, service, jwt)
      reply.code(204)
      return null
    },
  )
}
