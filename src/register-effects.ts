import { deleteStoreAppTokens } from './resources/app-tokens/delete-app-token.ts'
import { checkCard } from './resources/charges/create/check-card.ts'
import {
  card_purge,
  charge_event,
  customer_instructions,
} from './resources/charges/settle/charge-effects.ts'
import { checkout_effect } from './resources/checkout/follow-checkout-charge.ts'
import { postArrivedDeposits } from './resources/deposits/post-arrived-deposits.ts'
import { deposits_effect } from './resources/deposits/send-back.ts'
import { subscription_effect } from './resources/subscriptions/follow-charge.ts'
import { payers } from './resources/subscriptions/suspend-subscriptions.ts'
import { cvv_effect } from './resources/tokens/verify/cvv-authorization.ts'
import type { Effects } from './service.ts'

/**
 * What a payment causes in folders above its own. The effects of a charge are in the order in which they lock
 * rows: the subscription before the token, as everywhere.
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
