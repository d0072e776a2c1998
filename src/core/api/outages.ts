import { faultOf } from '../read-unknown.ts'
/** Why the service cannot work at this moment, although the request is valid. */
export type OutageReason =
  | 'disk_full'
  | 'read_only'
  | 'out_of_resources'
  | 'io_error'
  | 'restarting'
  | 'access_denied'
  | 'unreachable'
  | 'timed_out'
  | 'internal_error'

export interface Outage {
  readonly reason: OutageReason
  /** The end of a sentence about the part that failed; it contains no path, address or account. */
  readonly cause: string
}

type Rule = readonly [codes: RegExp, reason: OutageReason, cause: string]

/**
 * Codes of PostgreSQL (SQLSTATE) and of the operating system that mean "not now" instead of "wrong": a
 * request that meets one is answered with 503 and Retry-After, never with 500.
 */
const rules: readonly Rule[] = [
  [/^(53100|ENOSPC|EDQUOT)$/, 'disk_full', 'its disk is full'],
  [/^(25006|EROFS)$/, 'read_only', 'it allows reads only'],
  [
    /^(53...|EMFILE|ENFILE|ENOMEM|ENOBUFS|EAGAIN)$/,
    'out_of_resources',
    'memory, connections or open files are used up',
  ],
  [
    /^(58...|EIO|ENXIO|ENODEV|ESTALE|EISDIR|EEXIST|ELOOP|EFBIG|EBUSY)$/,
    'io_error',
    'its files cannot be used',
  ],
  [/^57P0.$/, 'restarting', 'it is starting or shutting down'],
  [/^(28...|3D000|EACCES|EPERM)$/, 'access_denied', 'access is denied'],
  // A statement, a lock or an open transaction took longer than allowed.
  [/^(57014|55P03|25P03|25P04)$/, 'timed_out', 'it takes too long'],
  [/^XX000$/, 'internal_error', 'it reports an internal error'],
  [
    /^(08...|ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN))$/,
    'unreachable',
    'it cannot be reached',
  ],
  // The folder of a socket or of key files is missing, or a name cannot be resolved at present.
  [/^(ENOENT|ENOTDIR|ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL)$/, 'unreachable', 'it cannot be reached'],
  // The certificate of the database has expired or is no longer trusted.
  [/^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS|EPROTO)/, 'unreachable', 'TLS fails'],
]

/** The database driver gives these errors no code. */
const lost_connections = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'not queryable',
  'Cannot use a pool',
  'Query read timeout',
]

/** The unavailable part, if the error says so; null: something else is wrong. */
export function outageOf(error: unknown): Outage | null {
  const { code, message = '' } = faultOf(error)
  if (typeof code !== 'string') {
    const is_lost = code === undefined && lost_connections.some((text) => message.includes(text))
    return is_lost ? { reason: 'unreachable', cause: 'it cannot be reached' } : null
  }
  const [, reason, cause] = rules.find(([codes]) => codes.test(code)) ?? []
  return reason && cause ? { reason, cause } : null
}

/** Whether the unavailable part is the file system, not the database. */
export function isFileError(error: unknown): boolean {
  const { code = '', syscall = '' } = faultOf(error)
  if (!/^E[A-Z]+$/.test(code) || /^(connect|getaddrinfo)$/.test(syscall)) return false
  return syscall !== '' && outageOf(error) !== null && !/^(ECONN|EPIPE|ETIMEDOUT)/.test(code)
}
