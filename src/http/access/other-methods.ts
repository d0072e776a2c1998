import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../core/api/errors.ts'
import { isConsoleCall } from './console-call.ts'
import { respondToPreflight } from './cors.ts'

/** The longest parameter of a path. */
export const max_parameter_length = 200

interface PathMethods {
  methods: Set<string>
  without_secret: boolean
}

/** Every path of the app with its methods, collected while routes are added. */
export type Paths = ReadonlyMap<string, PathMethods>

export function collectPaths(app: FastifyInstance): Paths {
  const paths = new Map<string, PathMethods>()
  app.addHook('onRoute', ({ url, method, config }) => {
    const found = paths.get(url) ?? { methods: new Set(), without_secret: false }
    for (const one of [method].flat()) found.methods.add(one)
    if ((config?.access?.without_secret ?? 'never') !== 'never') found.without_secret = true
    paths.set(url, found)
  })
  return paths
}

const all_methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

interface KnownPath extends PathMethods {
  readonly path: string
  readonly parts: readonly string[]
}

/** The path with the fewest parameters is the one that the router would take. */
function knownPaths(paths: Paths): KnownPath[] {
  return [...paths]
    .map(([path, methods]) => ({ path, parts: path.split('/'), ...methods }))
    .toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)
}

/**
 * A known path with another method is 405, not 404. A request that no route takes is compared with the known
 * paths; only a path that another one would take as its parameter needs routes that refuse.
 */
export function addOtherMethods(app: FastifyInstance, paths: Paths): void {
  const known = knownPaths(paths)
  for (const one of known) {
    const others = known.filter(
      ({ path, parts }) => path !== one.path && isSamePath(parts, one.parts),
    )
    const taken = new Set(others.flatMap(({ methods }) => [...methods]))
    const method = all_methods.filter((name) => taken.has(name) && !one.methods.has(name))
    if (method.length === 0) continue
    const handler = (request: FastifyRequest, reply: FastifyReply) => refuse(one, request, reply)
    const config = { access: { level: 'public' as const }, refuses: true as const }
    app.route({ method, url: one.path, schema: { hide: true }, config, handler })
  }
}

/** Browsers may send a preflight where it matters. */
function refuse(
  { methods, without_secret }: PathMethods,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const allowed = [...methods]
  const is_preflight = request.method === 'OPTIONS' && without_secret
  if (is_preflight && !isConsoleCall(request.raw))
    return respondToPreflight(allowed)(request, reply)
  reply.header('allow', allowed.join(', '))
  fail('NOT_ALLOWED', { message: `This path takes ${allowed.join(', ')} only.` })
}

const store_parts = ['', 'stores', ':store_id']
const max_meant_path = 300

/** Another method of a known path is refused; a path without its store is answered with the right one. */
export function refuseUnrouted(paths: Paths) {
  let known: KnownPath[] | null = null
  return (request: FastifyRequest, reply: FastifyReply) => {
    known ??= knownPaths(paths)
    const [path = ''] = (request.raw.url ?? '').split('?')
    const parts = path.split('/')
    const found = known.find((one) => isSamePath(one.parts, parts))
    if (found) {
      request.known_path = found.path
      return refuse(found, request, reply)
    }
    // A path longer than any route cannot be meant: it is not checked.
    const names = path.length > max_meant_path ? [] : parts.filter((name) => name !== '')
    const bare = ['', ...names].map((name) => name.toLowerCase())
    const meant = [bare, [...store_parts, ...bare.slice(1)]].flatMap(
      (tried) => known?.find((one) => isSamePath(one.parts, tried))?.path ?? [],
    )[0]
    const hint = meant ? ` Did you mean ${meant.replaceAll(/:(\w+)/g, '{$1}')}?` : ''
    fail('NOT_FOUND', { message: `There is no such route.${hint}` })
  }
}

/** Whether the router would take the path for the pattern. */
function isSamePath(pattern: readonly string[], parts: readonly string[]): boolean {
  const is_open = pattern.at(-1) === '*'
  if (is_open ? parts.length < pattern.length : parts.length !== pattern.length) return false
  return pattern.every((name, at) => {
    const part = parts[at] ?? ''
    if (name === '*') return true
    return name.startsWith(':') ? part !== '' && part.length <= max_parameter_length : name === part
  })
}
