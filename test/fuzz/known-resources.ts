import type { Random } from './random-values.ts'

/** The ids that a path needs, by the names of its parameters. */
export type PathIds = Record<string, string>

/**
 * Remembers the ids of existing resources. A response of `/charges` or `/charges/{charge_id}/refunds`
 * contains resources whose own path has one parameter more: that parameter is the name of the id.
 */
export function newKnownResources(paths: readonly string[], random: Random) {
  const known = new Map<string, PathIds[]>()
  const max_stored = 40
  const parameterOf = new Map<string, string>()
  for (const path of paths) {
    const [, collection, name] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? []
    if (collection !== undefined && name) parameterOf.set(collection, name)
  }
  // The lists of a store and of a merchant contain the same resources.
  const short = (path: string) => path.replace(/^\/merchants\/\{merchant_id\}/, '')
  const nameFor = (path: string) =>
    parameterOf.get(path) ?? parameterOf.get(`/stores/{store_id}${short(path)}`)

  function add(name: string, ids: PathIds): void {
    const list = known.get(name) ?? []
    list.push(ids)
    if (list.length > max_stored) list.splice(random.below(list.length), 1)
    known.set(name, list)
  }

  return {
    clear: () => known.clear(),
    add,
    /** Records the resources of a successful response. */
    learn: (path: string, ids: PathIds, body: unknown): void => {
      const name = nameFor(path)
      if (!name || body === null || typeof body !== 'object') return
      const { items = [body] } = body as { items?: unknown[] }
      // A list shows the tokens that the requests use: these must not be deleted.
      if (name === 'app_token_id' && 'items' in body) return
      for (const item of items) {
        const { id, jti, store_id } = (item ?? {}) as Record<string, string | null | undefined>
        const own = name === 'app_token_id' ? (jti ?? id) : id
        if (typeof own !== 'string') continue
        add(name, { ...ids, ...(store_id ? { store_id } : {}), [name]: own })
      }
    },
    /** Ids for a path: of existing resources, as far as known. */
    idsFor: (path: string, fixed: PathIds): PathIds => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
      const last = names.findLast((name) => !(name in fixed))
      const found = last ? known.get(last) : undefined
      const some = found && found.length > 0 ? random.pick(found) : {}
      return Object.fromEntries(
        names.map((name) => [name, fixed[name] ?? some[name] ?? random.uuid()]),
      )
    },
    some: (name: string): string | null => {
      const found = known.get(name)
      return found && found.length > 0 ? (random.pick(found)[name] ?? null) : null
    },
  }
}

export type KnownResources = ReturnType<typeof newKnownResources>
