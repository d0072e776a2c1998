import { deposit_periods } from '../../core/payments/payment-methods.ts'
import { formatDuration } from '../../core/time/durations.ts'

/** How often a payment of a subscription is attempted, including the first attempt. */
export const default_payment_attempts = 5

const on = { enabled: true } as const
const off = { enabled: false } as const

/**
 * The values that apply where neither the store nor its merchant has set anything: every switch, and
 * the fallbacks of the rules. A test compares it with those rules.
 */
export const default_configuration = {
  card_configuration: {
    ...on,
    debit_enabled: true,
    prepaid_enabled: true,
    debit_authorization_enabled: true,
    prepaid_authorization_enabled: true,
    foreign_cards_allowed: true,
    fail_on_new_email: false,
    allow_empty_cvv: false,
    only_direct_currency: false,
    three_ds_required: false,
    three_ds_address_required: false,
    three_ds_phone_number_required: false,
    three_ds_skip_enabled: false,
    allow_direct_token_creation: true,
    forbidden_card_brands: [],
  },
  qr_scan_configuration: { ...on, forbidden_qr_scan_gateways: [] },
  qr_merchant_configuration: on,
  paidy_configuration: on,
  online_configuration: on,
  convenience_configuration: {
    ...on,
    expiration: formatDuration(deposit_periods.konbini.default_ms),
    expiration_time_shift: off,
  },
  bank_transfer_configuration: {
    ...on,
    match_amount: 'exact',
    expiration: formatDuration(deposit_periods.bank_transfer.default_ms),
    expiration_time_shift: off,
    automatic_extension_enabled: false,
    // The service sends no mails about bank transfers.
    remind_notification_enabled: false,
    charge_request_notification_enabled: false,
    charge_request_canceled_notification_enabled: false,
    charge_expired_notification_enabled: false,
    deposit_received_notification_enabled: false,
    deposit_insufficient_notification_enabled: false,
    deposit_exceeded_notification_enabled: false,
    extension_notification_enabled: false,
  },
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
