import { namesOf } from '../table-names.ts'

type Machine = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * Every lifecycle, one table each: state -> action -> next state. Actions that are not listed are
 * refused.
 */
export const machines = {
  charge: {
    pending: {
      capture: 'successful',
      authorize: 'authorized',
      ask_customer: 'awaiting',
      reject: 'failed',
      fail_technically: 'error',
    },
    awaiting: {
      capture: 'successful',
      authorize: 'authorized',
      reject: 'failed',
      fail_technically: 'error',
      cancel: 'canceled',
    },
    authorized: { capture: 'successful', cancel: 'canceled', reject: 'failed' },
    successful: {},
    failed: {},
    error: {},
    canceled: {},
  },
  refund: {
    pending: { settle: 'successful', reject: 'failed', fail_technically: 'error' },
    successful: {},
    failed: {},
    error: {},
  },
  cancel: {
    pending: { settle: 'successful', reject: 'failed', fail_technically: 'error' },
    successful: {},
    failed: {},
    error: {},
  },
  customs_declaration: {
    pending: { settle: 'successful', reject: 'failed', fail_technically: 'error' },
    successful: { update: 'pending' },
    failed: { resubmit: 'pending' },
    error: { resubmit: 'pending' },
  },
  subscription: {
    unverified: {
      hold: 'authorized',
      pay: 'current',
      fail: 'unconfirmed',
      suspend: 'suspended',
      complete: 'completed',
      cancel: 'canceled',
    },
    unconfirmed: { restart: 'unverified', cancel: 'canceled' },
    authorized: {
      pay: 'current',
      fail: 'unconfirmed',
      complete: 'completed',
      cancel: 'canceled',
    },
    current: { miss: 'unpaid', suspend: 'suspended', complete: 'completed', cancel: 'canceled' },
    unpaid: { pay: 'current', suspend: 'suspended', complete: 'completed', cancel: 'canceled' },
    suspended: { resume: 'unpaid', pay: 'current', cancel: 'canceled' },
    canceled: {},
    completed: {},
  },
  deposit: {
    held: { apply: 'applied', send_back: 'returning' },
    applied: {},
    returning: { settle: 'returned', reject: 'unreturned' },
    returned: {},
    unreturned: {},
  },
  transfer: {
    created: { approve: 'approved', cancel: 'canceled' },
    approved: { process: 'processing', cancel: 'canceled' },
    processing: { pay: 'paid', fail: 'failed' },
    paid: {},
    failed: {},
    canceled: {},
  },
  checkout_session: {
    open: { start: 'processing', expire: 'expired', cancel: 'canceled' },
    processing: { complete: 'completed', try_again: 'open', expire: 'expired' },
    completed: {},
    expired: {},
    canceled: {},
  },
  dispute: {
    needs_response: { submit: 'under_review', accept: 'accepted', win: 'won', lose: 'lost' },
    under_review: { win: 'won', lose: 'lost' },
    won: {},
    lost: {},
    accepted: {},
  },
} as const satisfies Record<string, Machine>

export type MachineName = keyof typeof machines
export type StateOf<Name extends MachineName> = keyof (typeof machines)[Name] & string

type ActionOf<Name extends MachineName> = {
  [State in StateOf<Name>]: keyof (typeof machines)[Name][State]
}[StateOf<Name>] &
  string

/** The state that an action leads to, or null when it is not allowed in this state. */
export function nextState<Name extends MachineName>(
  name: Name,
  state: StateOf<Name>,
  action: ActionOf<Name>,
): StateOf<Name> | null {
  const states: Machine = machines[name]
  const actions = states[state] ?? {}
  return Object.hasOwn(actions, action) ? ((actions[action] ?? null) as StateOf<Name>) : null
}

export function statesOf<Name extends MachineName>(name: Name): StateOf<Name>[] {
  return namesOf(machines[name])
}
