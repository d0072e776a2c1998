import { fail } from '../../../core/api/errors.ts'
import { newUnguessableId } from '../../../core/ids.ts'
import { chargeError } from '../../../core/payments/charge-errors.ts'
import { isNameIn } from '../../../core/table-names.ts'
import { readDuration } from '../../../core/time/durations.ts'
import { expiryOfCharge, matchAmountOf } from '../../../payments/charges/create/charge-fields.ts'
import { insertChargeAlone } from '../../../payments/charges/create/insert-charges.ts'
import {
  type CheckoutOrigin,
  newCharge,
  plain_charge,
} from '../../../payments/charges/create/new-charge.ts'
import { refuseUse, too_quick_ms } from '../../../payments/charges/create/token-use.ts'
import { transitionCharge } from '../../../payments/charges/settle/settle-charge.ts'
import { routeCharge } from '../../../payments/routing/route-charge.ts'
import { storeRules } from '../../../payments/store-rules/store-rules.ts'
import type { Token } from '../../../payments/tokens/token.ts'
import { now, type Transacting } from '../../../service.ts'
import type { ChargeThreeDs } from '../../../store/tables/tables.ts'
import { type Subscription, startsAtOnce } from '../subscription.ts'
import { updatePayment } from './follow-charge.ts'
import type { Payment } from './subscription-payment.ts'

/** Each charge has its own page. */
function freshThreeDs({ three_ds }: Subscription): ChargeThreeDs | null {
  if (!three_ds?.redirect_endpoint) return three_ds
  return { ...three_ds, redirect_id: newUnguessableId() }
}

/** Why a scheduled charge fails immediately: there is no request to refuse. */
const codes = {
  CHARGE_TOO_QUICK: 311,
  USAGE_LIMIT_REACHED: 336,
  RESOURCE_LIMIT_REACHED: 337,
} as const

/**
 * Creates the charge of one attempt of a payment, in the transaction that counts the attempt. The
 * number of the attempt is part of a unique key: whatever fails, an attempt is charged once. In a
 * request, an unusable token refuses the request; otherwise it fails the charge. A first payment that
 * is made immediately asks the cardholder where required; others are made without them.
 */
export async function chargePayment(
  tx: Transacting,
  subscription: Subscription,
  payment: Payment,
  token: Token,
  if_refused: 'refuse' | 'fail_charge',
  checkout: CheckoutOrigin | null = null,
): Promise<void> {
  const { merchant_id, store_id, currency, metadata } = subscription
  const rules = await storeRules(tx, merchant_id, store_id, true)
  const first = payment.number === 0
  const with_customer = first && startsAtOnce(subscription)
  const hold = first && subscription.first_charge_authorization_only
  const wait_ms = subscription.first_charge_capture_after
    ? readDuration(subscription.first_charge_capture_after)
    : null
  const wanted = {
    ...plain_charge,
    type: 'normal' as const,
    amount: payment.amount,
    currency,
    capture: !hold,
    capture_at: hold && wait_ms ? new Date(tx.clock.now() + wait_ms) : null,
    only_direct_currency: subscription.only_direct_currency,
    descriptor: subscription.descriptor,
    metadata,
    three_ds: with_customer ? freshThreeDs(subscription) : null,
    external_three_ds: with_customer ? subscription.external_three_ds : null,
    expires_on: expiryOfCharge(now(tx), {}, token, rules),
    match_amount: matchAmountOf(token, rules),
    subscription_id: subscription.id,
    payment_id: payment.id,
    payment_attempt: payment.attempts,
    checkout,
  }
  const charge = newCharge(tx, token, wanted, await routeCharge(tx, token, wanted))
  // Locked before the payment, as everywhere: a change of the subscription already holds its token.
  const fault = await insertChargeAlone(tx, charge, too_quick_ms)
  if (fault && if_refused === 'refuse') refuseUse(fault)
  if (fault) await insertChargeAlone(tx, charge, null)
  await updatePayment(tx, payment, {
    attempts: payment.attempts + 1,
    tries: payment.tries + 1,
    retry_date: null,
  })
  if (!fault) return
  const code = isNameIn(codes, fault) ? codes[fault] : 307
  const failed = await transitionCharge(tx, charge, { action: 'reject', error: chargeError(code) })
  if (!failed) fail('UNKNOWN_ERROR')
}
