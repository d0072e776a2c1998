import type { FastifyRequest } from 'fastify'
import { paramsOf } from '../../api/routes/request-parts.ts'
import { isUuid } from '../../core/ids.ts'

const max_parts = 12
const word = /^[a-z._][\w.-]{0,23}$/i

/**
 * The part of a path that the log shows besides its route: the ids in it. Other parameters may be secrets,
 * and so may the parts of an unknown path, unless they are short words. Undefined: the route is enough.
 */
export function shownPath(
  request: Pick<FastifyRequest, 'routeOptions' | 'params' | 'raw' | 'known_path'>,
): string | undefined {
  const { url: route } = request.routeOptions
  if (request.known_path !== null) return undefined
  if (route === undefined) return wordsOf(request.raw.url ?? '')
  if (!route.includes('_id')) return undefined
  const params = paramsOf(request)
  const path = route.replaceAll(/:(\w+_id)\b/g, (name, key) => {
    const value = params[key]
    return value !== undefined && isUuid(value) ? value : name
  })
  return path === route ? undefined : path
}

const id = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}'
const earlier_ids = new RegExp(`${id}(?=.*${id})`, 'gi')

/** The same in a line of the log, which is short: the last id is the resource, those before it own it. */
export function loggedPath(request: Parameters<typeof shownPath>[0]): string | undefined {
  const path = shownPath(request)
  return request.routeOptions.url === undefined ? path : path?.replaceAll(earlier_ids, '…')
}

function wordsOf(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  return path
    .split('/', max_parts)
    .map((part) => (part === '' || word.test(part) || isUuid(part) ? part : '…'))
    .join('/')
}

/** The log text of an unknown path. */
export const unknown_route = 'unknown'
