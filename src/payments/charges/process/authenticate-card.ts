import { returnUrl } from '../../../api/hosted-links.ts'
import { compatibilityOf } from '../../../api/responses/compatibility.ts'
import type { CallLimit, Outcome } from '../../../providers/provider.ts'
import type { ChargeAttempt, Service } from '../../../service.ts'
import { guarded } from '../../provider-calls/guard-call.ts'
import type { OperationRecord } from '../../provider-calls/record-operations.ts'
import {
  type Call,
  nothing_taken,
  type Recorded,
  refusedUncalled,
} from '../../provider-calls/run-operation.ts'
import type { Token } from '../../tokens/token.ts'
import type { Charge } from '../charge.ts'
import { references } from './charge-operations.ts'
import { pageIdOf } from './page-id.ts'
import type { Opened, Passed } from './step.ts'

/** Results of an authentication elsewhere that say it was the cardholder, or was tried. */
const authenticated_elsewhere = ['Y', 'A']

/**
 * Authenticates the cardholder before the authorization. A token that is already authenticated is
 * skipped, unless the charge demands it.
 */
export function authenticationOf(
  service: Service,
  { provider, row: charge }: ChargeAttempt,
  { instrument, token, credentials }: Opened,
): Passed | Recorded | { readonly call: Call } {
  if (instrument.kind !== 'card') return { three_ds: null }
  if (charge.external_three_ds) return externalResult(charge.external_three_ds)
  if (charge.three_ds_result) return { three_ds: charge.three_ds_result }
  const mode = modeOf(service, charge, token)
  if (mode === null) return { three_ds: token.authentication?.result ?? null }
  const reference = references.authenticate(charge)
  const { merchant_id, store_id, provider_amount } = charge
  const operation = {
    merchant_id,
    store_id,
    mode: charge.mode,
    reference,
    charge_id: charge.id,
    amount: provider_amount,
    currency: charge.provider_currency,
    credentials,
    card: instrument,
    force: mode === 'force',
    returnUrl: () => returnUrl(service, { merchant_id, page_id: pageIdOf(service, charge) }),
  }
  const send = guarded(service, provider.name, 'authenticate', charge, (limit: CallLimit) =>
    provider.authenticate(operation, limit),
  )
  const with_row = { may_be_sent: charge.claims > 1 }
  return { call: { kind: 'authenticate', operation, taken: nothing_taken, send, with_row } }
}

/** Without its record only a line of the history is lost: repeated, it is inquired by our name. */
export function passedWith(
  outcome: Extract<Outcome, { outcome: 'approved' }>,
  record: OperationRecord,
): Passed {
  const { three_ds = null, is_uncalled = false } = outcome
  return is_uncalled ? { three_ds } : { three_ds, record }
}

/** The shop's own authentication, done elsewhere. */
function externalResult(external: Readonly<Record<string, string>>): Passed | Recorded {
  const { transaction_status = '', eci = '', authentication_value = '' } = external
  if (!authenticated_elsewhere.includes(transaction_status.toUpperCase())) {
    return refusedUncalled(359, `The external authentication ended with ${transaction_status}.`)
  }
  const { ds_transaction_id: transaction_id = '', message_version: version = '' } = external
  return { three_ds: { eci, authentication_value, transaction_id, version } }
}

function modeOf({ config }: Service, charge: Charge, { three_ds }: Token): 'ask' | 'force' | null {
  const { status, payment_type, type, three_ds: wanted } = charge
  if (status !== 'pending' || payment_type !== 'card' || type !== 'normal') return null
  switch (wanted?.mode) {
    case 'skip':
    case undefined:
      return null
    case 'force':
      return 'force'
    case 'require':
      return compatibilityOf(config).always_challenges ? 'force' : 'ask'
    default:
      return three_ds.status === 'successful' ? null : 'ask'
  }
}
