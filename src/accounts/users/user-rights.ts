import type { FastifyRequest } from 'fastify'
import type { Caller, Mode, UserCaller } from '../../core/access/caller.ts'
import { type RightLevel, type RouteRight, right_names, rightOf } from '../../core/access/rights.ts'
import type { Role } from '../../core/access/users.ts'
import { fail } from '../../core/api/errors.ts'

/** The right that the route of a call names. Only calls of users ask for it: a public route has none. */
export function rightOfCall({ routeOptions }: FastifyRequest): RouteRight {
  const { config, method, url } = routeOptions
  if (!config.right) throw new Error(`${method} ${url} names no right.`)
  return config.right
}

/** Whether a route is about things that are separated by mode: then test mode has its own time. */
export function hasMode({ area, reads }: RouteRight): boolean {
  const { second_factor } = rightOf(area)
  return second_factor === undefined || (second_factor === 'changes' && reads)
}

function mayDo(level: RightLevel, reads: boolean, mode: Mode | null): boolean {
  if (level === 'none') return false
  return reads || level === 'write' || (level === 'test' && mode === 'test')
}

/** Refuses a user whose role or session does not suffice for a route. */
export function requireUserRight(
  user: UserCaller,
  mode: Mode | null,
  { area, reads, needs_second_factor }: RouteRight,
): void {
  const level = rightOf(area).levels[user.role]
  if (!mayDo(level, reads, mode)) {
    fail('INVALID_PERMISSIONS', { message: refusalText(user.role, level) })
  }
  if (needs_second_factor && !user.second_factor) requireSecondFactor()
}

function refusalText(role: Role, level: RightLevel): string {
  if (level === 'test') return `A user with the role ${role} may do that in test mode only.`
  return `A user with the role ${role} may not do that. Ask an owner.`
}

/** The rights of a session in its mode, as `area:read` and `area:write`. */
export function rightsOf({ user, mode }: Caller): string[] {
  if (!user) return []
  const names = right_names.filter(
    (name) => name !== 'operator' || (user.is_operator && user.second_factor),
  )
  return names.flatMap((name) => {
    const { levels, second_factor } = rightOf(name)
    const may = (reads: boolean) =>
      mayDo(levels[user.role], reads, mode) &&
      (user.second_factor || !(second_factor === 'always' || (second_factor && !reads)))
    return [...(may(true) ? [`${name}:read`] : []), ...(may(false) ? [`${name}:write`] : [])]
  })
}

/** Live mode, and what affects it, needs more than a password. */
export function requireSecondFactor(): never {
  fail('INVALID_PERMISSIONS', {
    message: 'This needs an authenticator app: switch it on with POST /me/totp.',
  })
}

export function requireOperator({ user }: Caller): void {
  if (!user?.is_operator) {
    fail('INVALID_PERMISSIONS', { message: 'Only operators of this service may do that.' })
  }
  if (!user.second_factor) requireSecondFactor()
}
