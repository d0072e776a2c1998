/** What the double of Stripe accepts: the parameters of each request that the connector makes, and no others. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: RegExp
  /** Names as they are written in a form; each is a pattern. */
  readonly params: readonly RegExp[]
  readonly required: readonly string[]
}

const metadata = /^metadata\[kaikei_(merchant_id|charge_id|reference)\]$/
const expand = /^expand\[0\]$/
const three_ds = /^payment_method_options\[card\]\[request_three_d_secure\]$/
const proof =
  /^payment_method_options\[card\]\[three_d_secure\]\[(cryptogram|transaction_id|version|electronic_commerce_indicator)\]$/
const allowed = /^allowed_payment_method_types\[0\]$/

export const routes = {
  balance: { method: 'GET', path: /^\/v1\/balance$/, params: [], required: [] },
  create_method: {
    method: 'POST',
    path: /^\/v1\/payment_methods$/,
    params: [
      /^type$/,
      /^card\[(number|exp_month|exp_year|cvc)\]$/,
      /^billing_details\[(name|email|phone)\]$/,
      /^billing_details\[address\]\[(line1|line2|city|state|country|postal_code)\]$/,
    ],
    required: ['type', 'card[number]', 'card[exp_month]', 'card[exp_year]'],
  },
  create_intent: {
    method: 'POST',
    path: /^\/v1\/payment_intents$/,
    params: [
      /^(amount|currency|confirm|capture_method|payment_method|return_url|off_session)$/,
      /^statement_descriptor_suffix$/,
      /^customer$/,
      /^payment_method_data\[type\]$/,
      /^payment_method_data\[billing_details\]\[(name|email)\]$/,
      /^payment_method_options\[konbini\]\[expires_at\]$/,
      /^payment_method_options\[customer_balance\]\[(funding_type|bank_transfer\]\[type)\]$/,
      ...[allowed, three_ds, proof, metadata, expand],
    ],
    required: ['amount', 'currency'],
  },
  search_intents: {
    method: 'GET',
    path: /^\/v1\/payment_intents\/search$/,
    params: [/^(query|limit)$/],
    required: ['query'],
  },
  get_intent: {
    method: 'GET',
    path: /^\/v1\/payment_intents\/(pi_\w+)$/,
    params: [expand],
    required: [],
  },
  capture_intent: {
    method: 'POST',
    path: /^\/v1\/payment_intents\/(pi_\w+)\/capture$/,
    params: [/^amount_to_capture$/],
    required: [],
  },
  cancel_intent: {
    method: 'POST',
    path: /^\/v1\/payment_intents\/(pi_\w+)\/cancel$/,
    params: [],
    required: [],
  },
  create_refund: {
    method: 'POST',
    path: /^\/v1\/refunds$/,
    params: [
      /^(payment_intent|amount|instructions_email|origin|customer|currency)$/,
      /^metadata\[kaikei_kind\]$/,
      metadata,
    ],
    required: ['amount'],
  },
  list_refunds: {
    method: 'GET',
    path: /^\/v1\/refunds$/,
    params: [/^(payment_intent|limit)$/, /^created\[(gte|lte)\]$/],
    required: [],
  },
  get_refund: { method: 'GET', path: /^\/v1\/refunds\/(re_\w+)$/, params: [], required: [] },
  create_setup: {
    method: 'POST',
    path: /^\/v1\/setup_intents$/,
    params: [/^(confirm|payment_method|return_url)$/, allowed, three_ds, metadata, expand],
    required: [],
  },
  get_setup: {
    method: 'GET',
    path: /^\/v1\/setup_intents\/(seti_\w+)$/,
    params: [expand],
    required: [],
  },
  cancel_setup: {
    method: 'POST',
    path: /^\/v1\/setup_intents\/(seti_\w+)\/cancel$/,
    params: [],
    required: [],
  },
  balance_transactions: {
    method: 'GET',
    path: /^\/v1\/balance_transactions$/,
    params: [/^created\[gte\]$/, /^(limit|starting_after)$/, expand],
    required: ['created[gte]', 'expand[0]'],
  },
  create_customer: {
    method: 'POST',
    path: /^\/v1\/customers$/,
    params: [/^email$/, /^cash_balance\[settings\]\[reconciliation_mode\]$/, metadata],
    required: [],
  },
  get_customer: { method: 'GET', path: /^\/v1\/customers\/(cus_\w+)$/, params: [], required: [] },
  update_customer: {
    method: 'POST',
    path: /^\/v1\/customers\/(cus_\w+)$/,
    params: [/^metadata\[[0-9a-f-]{36}\]$/],
    required: [],
  },
  list_cash: {
    method: 'GET',
    path: /^\/v1\/customers\/(cus_\w+)\/cash_balance_transactions$/,
    params: [/^limit$/],
    required: [],
  },
  list_disputes: {
    method: 'GET',
    path: /^\/v1\/disputes$/,
    params: [/^(payment_intent|limit)$/],
    required: ['payment_intent'],
  },
  get_dispute: { method: 'GET', path: /^\/v1\/disputes\/(du_\w+)$/, params: [], required: [] },
  update_dispute: {
    method: 'POST',
    path: /^\/v1\/disputes\/(du_\w+)$/,
    params: [
      /^evidence\[(uncategorized_text|product_description|refund_policy_disclosure)\]$/,
      /^evidence\[(uncategorized_file|customer_communication|receipt)\]$/,
      /^evidence\[(shipping_documentation|service_documentation)\]$/,
      /^submit$/,
      metadata,
    ],
    required: [],
  },
  close_dispute: {
    method: 'POST',
    path: /^\/v1\/disputes\/(du_\w+)\/close$/,
    params: [],
    required: [],
  },
  create_file: {
    method: 'POST',
    path: /^\/v1\/files$/,
    // Those of the file itself are what its part of the form says.
    params: [/^(purpose|name|type|bytes)$/],
    required: ['purpose', 'name', 'type'],
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes

/** Test cards of Stripe, https://docs.stripe.com/testing: error code, decline code, our code. */
export const declines: Readonly<Record<string, readonly [string, string | undefined, number]>> = {
  '4000000000000002': ['card_declined', 'generic_decline', 306],
  '4000000000009995': ['card_declined', 'insufficient_funds', 330],
  '4000000000009987': ['card_declined', 'lost_card', 314],
  '4000000000009979': ['card_declined', 'stolen_card', 314],
  '4000000000006975': ['card_declined', 'card_velocity_exceeded', 311],
  '4100000000000019': ['card_declined', 'fraudulent', 319],
  '4000000000000069': ['expired_card', undefined, 304],
  '4000000000000127': ['incorrect_cvc', undefined, 305],
  '4000000000000119': ['processing_error', undefined, 309],
}
export const cards = {
  approved: '4242424242424242',
  challenged: '4000000000003220',
  unauthenticated: '4000008400001280',
}
/** The same as the challenged one. It is no test card of ours, so that the service takes it in live mode. */
export const live_challenged = '4539990000001002'
/** The same as the one without funds. */
export const live_declined = '4539990000000517'
