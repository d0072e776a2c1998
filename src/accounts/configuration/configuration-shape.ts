import Type, { type Static } from 'typebox'
import { named } from '../../core/api/described-schemas.ts'
import { nullable } from '../../core/api/schemas.ts'
import {
  amounts,
  count,
  duration,
  flag,
  group,
  oneAmount,
  percent,
  text,
  texts,
  unused,
  without_effect,
} from '../../core/api/setting-values.ts'
import { payout_periods, week_days, weeks_of_month } from '../../core/money/payout-schedule.ts'
import { tableOf } from '../../core/table-names.ts'
import { methodGroups } from '../../methods/method-table.ts'
import { shop_contacts } from './shop-contacts.ts'

/** The settings of merchants and stores. At a store null means "inherited from the merchant". */

const notifications = group(
  'UserTransactionsConfiguration',
  {
    enabled: unused(),
    notify_customer: unused(),
    notify_on_test: unused(),
    notify_on_recurring_token_creation: unused(),
    notify_on_webhook_failure: unused(),
    notify_on_webhook_disabled: flag(
      'Whether the merchant receives an e-mail when the service deactivates a webhook. Default: true.',
    ),
    notify_on_subscriptions: unused(),
    notify_on_authorizations: unused(),
    notify_on_cancels: unused(),
    notify_on_convenience_expiry: unused(),
    notify_user_on_failed_transactions: unused(),
    notify_customer_on_failed_transactions: unused(),
  },
  'Mails about payments.',
)

const recurring_tokens = group(
  'RecurringTokenConfiguration',
  {
    recurring_type: nullable(
      Type.Enum(['none', 'bounded', 'infinite'], {
        description:
          'The recurring tokens that can be created: none, only with a `usage_limit`, or all. ' +
          'Default: infinite. The operator sets it.',
      }),
    ),
    charge_wait_period: duration(
      'The time after a charge in which the same recurring token is refused, 30 seconds or more.',
    ),
    card_charge_cvv_confirmation: group(
      'CardChargeCvvConfirmation',
      {
        enabled: flag('Whether a stored card needs its security code again. Default: false.'),
        threshold: amounts('From which amounts; empty: always.'),
      },
      "The rule for requesting a stored card's security code again.",
    ),
  },
  'Recurring tokens.',
)

const security = group(
  'SecurityConfiguration',
  {
    inspect_suspicious_login_after: duration(without_effect),
    refund_percent_limit: percent('The refundable part of a charge, in percent. Default: 100.'),
    limit_charge_by_card_configuration: group(
      'LimitChargeByCardConfiguration',
      {
        quantity_of_charges: count('How many charges a card can have in the time.'),
        duration_window: duration('The time in which charges are counted.'),
      },
      'The limit of charges for one card.',
    ),
    confirmation_required: unused(),
    min_refund_threshold: oneAmount('The smallest refund, in its currency; null: any.'),
    card_charge_cooldown: duration('How long after a charge the same card is refused.'),
    subscription_cooldown: duration(without_effect),
    restrict_ip_after_failed_charge: group(
      'RestrictIpAfterFailedCharge',
      { enabled: unused(), count: count(without_effect), cooldown: duration(without_effect) },
      without_effect,
    ),
    limit_refund_by_sales: group(
      'LimitRefundBySales',
      { enabled: unused(), period: text(without_effect), rolling_window: duration(without_effect) },
      without_effect,
    ),
  },
  'Limits that protect against abuse.',
)

const installments = group(
  'InstallmentsConfiguration',
  {
    enabled: flag('Whether installments are accepted. Default: true.'),
    only_with_processor: flag('Whether only the card company splits payments: always the case.'),
    min_charge_amount: oneAmount('The smallest total of installments; null: any.'),
    max_payout_period: duration('How long installments may run.'),
    failed_cycles_to_cancel: count(without_effect),
    card_processor: group(
      'CardProcessor',
      {
        revolving: flag('Whether revolving payments are offered. Default: true.'),
        fixed_cycle: flag('Whether a fixed number of installments is offered. Default: true.'),
      },
      'The plans that card companies offer.',
    ),
    supported_payment_types: texts(without_effect),
  },
  'Installments.',
)

const subscriptions = group(
  'SubscriptionConfiguration',
  {
    enabled: flag('Whether subscriptions can be created. Default: true.'),
    suspend_on_cancel: flag(
      'Whether a subscription is suspended, not canceled, after its last attempt. Default: true.',
    ),
    allow_merchant_amount_patch: flag('Whether the amount can be changed. Default: true.'),
    allow_merchant_due_date_patch: flag(
      'Whether the day of a payment can be changed. Default: true.',
    ),
    failed_charges_to_cancel: count('How often a payment is attempted. Default: 5.'),
  },
  'Subscriptions.',
)

