import type { ConsoleApi } from './console-client.ts'

/** A request of a screen. It makes one call and returns what that returns. */
export type Call<Result> = (api: ConsoleApi) => PromiseLike<Result>

/** The queries to read again after a change: a whole group of the client, or one of its methods. */
type Group = keyof ConsoleApi & string
export type Stale = Group | `${Group}.${string}`

const never = new Promise<never>(() => {})

/**
 * The key of a query: the request itself, recorded from the function that makes it, without sending it. So a key has
 * every parameter, also one that is added later.
 */
export function queryKeyOf(call: Call<unknown>): readonly unknown[] {
  const made: unknown[][] = []
  const methodsOf = (group: string) =>
    new Proxy({}, { get: (_, method) => recorder(group, String(method)) })
  const recorder =
    (group: string, method: string) =>
    (...args: unknown[]) => {
      made.push([group, method, ...args])
      return never
    }
  const api = new Proxy({}, { get: (_, group) => methodsOf(String(group)) })
  void call(api as ConsoleApi)
  const [key] = made
  if (!key || made.length > 1) throw new Error(`A query makes one call and not ${made.length}.`)
  return key
}

/** The first parts of the keys that a change makes stale. */
export function staleKey(stale: Stale): readonly string[] {
  return stale.split('.')
}

/**
 * Whether two keys have the same subject, with another filter or page: until the new result has arrived,
 * the rows of the old one may be shown. Rows of another store, webhook or customer may not.
 */
export function isSameSubject(one: readonly unknown[], other: readonly unknown[]): boolean {
  return subjectOf(one) === subjectOf(other)
}

function subjectOf(key: readonly unknown[]): string {
  return JSON.stringify(key.map((part) => (isFields(part) ? idsIn(part) : part)))
}

const isFields = (part: unknown): part is Readonly<Record<string, unknown>> =>
  typeof part === 'object' && part !== null

function idsIn(fields: Readonly<Record<string, unknown>>) {
  return Object.entries(fields)
    .filter(([name, value]) => name.endsWith('_id') && value !== undefined)
    .toSorted(([a], [b]) => a.localeCompare(b))
}
