import { console_path, setConsoleCookie } from '../../accounts/sessions/console-cookie.ts'
import { enter_path, useConsoleLink } from '../../accounts/sessions/console-link.ts'
import { signInFrom } from '../../accounts/sessions/user-session.ts'
import { page, type Route } from '../../api/routes/operation.ts'
import { Failure } from '../../core/api/errors.ts'

/** The target of a link that a start or a command prints: it signs in once, and shows the console. */
export const enterConsoleRoutes: readonly Route[] = [
  page({
    at: `GET ${enter_path}/:link`,
    right: 'public',
    page: true,
    handle: async (request, reply) => {
      const { service, params } = request
      try {
        const { jwt } = await useConsoleLink(service, params.link, signInFrom(request, 'cookie'))
        setConsoleCookie(reply, service, jwt)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return reply.redirect(`${console_path}?link=expired`, 303)
      }
      return reply.redirect(console_path, 303)
    },
  }),
]
