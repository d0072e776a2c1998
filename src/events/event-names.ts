/**
 * Every event of the service. `levels` says which webhooks may subscribe to it; an event without levels
 * is recorded and read with the feed, but is no webhook trigger.
 */
export const event_names = {
  token_created: { levels: ['store', 'merchant'] },
  token_updated: { levels: ['store', 'merchant'] },
  token_three_ds_updated: { levels: ['store', 'merchant'] },
  token_cvv_auth_updated: { levels: ['store', 'merchant'] },
  token_cvv_auth_check_updated: { levels: ['store', 'merchant'] },
  token_replaced: { levels: ['store', 'merchant'] },
  recurring_token_deleted: { levels: ['store', 'merchant'] },
  charge_updated: { levels: ['store', 'merchant'] },
  charge_finished: { levels: ['store', 'merchant'] },
  refund_finished: { levels: ['store', 'merchant'] },
  cancel_finished: { levels: ['store', 'merchant'] },
  customs_declaration_finished: { levels: ['store', 'merchant'] },
  bank_transfer_status_updated: { levels: ['store', 'merchant'] },
  dispute_created: { levels: ['store', 'merchant'] },
  dispute_updated: { levels: ['store', 'merchant'] },
  dispute_closed: { levels: ['store', 'merchant'] },
  subscription_created: { levels: ['store', 'merchant'] },
  subscription_payment: { levels: ['store', 'merchant'] },
  subscription_failure: { levels: ['store', 'merchant'] },
  subscription_canceled: { levels: ['store', 'merchant'] },
  subscription_suspended: { levels: ['store', 'merchant'] },
  subscription_completed: { levels: ['store', 'merchant'] },
  checkout_completed: { levels: ['store', 'merchant'] },
  checkout_expired: { levels: ['store', 'merchant'] },
  checkout_attacked: { levels: [] },
  transfer_created: { levels: ['merchant'] },
  transfer_updated: { levels: ['merchant'] },
  transfer_finalized: { levels: ['merchant'] },
  reconciliation_finished: { levels: ['merchant'] },
  merchant_updated: { levels: [] },
  store_created: { levels: [] },
  store_updated: { levels: [] },
  store_deleted: { levels: [] },
  app_token_created: { levels: [] },
  app_token_updated: { levels: [] },
  app_token_deleted: { levels: [] },
  webhook_created: { levels: [] },
  webhook_updated: { levels: [] },
  webhook_deleted: { levels: [] },
  webhook_disabled: { levels: [] },
  webhook_ping: { levels: [] },
  bank_account_created: { levels: [] },
  bank_account_updated: { levels: [] },
  bank_account_deleted: { levels: [] },
  user_created: { levels: [] },
  user_updated: { levels: [] },
  user_disabled: { levels: [] },
  user_locked: { levels: [] },
  password_changed: { levels: [] },
  totp_enabled: { levels: [] },
  totp_removed: { levels: [] },
} as const satisfies Record<string, { levels: readonly TriggerLevel[] }>

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
  const names = (Object.keys(event_names) as EventName[]).filter(allowed) as Trigger[]
  const spellings = Object.keys(trigger_spellings) as Spelling[]
  return [...names, ...spellings.filter((one) => allowed(trigger_spellings[one]))]
}
