import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, nullable } from '../../core/api/schemas.ts'
import { typedDigits } from '../../core/typed/typed-digits.ts'
import { inTransaction } from '../../service.ts'
import { endSessions } from '../users/end-sessions.ts'
import { hashNewPassword, setPassword, usePasswordLink } from '../users/password-link.ts'
import { requestReset } from '../users/request-reset.ts'
import { lockUser, pathOf, requireUser, UserView, viewUser } from '../users/user.ts'
import { setConsoleCookie } from './console-cookie.ts'
import { isConfirmed } from './console-session.ts'
import { LogIn, logIn, requireCode, requirePassword } from './log-in.ts'
import { takeTry } from './login-rates.ts'
import { confirmTotp, hasSecondFactor, SecondFactor, startTotp } from './second-factor.ts'
import { signInFrom } from './user-session.ts'

const Password = Type.String({ maxLength: 1024 })
const Login = named(
  'Login',
  Type.Object({
    jwt: described(
      Type.String(),
      'The login token: the whole credential of the `Authorization` header. It is ' +
        'valid for an hour.',
    ),
    merchant_id: described(Id, 'The merchant of the user.'),
  }),
  'The login token of a user.',
)
const LogOut = named(
  'LogOut',
  Type.Object({
    everywhere: described(
      Type.Boolean({ default: false }),
      'Whether all sessions of the user end, or only this one.',
    ),
  }),
  'Which sessions end.',
)
const RequestReset = named(
  'RequestPasswordReset',
  Type.Object({ email: described(Type.String({ format: 'email' }), 'The e-mail of the user.') }),
  'The user who wants to choose a new password.',
)
const ResetRequested = named(
  'PasswordResetRequested',
  Type.Object({
    message: described(Type.String(), 'A sentence that does not say whether there is such a user.'),
  }),
  'The response to every request for a new password.',
)
const Reset = named(
  'ResetPassword',
  Type.Object({ password: described(Password, 'The new password, 12 to 128 characters.') }),
  'A new password.',
)
const ChangePassword = named(
  'ChangePassword',
  Type.Object({
    password: described(
      Type.Optional(Password),
      'The current password. A user without one, signed in by a link, leaves it out.',
    ),
    new_password: described(Password, 'The new password, 12 to 128 characters.'),
  }),
  'The current password and a new one.',
)
const StartTotp = named(
  'StartTotp',
  Type.Object({ password: described(Password, 'The current password.'), ...SecondFactor }),
  'The password of the user, and a code of the authenticator app that is to be replaced.',
)
const TotpSecret = named(
  'TotpSecret',
  Type.Object({
    secret: described(Type.String(), 'The secret for the authenticator app, in base32.'),
    otpauth_url: described(Type.String(), 'The same as a URL, for a QR code.'),
  }),
  'A new secret for an authenticator app.',
)
const ConfirmTotp = named(
  'ConfirmTotp',
  Type.Object({
    totp: described(
      typedDigits(Type.String({ pattern: '^\\d{6}$' })),
      'The current code of the authenticator app.',
    ),
  }),
  'The first code of an authenticator app.',
)
const TotpConfirmed = named(
  'TotpConfirmed',
  Type.Object({
    jwt: described(
      nullable(Type.String()),
      'The new login token. Null in the console: there it is in the cookie.',
    ),
    merchant_id: described(Id, 'The merchant of the user.'),
    recovery_codes: Type.Array(Type.String(), {
      description: 'Ten codes, each for one login without the app. Only this response has them.',
    }),
  }),
  'A new login token, and codes for the case that the app is lost.',
)

