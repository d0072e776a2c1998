import type { ColumnType } from 'kysely'
import type { Mode } from '../../../core/access/caller.ts'

type JsonColumn<T> = ColumnType<T, string, string>
type Defaulted<T> = ColumnType<T, T | undefined, T>

export interface WebhookTable {
  merchant_id: string
  id: string
  store_id: string | null
  url: string
  triggers: string[]
  auth_token: Buffer | null
  active: boolean
  secret: Buffer | null
  previous_secret: Buffer | null
  previous_secret_until: Date | null
  disabled_reason: string | null
  disabled_on: Date | null
  created_on: Date
  updated_on: Date
  deleted_on: Date | null
}

export interface EventTable {
  merchant_id: string
  id: string
  store_id: string | null
  mode: Mode | null
  name: string
  resource_id: string
  sequence: number
  data: JsonColumn<unknown>
  created_on: Date
}

export interface EventQueueTable {
  merchant_ids: string[]
  event_ids: string[]
  arrival: ColumnType<number, never, never>
}

export interface EventFeedTable {
  merchant_id: string
  position: number
  event_id: string
  store_id: string | null
  mode: Mode | null
  name: string
}

export interface EventFeedEndTable {
  id: Defaulted<number>
  position: number
  floor: Defaulted<number>
  next_floor: Defaulted<number>
  next_floor_from: Defaulted<string>
}

export interface EventRetentionTable {
  id: Defaulted<number>
  kept_from: Defaulted<string>
  kept_since: Defaulted<Date>
  max_sequence: Defaulted<number>
}

export interface WebhookLaneTable {
  merchant_id: string
  id: string
  webhook_id: string
  mode: Mode
  due_on: Date | null
  claims: Defaulted<number>
  sending: Defaulted<boolean>
  fresh_on: Date | null
  failures: Defaulted<number>
  rests_until: Date | null
}

/** A stored delivery attempt. */
export interface StoredAttempt {
  fired_on: string
  duration_ms: number
  status: number | null
  error: string | null
  answer: string | null
}

export interface WebhookDeliveryTable {
  merchant_id: string
  webhook_id: string
  event_id: string
  mode: Mode
  position: number
  resource_id: string
  trigger: string
  next_on: Date | null
  delivered_on: Date | null
  round_on: Date
  attempts: Defaulted<number>
  tries: Defaulted<StoredAttempt[]>
  created_on: Date
}

/** The past events that are sent again. */
export interface ReplayFilter {
  from: string | null
  to: string | null
  triggers: string[]
  resource_id: string | null
  which: 'all' | 'not_delivered' | 'failed'
  /** The last feed position that it covers: the end of the feed when it began. */
  up_to: number | null
}

export interface WebhookReplayTable {
  merchant_id: string
  id: string
  webhook_id: string
  mode: Mode | null
  filter: JsonColumn<ReplayFilter>
  url: string | null
  total: number
  queued: Defaulted<number>
  delivered: Defaulted<number>
  failed: Defaulted<number>
  last_event_id: string | null
  created_on: Date
  finished_on: Date | null
  due_on: Date | null
  claims: Defaulted<number>
}
