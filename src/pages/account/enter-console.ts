import type { FastifyRequest } from 'fastify'
import { Failure } from '../../core/errors.ts'
import type { RouteModule } from '../../resources/route.ts'
import { console_path, setConsoleCookie } from '../../resources/users/console-cookie.ts'
import { enter_path, useConsoleLink } from '../../resources/users/console-link.ts'
import { signInFrom } from '../../resources/users/user-session.ts'

type LinkRequest = FastifyRequest<{ Params: { link: string } }>

/** The target of a link that a start or a command prints: it signs in once, and shows the console. */
export const enterConsoleRoutes: RouteModule = (http) => {
  const config = { access: { level: 'public' }, page: true } as const
  http.get(`${enter_path}/:link`, { config, schema: { hide: true } }, async (request, reply) => {
    const { service, params } = request as LinkRequest
    try {
      const { jwt } = await useConsoleLink(service, params.link, signInFrom(request, 'cookie'))
      setConsoleCookie(reply, service, jwt)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return reply.redirect(`${console_path}?link=expired`, 303)
    }
    return reply.redirect(console_path, 303)
  })
}