export const userRoutes: readonly Route[] = [
  operation({
    at: 'POST /authenticate',
    id: 'logIn',
    client: 'users.logIn',
    tag: 'users',
    summary: 'Sign in to the console',
    text:
      'Returns a login token, valid for an hour; in the second half of it every response ' +
      'has a new one. Ten wrong attempts lock the account for 30 minutes.',
    right: 'public',
    errors: ['INVALID_CREDENTIALS', 'TOTP_REQUIRED'],
    body: LogIn,
    responses: { 200: Login },
    handle: async (request) => {
      const { service, body, ip } = request
      await takeTry(service, ip, body.email)
      return logIn(service, body, signInFrom(request, 'token'))
    },
  }),

  operation({
    at: 'POST /logout',
    id: 'logOut',
    client: 'users.logOut',
    tag: 'users',
    summary: 'Sign out of one session or all',
    right: 'own',
    body: LogOut,
    responses: { 204: Type.Null() },
    handle: async ({ service, caller, body }) => {
      const session_id = body.everywhere ? undefined : caller.user?.session_id
      await inTransaction(service, (tx) => endSessions(tx, pathOf(caller), session_id))
    },
  }),

  operation({
    at: 'POST /password_resets',
    id: 'requestPasswordReset',
    client: 'users.requestPasswordReset',
    tag: 'users',
    summary: 'Request a password reset',
    text: 'The response is the same whether or not there is such a user.',
    right: 'public',
    errors: ['RESOURCE_LIMIT_REACHED'],
    body: RequestReset,
    responses: { 202: ResetRequested },
    handle: async ({ service, body, ip }) => {
      await takeTry(service, ip)
      await requestReset(service, body.email)
      return { message: 'If a user has this e-mail, a message with a link is sent.' }
    },
  }),

  operation({
    at: 'POST /password_resets/:link',
    id: 'resetPassword',
    client: 'users.resetPassword',
    tag: 'users',
    summary: 'Set a password with a reset link',
    right: 'public',
    errors: ['INVALID_PASSWORD_LINK'],
    params: Type.Object({
      link: Type.String({
        maxLength: 64,
        description: 'The last part of the link from the mail.',
      }),
    }),
    body: Reset,
    responses: { 204: Type.Null() },
    handle: async ({ service, params, body, ip }) => {
      await takeTry(service, ip)
      await usePasswordLink(service, params.link, body.password)
    },
  }),

  operation({
    at: 'GET /me/user',
    id: 'getCurrentUser',
    client: 'users.getCurrent',
    tag: 'users',
    summary: 'Get the current user',
    right: 'own',
    responses: { 200: UserView },
    handle: async ({ service, caller }) => viewUser(await requireUser(service, pathOf(caller))),
  }),

  operation({
    at: 'POST /me/password',
    id: 'changePassword',
    client: 'users.changePassword',
    tag: 'users',
    summary: 'Change the password',
    text: 'A user whom a link signed in chooses the first one. All sessions end.',
    right: 'own',
    errors: ['INVALID_CREDENTIALS'],
    body: ChangePassword,
    responses: { 204: Type.Null() },
    handle: async ({ service, caller, body }) => {
      const user = await requireUser(service, pathOf(caller))
      const is_first = user.password_hash === null && isConfirmed(service, caller)
      if (!is_first) await requirePassword(service, user, body.password ?? '')
      const password_hash = await hashNewPassword(service, user, body.new_password, 'new_password')
      await inTransaction(service, async (tx) =>
        setPassword(tx, await lockUser(tx, user), password_hash),
      )
    },
  }),

  operation({
    at: 'POST /me/totp',
    id: 'startTotp',
    client: 'users.startTotp',
    tag: 'users',
    summary: 'Get a secret for an authenticator app',
    right: 'own',
    errors: ['INVALID_CREDENTIALS', 'TOTP_REQUIRED'],
    body: StartTotp,
    responses: { 201: TotpSecret },
    handle: async ({ service, caller, body }) => {
      const user = await requireUser(service, pathOf(caller))
      await requirePassword(service, user, body.password)
      // A stolen session and a password alone must not replace the second factor.
      if (hasSecondFactor(user)) {
        if (body.totp === undefined && body.recovery_code === undefined) fail('TOTP_REQUIRED')
        await requireCode(service, user, body)
      }
      return startTotp(service, user)
    },
  }),

  operation({
    at: 'POST /me/totp/confirm',
    id: 'confirmTotp',
    client: 'users.confirmTotp',
    tag: 'users',
    summary: 'Confirm the authenticator app with its first code',
    text: 'From now on logging in needs a code. All sessions end; the response has a new one.',
    right: 'own',
    errors: ['INVALID_CREDENTIALS'],
    body: ConfirmTotp,
    responses: { 200: TotpConfirmed },
    handle: async (request, reply) => {
      const { service, caller, body } = request
      const from = signInFrom(request, caller.user?.via ?? 'token')
      const confirmed = await confirmTotp(service, pathOf(caller), body.totp, from)
      if (from.via === 'token') return confirmed
      setConsoleCookie(reply, service, confirmed.jwt)
      return { ...confirmed, jwt: null }
    },
  }),
]
