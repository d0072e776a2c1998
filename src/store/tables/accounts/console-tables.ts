import type { Mode } from '../../../core/access/caller.ts'
import type { JsonColumn, NullableJson } from '../column-kinds.ts'

export interface ActivityHourTable {
  merchant_id: string
  mode: Mode
  hour: Date
  store_id: string
  currency: string
  payment_type: string
  brand: string
  outcome: 'successful' | 'failed' | 'canceled' | 'refunded'
  reason: number
  count: number
  amount: number
}

export interface ActivityPositionTable {
  id: number
  position: number
}

export interface CustomerTable {
  merchant_id: string
  id: string
  mode: Mode
  identity: string
  customer_id: string | null
  email: string | null
  name: string | null
  created_on: Date
}

/** The faults of a refused request: codes and names of fields, never values. */
export interface LoggedError {
  code: string
  errors: { field: string; reason: string }[]
}

export interface RequestLogTable {
  merchant_id: string
  id: string
  request_id: string
  store_id: string | null
  mode: Mode | null
  token_id: string
  is_user: boolean
  method: string
  operation: string | null
  path: string
  status: number
  duration_ms: number
  idempotency_key: string | null
  resource_id: string | null
  error: NullableJson<LoggedError>
  ahead_ms: number
}

export interface QueueSampleTable {
  sampled_on: Date
  queue: string
  due: number
  waited_ms: number
}

export interface SavedViewTable {
  merchant_id: string
  id: string
  user_id: string
  name: string
  list: string
  filters: JsonColumn<Record<string, unknown>>
  columns: string[]
  created_on: Date
  updated_on: Date
}
