import { namesOf } from '../table-names.ts'
import type { Caller, UserCaller } from './caller.ts'
import type { Role } from './users.ts'

/** `test`: everything is read, and changed in test mode only. */
export type RightLevel = 'none' | 'read' | 'test' | 'write'

interface Right {
  readonly levels: Readonly<Record<Role, RightLevel>>
  /** A right without a mode affects live mode too: a password alone does not suffice. */
  readonly second_factor?: 'changes' | 'always'
  /** Application tokens may not read it, whatever they name. */
  readonly users_only?: true
  /** The console asks a code or the password for changes again. */
  readonly confirms_changes?: true
}

const everybody = { owner: 'write', developer: 'write', staff: 'write', viewer: 'write' } as const
const only_owners = { owner: 'write', developer: 'none', staff: 'none', viewer: 'none' } as const
const developers = { owner: 'write', developer: 'write', staff: 'none', viewer: 'none' } as const

/** The permissions of a role. Every route and every event names one of these. */
export const rights = {
  own: { levels: everybody, users_only: true },
  // Not by role: the route itself asks for an operator.
  operator: { levels: everybody, users_only: true, confirms_changes: true },
  users: {
    levels: only_owners,
    second_factor: 'changes',
    users_only: true,
    confirms_changes: true,
  },
  audit: { levels: only_owners, users_only: true },
  // They show credentials of the merchant's own server, and what was sent in both modes.
  webhooks: { levels: developers, second_factor: 'always' },
  requests: { levels: developers },
  app_tokens: { levels: developers, second_factor: 'changes', confirms_changes: true },
  bank_accounts: {
    levels: { owner: 'write', developer: 'none', staff: 'read', viewer: 'read' },
    second_factor: 'always',
    confirms_changes: true,
  },
  test: { levels: { owner: 'write', developer: 'write', staff: 'write', viewer: 'read' } },
  payments: { levels: { owner: 'write', developer: 'test', staff: 'write', viewer: 'read' } },
  settings: {
    levels: { owner: 'write', developer: 'read', staff: 'read', viewer: 'read' },
    second_factor: 'changes',
    confirms_changes: true,
  },
} as const satisfies Record<string, Right>
export type RightName = keyof typeof rights

export const right_names = namesOf(rights)

export const rightOf = (name: RightName): Right => rights[name]

/** The right that a call needs, as its route declares it. */
export interface RouteRight {
  readonly area: RightName
  readonly reads: boolean
  readonly needs_second_factor: boolean
  /** The operations that the console has to confirm; `amount`: only above the limit. */
  readonly confirm: 'always' | 'amount' | null
}

/** The right of a route, and how it differs from what its right says. */
export interface GivenRight {
  readonly right: RightName
  /** A POST that changes nothing. */
  readonly computes?: true | undefined
  /** The operations that the console confirms by a code or the password; otherwise the right decides. */
  readonly confirm?: 'always' | 'amount' | undefined
  /** The content of the request decides whether a second factor is needed: the handler asks for it. */
  readonly second_factor?: 'in_handler' | undefined
}

export function routeRight(method: string, given: GivenRight): RouteRight {
  const { right: area, confirm, second_factor: decided } = given
  const { second_factor, confirms_changes } = rightOf(area)
  const reads = method === 'GET' || given.computes === true
  return {
    area,
    reads,
    needs_second_factor:
      second_factor === 'always' || (second_factor === 'changes' && !reads && !decided),
    confirm: confirm ?? (confirms_changes && !reads ? 'always' : null),
  }
}

function mayUserRead(name: RightName, { role, second_factor }: UserCaller): boolean {
  const right = rightOf(name)
  if (right.second_factor === 'always' && !second_factor) return false
  return right.levels[role] !== 'none'
}

/** Whether a caller may read what a right is about, wherever it is shown: also in an event or a timeline. */
export function mayRead({ user }: Pick<Caller, 'user'>, name: RightName): boolean {
  return user ? mayUserRead(name, user) : !rightOf(name).users_only
}
