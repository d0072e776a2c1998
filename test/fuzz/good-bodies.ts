import { password } from '../support/console-users.ts'
import type { KnownResources } from './known-resources.ts'
import type { Random } from './random-values.ts'

const card = {
  cardholder: 'Taro Yamada',
  card_number: '4242424242424242',
  exp_month: '12',
  exp_year: '2035',
  cvv: '123',
}
const phone_number = { country_code: '81', local_number: '9012345678' }
const email = 'customer@example.com'
const triggers = ['charge_finished', 'token_created']

const tokens: readonly object[] = [
  { payment_type: 'card', email, data: card },
  { payment_type: 'card', email, type: 'recurring', data: card },
  {
    payment_type: 'card',
    email,
    subscription: true,
    data: { ...card, card_number: '4000020000000000' },
  },
  { payment_type: 'apple_pay', email, data: { applepay_token: 'x', cardholder: 'TARO' } },
  { payment_type: 'qr_scan', email, data: { scanned_qr: '9000818100000000000000' } },
  { payment_type: 'qr_merchant', email, data: { brand: 'pay_pay_merchant' } },
  {
    payment_type: 'konbini',
    email,
    data: { customer_name: 'Taro', phone_number, convenience_store: 'lawson' },
  },
  { payment_type: 'online', data: { brand: 'alipay_online', call_method: 'http_get' } },
  { payment_type: 'bank_transfer', email, data: { brand: 'aozora_bank', match_amount: 'minimum' } },
  { payment_type: 'paidy', email, data: { paidy_token: 'x' } },
]

const declaration = {
  customs: 'NINGBO',
  merchant_customs_no: 'm-1',
  certificate_id: 'c-1',
  certificate_name: 'Li',
}

/** A body that the operation accepts, beyond what the schema alone says. */
export function goodBody(
  operation: string,
  known: KnownResources,
  random: Random,
  user_email: string,
): object | null {
  const token = () => known.some('token_id') ?? random.uuid()
  const hook = () => ({ url: `http://127.0.0.1:9/${random.uuid()}`, triggers })
  const bodies: Record<string, () => object> = {
    'POST /tokens': () => random.pick(tokens),
    'POST /tokens/alias': () => ({ transaction_token_id: token() }),
    'POST /charges': () => ({
      transaction_token_id: token(),
      amount: 1 + random.below(5000),
      currency: 'JPY',
      ...(random.chance(0.3) ? { capture: false } : {}),
      ...(random.chance(0.3) ? { metadata: { order: random.below(100) } } : {}),
    }),
    'POST /subscriptions': () => ({
      transaction_token_id: token(),
      amount: 1000,
      currency: 'JPY',
      period: random.pick(['daily', 'monthly', 'annually']),
    }),
    'POST /subscriptions/batches': () => ({
      subscriptions: [
        { transaction_token_id: token(), amount: 700, currency: 'JPY', period: 'monthly' },
      ],
    }),
    'POST /stores/{store_id}/charges/{charge_id}/refunds': () => ({ amount: 1, currency: 'JPY' }),
    'POST /stores/{store_id}/charges/{charge_id}/customs': () => ({ declaration }),
    'PATCH /stores/{store_id}/charges/{charge_id}/customs/{customs_declaration_id}': () => ({
      declaration: { certificate_id: `c-${random.below(9)}` },
    }),
    'PATCH /stores/{store_id}/charges/{charge_id}/refunds': () => ({
      id: known.some('refund_id') ?? random.uuid(),
      metadata: { a: 1 },
    }),
    'POST /subscriptions/simulate_plan': () => ({
      amount: 900,
      currency: 'JPY',
      period: 'monthly',
    }),
    'POST /checkout_sessions': () => ({ amount: 1 + random.below(5000), currency: 'JPY' }),
    'POST /payment_links': () => ({ name: 'Tea', amount: 500, currency: 'JPY' }),
    'POST /stores': () => ({ name: `Store ${random.uuid()}` }),
    'POST /stores/{store_id}/app_jwts': () => ({ mode: 'test', domains: ['shop.example'] }),
    'POST /stores/{store_id}/create_customer_id': () => ({ customer_id: 'customer-1' }),
    'POST /webhooks': hook,
    'POST /bank_accounts': () => ({
      holder_name: 'Kaikei',
      bank_name: 'Bank',
      account_type: 'checking',
      country: 'JP',
      currency: 'JPY',
      account_number: String(1_000_000 + random.below(8_000_000)),
    }),
    'POST /checkout_info/gateways/{gateway}': () => ({
      amount: 100,
      currency: 'JPY',
      call_method: 'http_get',
    }),
    'POST /exchange_rates/calculate': () => ({ amount: 100, currency: 'JPY', to: 'USD' }),
    'POST /test/charges/{charge_id}/complete': () => ({
      outcome: random.pick(['successful', 'failed', 'expired']),
    }),
    'POST /test/charges/{charge_id}/deposits': () => ({ amount: 1 + random.below(2000) }),
    'POST /test/clock': () => ({ advance: 'PT1M' }),
    'POST /verification': () => ({
      homepage_url: 'https://shop.example/',
      company_description: 'A shop',
      business_type: 'retail',
      company_contact_info: {
        name: 'Hanako',
        company_name: 'Shop',
        phone_number,
        line1: 'Chiyoda 1-1',
        city: 'Tokyo',
        state: 'Tokyo',
        country: 'JP',
        zip: '100-0001',
      },
    }),
    'POST /authenticate': () => ({ email: user_email, password }),
    'POST /password_resets': () => ({ email: user_email }),
    'POST /me/totp': () => ({ password }),
    'POST /me/password': () => ({ password, new_password: password }),
    'POST /logout': () => ({}),
    'PATCH /stores/{store_id}/subscriptions/{subscription_id}/token': () => ({
      transaction_token_id: token(),
    }),
  }
  const exact = bodies[operation]
  if (exact) return exact()
  const [method = '', path = ''] = operation.split(' ')
  const under_store = path.replace(/^(\/merchants\/\{merchant_id\})?(\/stores\/\{store_id\})?/, '')
  const same =
    bodies[`${method} ${under_store}`] ?? bodies[`${method} /stores/{store_id}${under_store}`]
  if (same) return same()
  return method === 'PATCH' ||
    /\/(capture|cancel|cancels|renew|ping|three_ds|secret|redeliver)$/.test(path)
    ? {}
    : null
}
