import { methodDefaults } from '../../methods/method-table.ts'

/** How often a payment of a subscription is attempted, including the first attempt. */
export const default_payment_attempts = 5

const on = { enabled: true } as const
const off = { enabled: false } as const

/**
 * The values that apply where neither the store nor its merchant has set anything: every switch, and
 * the fallbacks of the rules. A test compares it with those rules.
 */
export const default_configuration = {
  ...methodDefaults(),
  recurring_token_configuration: { card_charge_cvv_confirmation: { ...off, threshold: [] } },
  subscription_configuration: {
    ...on,
    suspend_on_cancel: true,
    allow_merchant_amount_patch: true,
    allow_merchant_due_date_patch: true,
    failed_charges_to_cancel: default_payment_attempts,
  },
  subscription_plan_configuration: { ...on, fixed_cycle: true, fixed_cycle_amount: true },
  installments_configuration: {
    ...on,
    // The card company splits the payment; the service itself does not.
    only_with_processor: true,
    card_processor: { revolving: true, fixed_cycle: true },
  },
  checkout_configuration: { ec_email: off, ec_products: off, main_color: null },
} as const
