import { cvv_policy } from '../../core/limits/retry-policies.ts'
import { noteUnopened } from '../../methods/card/unopened-codes.ts'
import type { Service } from '../../service.ts'
import type { Token } from '../../store/tables/rows.ts'
import type { Recorded } from './run-operation.ts'

/** Puts the work off: another machine may have the key of the security code, and claim it then. */
export function retryElsewhere(
  service: Service,
  token: Pick<Token, 'merchant_id' | 'id'>,
): Recorded {
  noteUnopened(service, token, 'retried')
  const { look_again_ms: ask_again_ms } = cvv_policy
  return { outcome: { outcome: 'unknown', ask_again_ms }, record: null }
}
