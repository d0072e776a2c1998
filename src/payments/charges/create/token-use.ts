import { fail } from '../../../core/api/errors.ts'
import { noteHit } from '../../../core/limits/limit-hits.ts'
import { max_test_charges } from '../../../core/limits/limits.ts'
import { second_ms } from '../../../core/time/clock.ts'

/** Billing the same card and recurring token again within this time is a duplicate. */
export const too_quick_ms = 30 * second_ms

/** Why a token cannot be charged now. */
export type UseFault =
  | 'NOT_FOUND'
  | 'TRANSACTION_ALREADY_PROCESSED'
  | 'TRANSACTION_TOKEN_EXPIRED'
  | 'CHARGE_TOO_QUICK'
  | 'USAGE_LIMIT_REACHED'
  | 'RESOURCE_LIMIT_REACHED'

export function refuseUse(fault: UseFault): never {
  if (fault === 'NOT_FOUND') fail(fault, { message: 'There is no such transaction token.' })
  if (fault === 'RESOURCE_LIMIT_REACHED') {
    noteHit('test_charges')
    const message = `A merchant can make ${max_test_charges} test charges in a day.`
    fail(fault, { message })
  }
  if (fault !== 'CHARGE_TOO_QUICK') fail(fault)
  const message = 'This card was billed with this token less than 30 seconds ago.'
  fail(fault, { error: { code: 311, message } })
}

const once_fault = (at: string) => `case
      when t.uses > 0 then 'TRANSACTION_ALREADY_PROCESSED'
      when t.expires_on <= ${at} then 'TRANSACTION_TOKEN_EXPIRED' end`

/**
 * Why the token `t` cannot be used at an instant, or null: the only place where that is decided. A
 * recurring token must not have been used after `not_after`. A subscription takes its token once, and its
 * payments are made with what it has taken.
 */
export function tokenFault(
  at: string,
  not_after: string,
  taken_by: 'charge' | 'subscription' = 'charge',
): string {
  const for_subscription = taken_by === 'subscription'
  return `case
    when not t.active then 'NOT_FOUND'
    when t.type = 'one_time' then ${once_fault(at)}
    when t.type = 'subscription' then ${for_subscription ? once_fault(at) : 'null'}
    when t.last_used_on > ${not_after} then 'CHARGE_TOO_QUICK'
    when ${for_subscription} or t.usage_limit is null then null
    when t.usage_limit ~ '^[0-9]+$' then case
      when t.uses >= t.usage_limit::integer then 'USAGE_LIMIT_REACHED' end
    when t.last_used_on > ${at} - (case t.usage_limit
      when 'daily' then interval '1 day' when 'weekly' then interval '7 days'
      when 'monthly' then interval '1 month' else interval '1 year' end)
      then 'USAGE_LIMIT_REACHED' end`
}
