import { day_ms } from '../../../core/time/clock.ts'
import { isoTimeAt } from '../../../core/time/iso-time.ts'
import type { Service } from '../../../service.ts'
import { storeRules } from '../../store-rules/store-rules.ts'
import { tokenReader } from '../../tokens/token.ts'
import type { Charge } from '../charge.ts'
import { timeShiftOf } from '../create/charge-fields.ts'

/**
 * The payment deadline of a charge: in the zone of the time shift that decided it, in UTC otherwise. A
 * store may have another shift by now, so only one whose time of day the expiry has is taken for it.
 */
export async function showExpiry(service: Service, charge: Charge): Promise<string | null> {
  const { expires_on, match_amount, capture_at, merchant_id, store_id } = charge
  if (!expires_on || !match_amount || capture_at) return expires_on && isoTimeAt(expires_on, 0)
  const id = charge.transaction_token_id
  const token = await tokenReader(service.db)({ merchant_id, id })
  const rules = await storeRules(service, merchant_id, store_id, true)
  const shift = token && timeShiftOf(token, rules)
  if (!shift) return isoTimeAt(expires_on, 0)
  const local_ms = expires_on.getTime() + shift.offset_ms
  const is_shifted = ((local_ms % day_ms) + day_ms) % day_ms === shift.ms_of_day
  return isoTimeAt(expires_on, is_shifted ? shift.offset_ms : 0)
}
