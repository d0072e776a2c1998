import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '../core/errors.ts'
import { answerPreflight } from './cors.ts'

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

/** A known path with another method is 405, not 404; browsers may send a preflight where it matters. */
export function addOtherMethods(app: FastifyInstance, paths: Paths): void {
  for (const [url, { methods, without_secret }] of [...paths]) {
    const allowed = [...methods]
    const schema = { hide: true }
    const config = { access: { level: 'public' as const }, refuses: allowed }
    const others = all_methods.filter((method) => !methods.has(method))
    if (without_secret) {
      app.route({ method: 'OPTIONS', url, schema, config, handler: answerPreflight(allowed) })
    }
    const method = without_secret ? others.filter((other) => other !== 'OPTIONS') : others
    app.route({
      method,
      url,
      schema,
      config,
      handler: (_request, reply) => {
        reply.header('allow', allowed.join(', '))
        fail('NOT_ALLOWED', { message: `This path takes ${allowed.join(', ')} only.` })
      },
    })
  }
}

const store_parts = ['', 'stores', ':store_id']
const max_meant_path = 300

/** A path without its store, or with an extra slash, is answered with the right one. */
export function refuseUnknownPath(paths: Paths) {
  let known: { path: string; parts: string[] }[] | null = null
  return ({ raw }: FastifyRequest) => {
    known ??= [...paths.keys()].map((path) => ({ path, parts: path.split('/') }))
    const [path = ''] = (raw.url ?? '').split('?')
    // A path longer than any route cannot be meant: it is not checked.
    const names = path.length > max_meant_path ? [] : path.split('/').filter((name) => name !== '')
    const bare = ['', ...names]
    const meant = [bare, [...store_parts, ...names]].flatMap(
      (parts) => known?.find((one) => isSamePath(one.parts, parts))?.path ?? [],
    )[0]
    const hint = meant ? ` Did you mean ${meant.replaceAll(/:(\w+)/g, '{$1}')}?` : ''
    fail('NOT_FOUND', { message: `There is no such route.${hint}` })
  }
}

function isSamePath(pattern: readonly string[], parts: readonly string[]): boolean {
  return (
    pattern.length === parts.length &&
    pattern.every((name, at) => {
      const part = parts[at] ?? ''
      return name.startsWith(':') ? part !== '' : name === part.toLowerCase() || name === part
    })
  )
}
