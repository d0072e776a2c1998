import { Failure } from '../../core/errors.ts'
import { page, type Route } from '../../resources/operation.ts'
import { console_path, setConsoleCookie } from '../../resources/users/console-cookie.ts'
import { enter_path, useConsoleLink } from '../../resources/users/console-link.ts'
import { signInFrom } from '../../resources/users/user-session.ts'

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
