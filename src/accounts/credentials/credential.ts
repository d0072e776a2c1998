import type { Caller } from '../../core/access/caller.ts'

/** The content of an Authorization header, not verified yet. */
export interface Credential {
  readonly secret: string | null
  readonly jwt: string
  /** A call that the user did not cause: it does not keep a session alive. */
  readonly in_background?: boolean
}

/** `<jwt>` has three parts, `<secret>.<jwt>` four; anything else is no credential. */
export function parseCredential(header: string): Credential | null {
  const [, value] = /^bearer ([\w.-]{1,4096})$/i.exec(header) ?? []
  const parts = value?.split('.') ?? []
  if (parts.some((part) => part === '')) return null
  if (parts.length === 3) return { secret: null, jwt: parts.join('.') }
  if (parts.length === 4) return { secret: parts[0] ?? null, jwt: parts.slice(1).join('.') }
  return null
}

/** Checks credentials. A verified credential is cached, so most requests cost no hash. */
export interface Verifier {
  /** Whether this exact header is in the cache of verified headers. */
  knows(header: string): boolean
  verify(header: string, credential: Credential): Promise<Caller>
}
