import type { Caller } from '../core/access/caller.ts'
import { mayRead, type RightName } from '../core/access/rights.ts'
import { namesOf } from '../core/table-names.ts'

/**
 * Every event of the service. `levels` says which webhooks may subscribe to it; an event without levels
 * is recorded and read with the feed, but is no webhook trigger. Its data is the resource that it is `about`,
 * and callers read it with the `right` of that resource.
 */
export const event_names = {
  token_created: { about: 'token', levels: ['store', 'merchant'], right: 'payments' },
  token_updated: { about: 'token', levels: ['store', 'merchant'], right: 'payments' },
  token_three_ds_updated: { about: 'token', levels: ['store', 'merchant'], right: 'payments' },
  token_cvv_auth_updated: { about: 'token', levels: ['store', 'merchant'], right: 'payments' },
  token_cvv_auth_check_updated: {
    about: 'token',
    levels: ['store', 'merchant'],
    right: 'payments',
  },
  token_replaced: { about: 'token', levels: ['store', 'merchant'], right: 'payments' },
  recurring_token_deleted: { about: 'token', levels: ['store', 'merchant'], right: 'payments' },
  charge_updated: { about: 'charge', levels: ['store', 'merchant'], right: 'payments' },
  charge_finished: { about: 'charge', levels: ['store', 'merchant'], right: 'payments' },
  refund_finished: { about: 'refund', levels: ['store', 'merchant'], right: 'payments' },
  cancel_finished: { about: 'cancel', levels: ['store', 'merchant'], right: 'payments' },
  customs_declaration_finished: {
    about: 'customs_declaration',
    levels: ['store', 'merchant'],
    right: 'payments',
  },
  bank_transfer_status_updated: {
    about: 'bank_transfer_status',
    levels: ['store', 'merchant'],
    right: 'payments',
  },
  dispute_created: { about: 'dispute', levels: ['store', 'merchant'], right: 'payments' },
  dispute_updated: { about: 'dispute', levels: ['store', 'merchant'], right: 'payments' },
  dispute_closed: { about: 'dispute', levels: ['store', 'merchant'], right: 'payments' },
  subscription_created: { about: 'subscription', levels: ['store', 'merchant'], right: 'payments' },
  subscription_payment: { about: 'subscription', levels: ['store', 'merchant'], right: 'payments' },
  subscription_failure: { about: 'subscription', levels: ['store', 'merchant'], right: 'payments' },
  subscription_canceled: {
    about: 'subscription',
    levels: ['store', 'merchant'],
    right: 'payments',
  },
  subscription_suspended: {
    about: 'subscription',
    levels: ['store', 'merchant'],
    right: 'payments',
  },
  subscription_completed: {
    about: 'subscription',
    levels: ['store', 'merchant'],
    right: 'payments',
  },
  checkout_completed: { about: 'checkout', levels: ['store', 'merchant'], right: 'payments' },
  checkout_expired: { about: 'checkout', levels: ['store', 'merchant'], right: 'payments' },
  checkout_attacked: { about: 'checkout_attack', levels: [], right: 'payments' },
  transfer_created: { about: 'transfer', levels: ['merchant'], right: 'settings' },
  transfer_updated: { about: 'transfer', levels: ['merchant'], right: 'settings' },
  transfer_finalized: { about: 'transfer', levels: ['merchant'], right: 'settings' },
  reconciliation_finished: { about: 'reconciliation', levels: ['merchant'], right: 'settings' },
  merchant_updated: { about: 'merchant', levels: [], right: 'settings' },
  store_created: { about: 'store', levels: [], right: 'settings' },
  store_updated: { about: 'store', levels: [], right: 'settings' },
  store_deleted: { about: 'store', levels: [], right: 'settings' },
  app_token_created: { about: 'app_token', levels: [], right: 'app_tokens' },
  app_token_updated: { about: 'app_token', levels: [], right: 'app_tokens' },
  app_token_deleted: { about: 'app_token', levels: [], right: 'app_tokens' },
  webhook_created: { about: 'webhook', levels: [], right: 'webhooks' },
  webhook_updated: { about: 'webhook', levels: [], right: 'webhooks' },
  webhook_deleted: { about: 'webhook', levels: [], right: 'webhooks' },
  webhook_disabled: { about: 'webhook', levels: [], right: 'webhooks' },
  webhook_ping: { about: 'webhook', levels: [], right: 'webhooks' },
  bank_account_created: { about: 'bank_account', levels: [], right: 'bank_accounts' },
  bank_account_updated: { about: 'bank_account', levels: [], right: 'bank_accounts' },
  bank_account_deleted: { about: 'bank_account', levels: [], right: 'bank_accounts' },
  user_created: { about: 'user', levels: [], right: 'users' },
  user_updated: { about: 'user', levels: [], right: 'users' },
  user_disabled: { about: 'user', levels: [], right: 'users' },
  user_locked: { about: 'user', levels: [], right: 'users' },
  password_changed: { about: 'user', levels: [], right: 'users' },
  totp_enabled: { about: 'user', levels: [], right: 'users' },
  totp_removed: { about: 'user', levels: [], right: 'users' },
} as const satisfies Record<
  string,
  { about: string; levels: readonly TriggerLevel[]; right: RightName }
>

export type TriggerLevel = 'store' | 'merchant'
export type EventName = keyof typeof event_names
export type EventSubject = (typeof event_names)[EventName]['about']

/** The events of a store. */
export type StoreEvent = {
  [Name in EventName]: 'store' extends (typeof event_names)[Name]['levels'][number] ? Name : never
}[EventName]

function isStoreEvent(name: string): name is StoreEvent {
  return event_names[name as EventName].levels.some((level) => level === 'store')
}

export const store_events = Object.keys(event_names).filter(isStoreEvent)

/** Some clients know a trigger under another spelling; it is stored as they wrote it. */
export const trigger_spellings = {
  token_three_d_s_updated: 'token_three_ds_updated',
} as const satisfies Record<string, EventName>
type Spelling = keyof typeof trigger_spellings

/** A name under which a webhook can subscribe to an event. */
export type Trigger =
  | Spelling
  | {
      [Name in EventName]: (typeof event_names)[Name]['levels'] extends readonly [] ? never : Name
    }[EventName]

/** The event that a trigger means, however it is spelled. */
export function eventOf(trigger: string): string {
  return (trigger_spellings as Readonly<Record<string, EventName>>)[trigger] ?? trigger
}

/** The triggers a webhook of one level may have, spellings included. */
export function triggersOf(level: TriggerLevel): Trigger[] {
  const allowed = (name: EventName) => event_names[name].levels.some((one) => one === level)
  const names = namesOf(event_names).filter(allowed) as Trigger[]
  const spellings = namesOf(trigger_spellings)
  return [...names, ...spellings.filter((one) => allowed(trigger_spellings[one]))]
}

/** The events that a caller may not read, because their role or session does not suffice for the resource. */
export function hiddenEvents(caller: Pick<Caller, 'user'>): EventName[] {
  const names = namesOf(event_names)
  return names.filter((name) => !mayRead(caller, event_names[name].right))
}
