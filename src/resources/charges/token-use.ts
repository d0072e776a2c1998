import { second_ms } from '../../core/clock.ts'
import { fail } from '../../core/errors.ts'
import { most_test_charges } from '../../core/limits.ts'
import { now, type Service, type Transacting } from '../../service.ts'
import { run } from '../../store/statement.ts'
import type { Token } from '../tokens/token.ts'

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
    const message = `A merchant can make ${most_test_charges} test charges in a day.`
    fail(fault, { message })
  }
  if (fault !== 'CHARGE_TOO_QUICK') fail(fault)
  const message = 'This card was billed with this token less than 30 seconds ago.'
  fail(fault, { error: { code: 311, message } })
}

/** Whether the token `t` may be used at an instant; recurring ones not if used after another. */
export function usableToken(at: string, not_after: string): string {
  return `t.active and case t.type
    when 'one_time' then t.uses = 0 and t.expires_on > ${at}
    when 'subscription' then true
    else (t.last_used_on is null or t.last_used_on <= ${not_after})
      and case
        when t.usage_limit is null then true
        when t.usage_limit ~ '^[0-9]+$' then t.uses < t.usage_limit::integer
        else t.last_used_on is null or t.last_used_on <= ${at} -
          (case t.usage_limit when 'daily' then interval '1 day' when 'weekly' then interval '7 days'
            when 'monthly' then interval '1 month' else interval '1 year' end)
      end
    end`
}

const use_token = `
  update transaction_tokens as t set uses = t.uses + 1, last_used_on = $3
  where t.merchant_id = $1 and t.id = $2 and ${usableToken('$3::timestamptz', '$4::timestamptz')}
  returning 1`

/**
 * Counts one use. Every rule about uses is in the statement that counts, so that of requests that
 * come at the same time exactly as many pass as may.
 */
export async function useToken(
  tx: Transacting,
  { merchant_id, id }: Token,
  wait_ms = too_quick_ms,
): Promise<boolean> {
  const at = now(tx)
  const not_after = new Date(at.getTime() - wait_ms)
  const rows = await run(tx.db, use_token, [merchant_id, id, at, not_after])
  return rows.length > 0
}

/** What the statement above found wrong. */
export async function tokenFault(
  service: Service,
  { merchant_id, id }: Token,
  wait_ms = too_quick_ms,
): Promise<UseFault> {
  const token = await service.db
    .selectFrom('transaction_tokens')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!token?.active) return 'NOT_FOUND'
  if (token.type === 'one_time') {
    return token.uses > 0 ? 'TRANSACTION_ALREADY_PROCESSED' : 'TRANSACTION_TOKEN_EXPIRED'
  }
  const since_ms = service.clock.now() - (token.last_used_on?.getTime() ?? 0)
  return since_ms < wait_ms ? 'CHARGE_TOO_QUICK' : 'USAGE_LIMIT_REACHED'
}
