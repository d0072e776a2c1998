import type { Caller, Mode, UserCaller } from '../../core/caller.ts'
import { fail } from '../../core/errors.ts'
import { type RightLevel, type RightName, right_names, rightOf } from '../../core/rights.ts'
import type { Role } from '../../core/users.ts'

interface Area {
  readonly routes: RegExp
  /** What the console asks a code or the password for again. */
  readonly confirm?: 'changes' | 'amount' | RegExp
}

const payment_routes = new RegExp(
  '/(charges|refunds|cancels|subscriptions|tokens|create_customer_id' +
    '|checkout_sessions|payment_links|disputes)(/|$)',
)
const setting_routes = new RegExp(
  '^/(me|stores|transaction_history|customers|deposits|ledgers|ledger_balances|ledger_entries|checkout_info' +
    '|exchange_rates|events|activity|attention|exports|transfers|routing)(/|$)',
)

/** The routes of each right. The first one whose routes match a route decides. */
const areas = {
  own: {
    routes: /^\/(logout$|console\/session(\/|$)|me\/(user|password|totp|sessions|views)(\/|$))/,
  },
  operator: { routes: /^\/operator\//, confirm: 'changes' },
  users: { routes: /^\/users(\/|$)/, confirm: 'changes' },
  audit: { routes: /^\/audit_log$/ },
  webhooks: { routes: /\/(webhooks|deliveries)(\/|$)/, confirm: /\/secret$/ },
  requests: { routes: /^\/requests(\/|$)/ },
  app_tokens: { routes: /\/app_(jwts|tokens)(\/|$)/, confirm: 'changes' },
  bank_accounts: { routes: /^\/(bank_accounts|verification)(\/|$)/, confirm: 'changes' },
  test: { routes: /^\/test\// },
  payments: { routes: payment_routes, confirm: 'amount' },
  settings: { routes: setting_routes, confirm: 'changes' },
} as const satisfies Record<RightName, Area>

/** The expression that finds the paths of a right, also where the database compares them. */
export const routesOf = (name: RightName): RegExp => areas[name].routes

/** The mode of the token is in the body: the route checks it. */
const store_tokens = '/stores/:store_id/app_jwts'
/** A POST that only computes. */
const computes = /\/(simulate_plan|exchange_rates\/calculate)$/
/** Changes of payments that move money, or release it. */
const moves_money = /\/(refunds|cancels|capture)$/

interface RouteRight {
  readonly area: RightName
  readonly reads: boolean
  readonly needs_second_factor: boolean
  /** What the console has to confirm; `amount`: only above the limit. */
  readonly confirm: 'always' | 'amount' | null
}

/** The right that a call needs. A route without one is refused when it is registered. */
export function rightFor(method: string, pattern: string): RouteRight {
  return findRight(method, pattern) ?? fault(`${method} ${pattern} belongs to no right.`)
}

function fault(message: string): never {
  throw new Error(message)
}

export function findRight(method: string, pattern: string): RouteRight | null {
  const reads = method === 'GET' || method === 'HEAD' || computes.test(pattern)
  const area = right_names.find((name) => areas[name].routes.test(pattern))
  if (!area) return null
  const { second_factor } = rightOf(area)
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
  area: RightName,
  reads: boolean,
  method: string,
  pattern: string,
): RouteRight['confirm'] {
  const { confirm }: Area = areas[area]
  if (confirm instanceof RegExp) return confirm.test(pattern) ? 'always' : null
  if (reads || confirm === undefined) return null
  if (confirm === 'changes') return 'always'
  return method === 'POST' && moves_money.test(pattern) ? 'amount' : null
}

/** Whether a route is about things that are separated by mode: then test mode has its own time. */
export function hasMode(method: string, pattern: string): boolean {
  const { area, reads } = rightFor(method, pattern)
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
  method: string,
  pattern: string,
): void {
  const { area, reads, needs_second_factor } = rightFor(method, pattern)
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

/** What a session may do in its mode, as `area:read` and `area:write`. */
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
