import { deleteStoreAppTokens } from './accounts/app-tokens/delete-app-token.ts'
import { checkout_effect } from './commerce/checkout/follow-checkout-charge.ts'
import { postArrivedDeposits } from './commerce/deposits/post-arrived-deposits.ts'
import { deposits_effect } from './commerce/deposits/send-back.ts'
import { subscription_effect } from './commerce/subscriptions/cycles/follow-charge.ts'
import { payers } from './commerce/subscriptions/cycles/suspend-subscriptions.ts'
import { checkCard } from './payments/charges/create/check-card.ts'
import {
  card_purge,
  charge_event,
  customer_instructions,
} from './payments/charges/settle/charge-effects.ts'
import { cvv_effect } from './payments/tokens/verify/cvv-authorization.ts'
import type { Effects } from './service.ts'

/**
 * The effects of a payment in folders above its own. The effects of a charge are in the order in which they
 * lock rows: the subscription before the token, as everywhere.
 */
export const effects: Effects = {
  charge: [
    subscription_effect,
    customer_instructions,
    card_purge,
    cvv_effect,
    deposits_effect,
    charge_event,
    checkout_effect,
  ],
  postDeposits: postArrivedDeposits,
  checkCard,
  endStore: deleteStoreAppTokens,
  payers,
}