const subscription_plans = group(
  'SubscriptionPlanConfiguration',
  {
    enabled: flag('Whether plans are accepted. Default: true.'),
    fixed_cycle: flag('Whether a fixed number of payments is offered. Default: true.'),
    fixed_cycle_amount: flag('Whether a fixed amount of each payment is offered. Default: true.'),
    supported_payment_types: texts(without_effect),
    min_charge_amount: oneAmount('The smallest total of a plan; null: any.'),
    max_payout_period: duration('How long a plan may run.'),
  },
  'Plans that split a total into payments.',
)

const card_brands = [
  'visa',
  'american_express',
  'mastercard',
  'maestro',
  'discover',
  'jcb',
  'diners_club',
  'union_pay',
  'private_label',
] as const

const brand_fee = percent('The fee in percent for cards of this network, instead of `percent_fee`.')
const brand_fees = tableOf(card_brands, () => brand_fee)

/** Groups that both a merchant and a store have. */
const groups = {
  user_transactions_configuration: notifications,
  ...methodGroups(),
  recurring_token_configuration: recurring_tokens,
  security_configuration: security,
  installments_configuration: installments,
  subscription_configuration: subscriptions,
  subscription_plan_configuration: subscription_plans,
  checkout_configuration: group(
    'CheckoutConfiguration',
    {
      ec_email: group('EcEmail', { enabled: unused() }, without_effect),
      ec_products: group('EcProducts', { enabled: unused() }, without_effect),
      main_color: nullable(
        Type.String({
          format: 'color',
          description:
            'The color of buttons and links on the pages of customers, such as #1f5eff. ' +
            'Texts keep a readable contrast with every color.',
        }),
      ),
      ...shop_contacts,
    },
    'The look of the pages that customers see.',
  ),
  descriptor_provided_configuration: group(
    'DescriptorProvidedConfiguration',
    { name: text(without_effect), phone_number: text(without_effect) },
    without_effect,
  ),
  customer_management_configuration: group(
    'CustomerManagementConfiguration',
    {
      enabled: unused(),
      default_roles: texts(without_effect),
      default_mode: text(without_effect),
    },
    without_effect,
  ),
  card_brand_percent_fees: group(
    'CardBrandPercentFees',
    brand_fees,
    'Fees by card network. The operator sets them.',
  ),
}

const plain = {
  percent_fee: percent('The fee in percent of each charge. The operator sets it.'),
  flat_fees: amounts('The fee for each charge, by currency. The operator sets it.'),
  logo_url: nullable(Type.String({ format: 'url', description: 'The logo of the shop.' })),
  country: nullable(
    Type.String({
      format: 'country',
      description: 'The country; amounts are converted to its currency. Default: JP.',
    }),
  ),
  language: nullable(Type.String({ format: 'language', description: 'The language of mails.' })),
  display_time_zone: nullable(
    Type.String({
      format: 'time_zone',
      description: 'The time zone in which the days of payouts begin. Default: Asia/Tokyo.',
    }),
  ),
  min_transfer_payout: oneAmount('The smallest payout, in its currency. The operator sets it.'),
  minimum_charge_amounts: amounts('The smallest amount of a charge, by currency.'),
  maximum_charge_amounts: amounts('The largest amount of a charge, by currency.'),
  platform_credentials_enabled: unused(),
  tagged_platform_credentials_enabled: unused(),
}

const week_day = (description: string) => nullable(Type.Enum([...week_days], { description }))

const transfer_schedule = group(
  'TransferSchedule',
  {
    wait_period: duration('How old a sale must be to be paid out.'),
    period: nullable(
      Type.Enum([...payout_periods], { description: 'How often the merchant is paid.' }),
    ),
    full_period_required: flag('Whether only sales before the current period are paid out.'),
    day_of_week: week_day('The day of the week on which it is paid.'),
    week_of_month: nullable(
      Type.Enum([...weeks_of_month], {
        description: 'The week of the month in which it is paid, together with `day_of_week`.',
      }),
    ),
    day_of_month: nullable(
      Type.Integer({
        minimum: 1,
        maximum: 31,
        description: 'The day of the month on which it is paid, or the last of a shorter month.',
      }),
    ),
    weekly_closing_day: week_day('The last day of sales in a weekly payout.'),
    weekly_payout_day: week_day('With a weekly period: the day on which it is paid.'),
  },
  'The payout schedule of the merchant. The operator sets it.',
)

/** Every key is always present in a response, null where nothing is set. */
export const StoreConfiguration = named(
  'StoreConfiguration',
  Type.Object({ ...plain, ...groups }),
  "Settings of a store. Null: the merchant's value applies.",
)
export type StoreConfiguration = Static<typeof StoreConfiguration>
export const MerchantConfiguration = named(
  'MerchantConfiguration',
  Type.Object({ ...plain, transfer_schedule, ...groups }),
  'Settings of a merchant, which its stores inherit. Null: the default applies.',
)
