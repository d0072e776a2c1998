import type { Caller } from '../core/access/caller.ts'
import { mayRead, type RightName } from '../core/access/rights.ts'
import { namesOf } from '../core/table-names.ts'

/**
 * Every event of the service. `levels` says which webhooks may subscribe to it; an event without levels
 * is recorded and read with the feed, but is no webhook trigger. Callers read it with
 * `right`, the right of the resource that it is about.
 */
export const event_names = {
  token_created: { levels: ['store', 'merchant'], right: 'payments' },
  token_updated: { levels: ['store', 'merchant'], right: 'payments' },
  token_three_ds_updated: { levels: ['store', 'merchant'], right: 'payments' },
  token_cvv_auth_updated: { levels: ['store', 'merchant'], right: 'payments' },
  token_cvv_auth_check_updated: { levels: ['store', 'merchant'], right: 'payments' },
  token_replaced: { levels: ['store', 'merchant'], right: 'payments' },
  recurring_token_deleted: { levels: ['store', 'merchant'], right: 'payments' },
  charge_updated: { levels: ['store', 'merchant'], right: 'payments' },
  charge_finished: { levels: ['store', 'merchant'], right: 'payments' },
  refund_finished: { levels: ['store', 'merchant'], right: 'payments' },
  cancel_finished: { levels: ['store', 'merchant'], right: 'payments' },
  customs_declaration_finished: { levels: ['store', 'merchant'], right: 'payments' },
  bank_transfer_status_updated: { levels: ['store', 'merchant'], right: 'payments' },
  dispute_created: { levels: ['store', 'merchant'], right: 'payments' },
  dispute_updated: { levels: ['store', 'merchant'], right: 'payments' },
  dispute_closed: { levels: ['store', 'merchant'], right: 'payments' },
  subscription_created: { levels: ['store', 'merchant'], right: 'payments' },
  subscription_payment: { levels: ['store', 'merchant'], right: 'payments' },
  subscription_failure: { levels: ['store', 'merchant'], right: 'payments' },
  subscription_canceled: { levels: ['store', 'merchant'], right: 'payments' },
  subscription_suspended: { levels: ['store', 'merchant'], right: 'payments' },
  subscription_completed: { levels: ['store', 'merchant'], right: 'payments' },
  checkout_completed: { levels: ['store', 'merchant'], right: 'payments' },
  checkout_expired: { levels: ['store', 'merchant'], right: 'payments' },
  checkout_attacked: { levels: [], right: 'payments' },
  transfer_created: { levels: ['merchant'], right: 'settings' },
  transfer_updated: { levels: ['merchant'], right: 'settings' },
  transfer_finalized: { levels: ['merchant'], right: 'settings' },
  reconciliation_finished: { levels: ['merchant'], right: 'settings' },
  merchant_updated: { levels: [], right: 'settings' },
  store_created: { levels: [], right: 'settings' },
  store_updated: { levels: [], right: 'settings' },
  store_deleted: { levels: [], right: 'settings' },
  app_token_created: { levels: [], right: 'app_tokens' },
  app_token_updated: { levels: [], right: 'app_tokens' },
  app_token_deleted: { levels: [], right: 'app_tokens' },
  webhook_created: { levels: [], right: 'webhooks' },
  webhook_updated: { levels: [], right: 'webhooks' },
  webhook_deleted: { levels: [], right: 'webhooks' },
  webhook_disabled: { levels: [], right: 'webhooks' },
  webhook_ping: { levels: [], right: 'webhooks' },
  bank_account_created: { levels: [], right: 'bank_accounts' },
  bank_account_updated: { levels: [], right: 'bank_accounts' },
  bank_account_deleted: { levels: [], right: 'bank_accounts' },
  user_created: { levels: [], right: 'users' },
  user_updated: { levels: [], right: 'users' },
  user_disabled: { levels: [], right: 'users' },
  user_locked: { levels: [], right: 'users' },
  password_changed: { levels: [], right: 'users' },
  totp_enabled: { levels: [], right: 'users' },
  totp_removed: { levels: [], right: 'users' },
} as const satisfies Record<string, { levels: readonly TriggerLevel[]; right: RightName }>

export type TriggerLevel = 'store' | 'merchant'
export type EventName = keyof typeof event_names

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
