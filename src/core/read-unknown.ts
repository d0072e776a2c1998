/** Caught, received and parsed values have no type: these functions read them safely. */

/** An object whose fields are not known. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** The fields of a value; of one that is no object: none. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

/** The same for a reader that names the fields it expects, each of which may be missing. */
export function objectOf(value: unknown): object {
  return isRecord(value) ? value : {}
}

/**
 * The details of errors of this program, of Node, of the database and of the driver, as far as each has
 * them.
 */
export interface Fault {
  readonly name?: string
  readonly message?: string
  readonly stack?: string
  readonly code?: string
  readonly syscall?: string
  /** The constraint that a statement violated. */
  readonly constraint?: string
  readonly cause?: unknown
  /** The errors of all attempts. */
  readonly errors?: readonly unknown[]
}

/** The message of a thrown value. */
export function faultOf(error: unknown): Fault {
  return objectOf(error)
}

/** A thrown value as an error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
