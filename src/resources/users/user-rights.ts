import type { Caller, Mode, UserCaller } from '../../core/caller.ts'
import { fail } from '../../core/errors.ts'
import type { Role } from '../../core/users.ts'

/** `test`: everything is read, and changed in test mode only. */
type Level = 'none' | 'read' | 'test' | 'write'

interface Area {
  readonly routes: RegExp
  readonly levels: Readonly<Record<Role, Level>>
  /** What has no mode affects live mode too: a password alone does not suffice. */
  readonly second_factor?: 'changes' | 'always'
  /** What the console asks a code or the password for again. */
  readonly confirm?: 'changes' | 'amount' | RegExp
}

const everybody = { owner: 'write', developer: 'write', staff: 'write', viewer: 'write' } as const
const only_owners = { owner: 'write', developer: 'none', staff: 'none', viewer: 'none' } as const
const developers = { owner: 'write', developer: 'write', staff: 'none', viewer: 'none' } as const

const payment_routes = new RegExp(
  '/(charges|refunds|cancels|subscriptions|tokens|create_customer_id' +
    '|checkout_sessions|payment_links|disputes)(/|$)',
)

/**
 * The parts of the API, each with what a role may do there. The first one whose routes match a route
 * decides; everything that is not listed belongs to the last.
 */
export const areas = {
  own: {
    routes: /^\/(logout$|console\/session(\/|$)|me\/(user|password|totp|sessions|views)(\/|$))/,
    levels: everybody,
  },
  // Not by role: the route itself asks for an operator.
  operator: { routes: /^\/operator\//, levels: everybody, confirm: 'changes' },
  users: {
    routes: /^\/users(\/|$)/,
    levels: only_owners,
    second_factor: 'changes',
    confirm: 'changes',
  },
  audit: { routes: /^\/audit_log$/, levels: only_owners },
  // They show credentials of the merchant's own server, and what was sent in both modes.
  webhooks: {
    routes: /\/(webhooks|deliveries)(\/|$)/,
    levels: developers,
    second_factor: 'always',
    confirm: /\/secret$/,
  },
  requests: { routes: /^\/requests(\/|$)/, levels: developers },
  app_tokens: {
    routes: /\/app_(jwts|tokens)(\/|$)/,
    levels: developers,
    second_factor: 'changes',
    confirm: 'changes',
  },
  bank_accounts: {
    routes: /^\/(bank_accounts|verification)(\/|$)/,
    levels: { owner: 'write', developer: 'none', staff: 'read', viewer: 'read' },
    second_factor: 'always',
    confirm: 'changes',
  },
  test: {
    routes: /^\/test\//,
    levels: { owner: 'write', developer: 'write', staff: 'write', viewer: 'read' },
  },
  payments: {
    routes: payment_routes,
    levels: { owner: 'write', developer: 'test', staff: 'write', viewer: 'read' },
    confirm: 'amount',
  },
  settings: {
    routes: /^/,
    levels: { owner: 'write', developer: 'read', staff: 'read', viewer: 'read' },
    second_factor: 'changes',
    confirm: 'changes',
  },
} as const satisfies Record<string, Area>
export type AreaName = keyof typeof areas

/** The mode of the token is in the body: the route checks it. */
const store_tokens = '/stores/:store_id/app_jwts'
/** A POST that only computes. */
const computes = /\/(simulate_plan|exchange_rates\/calculate)$/
/** Changes of payments that move money, or release it. */
const moves_money = /\/(refunds|cancels|capture)$/

interface Right {
  readonly area: AreaName
  readonly reads: boolean
  readonly needs_second_factor: boolean
  /** What the console has to confirm; `amount`: only above the limit. */
  readonly confirm: 'always' | 'amount' | null
}

/** The right that a call needs. */
export function rightFor(method: string, pattern: string): Right {
  const reads = method === 'GET' || method === 'HEAD' || computes.test(pattern)
  const names = Object.keys(areas) as AreaName[]
  const area = names.find((name) => areas[name].routes.test(pattern)) ?? 'settings'
  const { second_factor }: Area = areas[area]
  const is_store_token = method === 'POST' && pattern === store_tokens
  const needs_second_factor =
    second_factor === 'always' || (second_factor === 'changes' && !reads && !is_store_token)
  return {
    area,
    reads,
    needs_second_factor,
    confirm: confirmationFor(area, reads, method, pattern),
  }
}

function confirmationFor(
  area: AreaName,
  reads: boolean,
  method: string,
  pattern: string,
): Right['confirm'] {
  const { confirm }: Area = areas[area]
  if (confirm instanceof RegExp) return confirm.test(pattern) ? 'always' : null
  if (reads || confirm === undefined) return null
  if (confirm === 'changes') return 'always'
  return method === 'POST' && moves_money.test(pattern) ? 'amount' : null
}

/** Whether a route is about things that are separated by mode: then test mode has its own time. */
export function hasMode(method: string, pattern: string): boolean {
  const { area, reads } = rightFor(method, pattern)
  const { second_factor }: Area = areas[area]
  return second_factor === undefined || (second_factor === 'changes' && reads)
}

function mayDo(level: Level, reads: boolean, mode: Mode | null): boolean {
  if (level === 'none') return false
  return reads || level === 'write' || (level === 'test' && mode === 'test')
}

/** Refuses a user whose role or session does not suffice for a route. */
export function requireUserRight(
  user: UserCaller,
  mode: Mode | null,
  method: string,
  pattern: string,
): void {
  const { area, reads, needs_second_factor } = rightFor(method, pattern)
  const level: Level = areas[area].levels[user.role]
  if (!mayDo(level, reads, mode)) {
    fail('INVALID_PERMISSIONS', { message: refusalText(user.role, level) })
  }
  if (needs_second_factor && !user.second_factor) requireSecondFactor()
}

function refusalText(role: Role, level: Level): string {
  if (level === 'test') return `A user with the role ${role} may do that in test mode only.`
  return `A user with the role ${role} may not do that. Ask an owner.`
}

/** What a session may do in its mode, as `area:read` and `area:write`. */
export function rightsOf({ user, mode }: Caller): string[] {
  if (!user) return []
  const names = (Object.keys(areas) as AreaName[]).filter(
    (name) => name !== 'operator' || (user.is_operator && user.second_factor),
  )
  return names.flatMap((name) => {
    const { levels, second_factor }: Area = areas[name]
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
