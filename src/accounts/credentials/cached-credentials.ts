import type { Service } from '../../service.ts'

/** The name of a credential in messages between processes about its end. */
export function credentialName(merchant_id: string, id: string): string {
  return `${merchant_id} ${id}`
}

/**
 * How long a cached row is valid after it was read, or after it is known that no message about it was
 * missed. It bounds the life of a revoked credential in a process that receives no messages any more.
 */
const max_age_ms = 1000
const max_entries = 20_000

/** Credential rows, read once and cached until a message says that they have ended. */
export interface CachedCredentials<T> {
  load(merchant_id: string, id: string): Promise<T | null>
  /** The row by its name, when it is cached and valid; undefined: it has to be loaded. */
  peek(name: string): T | null | undefined
  forget(merchant_id: string, id: string): void
}

interface Loaded<T> {
  row: Promise<T | null>
  /** Once it is loaded. */
  value?: T | null
  at_ms: number
}

export function newCachedCredentials<T>(
  service: Service,
  read: (merchant_id: string, id: string) => Promise<T | null>,
): CachedCredentials<T> {
  const loaded = new Map<string, Loaded<T>>()
  service.signals.on('revoked', (name) => {
    if (name === '') loaded.clear()
    else loaded.delete(name)
  })

  function find(name: string): Loaded<T> | undefined {
    const found = loaded.get(name)
    if (!found) return undefined
    const known_at_ms = Math.max(found.at_ms, service.signals.heardUntil())
    return service.clock.monotonic() - known_at_ms < max_age_ms ? found : undefined
  }

  function load(merchant_id: string, id: string): Promise<T | null> {
    const name = credentialName(merchant_id, id)
    const found = find(name)
    if (found) return found.row
    const row = read(merchant_id, id)
    const entry: Loaded<T> = { row, at_ms: service.clock.monotonic() }
    row.then(
      (value) => {
        entry.value = value
      },
      () => loaded.delete(name),
    )
    remember(loaded, name, entry)
    return row
  }

  return {
    load,
    peek: (name) => find(name)?.value,
    forget: (merchant_id, id) => void loaded.delete(credentialName(merchant_id, id)),
  }
}

/** Keeps the newest entries; a Map iterates in insertion order. */
export function remember<T>(map: Map<string, T>, key: string, value: T): void {
  if (map.size >= max_entries && !map.has(key)) {
    const [oldest] = map.keys()
    if (oldest !== undefined) map.delete(oldest)
  }
  map.set(key, value)
}
