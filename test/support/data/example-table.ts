import { payments } from '../payments.ts'
import type { World } from '../world.ts'
import { type Call, type Examples, newRecorder } from './example-recorder.ts'
import { makeIds } from './ids-of-everything.ts'

type Ids = Readonly<Record<string, string>>
/** The ids of what only some steps use, and the code of a mail. */
type Made = Readonly<
  Record<
    | 'recurring'
    | 'renewed'
    | 'paying'
    | 'new_card'
    | 'newer_card'
    | 'unconfirmed'
    | 'subscription'
    | 'dispute'
    | 'webhook'
    | 'store_webhook'
    | 'app_token'
    | 'store'
    | 'code'
    | 'request',
    string
  >
>
type Step = readonly [id: string, summary: string, call?: Call]

/** The operations that no story needs, at a merchant that has one of everything. */
export async function runEveryExample(world: World): Promise<Examples> {
  const shop = await world.merchant({ name: 'Kyoto Tea', email: 'owner@tea.example' })
  const ids = await makeIds(world, shop)
  const { call, work, examples } = newRecorder(world, shop, ids)
  // At a merchant without webhooks: deliveries at the same time have no order.
  const quiet = await world.merchant({ name: 'Nara Ink', email: 'owner@ink.example' })
  const { id: charge_id } = await payments(world, quiet).settled()
  const of_quiet = newRecorder(world, quiet)
  await world.app.request_log?.flush()
  await of_quiet.call('getChargeTimeline', 'Of a card payment', { charge_id })
  const newToken = async (more: object) => {
    const body = { payment_type: 'card', email: 'taro@example.com', data: card, ...more }
    return (await call('createToken', null, { body })).id as string
  }
  const newSubscription = async () => {
    const transaction_token_id = await newToken({ type: 'recurring' })
    const body = { transaction_token_id, amount: 500, currency: 'JPY', period: 'monthly' }
    return (await call('createSubscription', null, { body })).id as string
  }
  const newDispute = async () => {
    const body = { transaction_token_id: await newToken({}), amount: 700, currency: 'JPY' }
    const { id: charge_id } = await call('createCharge', null, { body })
    await work()
    return (await call('createTestDispute', 'By the cardholder', { charge_id, body: {} })).id
  }
  const newWebhook = async (id: string, name: string) => {
    const body = { ...hook, url: `https://tea.example/${name}` }
    return (await call(id, null, { body })).id as string
  }
  const made: Made = {
    recurring: await newToken({ type: 'recurring' }),
    renewed: await newToken({ type: 'recurring' }),
    paying: await newToken({ type: 'recurring' }),
    new_card: await newToken({ type: 'recurring' }),
    newer_card: await newToken({ type: 'recurring' }),
    unconfirmed: await newToken({ type: 'recurring', use_confirmation: true }),
    subscription: await newSubscription(),
    dispute: await newDispute(),
    webhook: await newWebhook('createWebhook', 'old'),
    store_webhook: await newWebhook('createStoreWebhook', 'older'),
    app_token: (await call('createStoreAppToken', null, { body: {} })).jti,
    store: (await call('createStore', null, { body: { name: 'Uji' } })).id,
    code: '',
    request: '',
  }
  await work()
  const code = /\\n\\n(\d{6})\\n/.exec(world.log.join(''))?.[1] ?? ''
  await world.app.request_log?.flush()
  const { items } = await call('listRequests', null)
  const found = { ...made, code, request: items.at(-1).request_id as string }
  const steps = [
    ...reads,
    ...ofMerchant(ids, found),
    ...ofTokens(ids, found),
    ...ofSubscriptions(found),
    ...ofPayments(ids, found),
    ...ofWebhooks(ids),
    ...removals(ids, found),
  ]
  for (const [id, summary, wanted] of steps) {
    await call(id, summary, wanted)
    await work()
  }
  return { ...examples, ...of_quiet.examples }
}

const card = {
  cardholder: 'Taro Yamada',
  card_number: '4242424242424242',
  exp_month: 12,
  exp_year: 2030,
  cvv: '123',
}
const one = { query: { limit: '10' } }
/** The response has the form of another example, or is long. */
const brief = { without_response: true } as const

const reads: readonly Step[] = [
  ['getDefaultConfiguration', 'Values without settings', brief],
  ['listAppTokens', 'One token', one],
  ['listLegacyAppTokens', 'One token', one],
  ['listStoreTokens', 'All of the store', { ...one, ...brief }],
  ['listStoreCharges', 'All of the store', { ...one, ...brief }],
  ['listDisputes', 'One dispute', { ...one, ...brief }],
  ['listStoreDisputes', 'One dispute', { ...one, ...brief }],
  ['getDispute', 'Needs a response'],
  ['getDisputeFile', 'A text'],
  ['listStoreSubscriptions', 'One subscription', { ...one, ...brief }],
  ['getSubscription', 'Current', brief],
  ['getSubscriptionBatch', 'Done'],
  ['getStoreLatestSubscriptionCharge', 'The first one'],
  ['getLatestSubscriptionCharge', 'The first one', brief],
  ['getStoreSubscriptionPayment', 'The next one'],
  ['getSubscriptionPayment', 'The next one', brief],
  ['listStoreSubscriptionPaymentCharges', 'None yet'],
  ['listSubscriptionPaymentCharges', 'None yet'],
  ['listSubscriptionCharges', 'One charge', brief],
  ['listMerchantStoreSubscriptionCharges', 'One charge', brief],
  ['listSubscriptionPayments', 'Made and next', brief],
  ['listCheckoutSessions', 'One session', { ...one, ...brief }],
  ['listStoreCheckoutSessions', 'One session', { ...one, ...brief }],
  ['getCheckoutSession', 'Open'],
  ['listPaymentLinks', 'One link', { ...one, ...brief }],
  ['listStorePaymentLinks', 'One link', { ...one, ...brief }],
  ['getPaymentLink', 'Open', brief],
  ['getPaymentLinkQrCode', 'For print', brief],
  ['listTransactionHistory', 'All stores', { ...one, ...brief }],
  ['getTransactionHistoryTotals', 'All stores'],
  ['getStoreTransactionHistoryTotals', 'One store'],
  ['listCustomers', 'One customer', one],
  ['getCustomer', 'A customer by e-mail'],
  ['getChargeConnections', 'Of a refunded charge'],
  ['getSubscriptionConnections', 'One charge'],
  ['listDeposits', 'None yet', one],
  ['getLedgerBalances', 'In yen'],
  ['listLedgerEntries', 'The latest', { ...one, ...brief }],
  ['getLedgerStatement', 'This month', brief],
  ['listStoreEvents', 'The latest', { ...one, ...brief }],
  ['getActivity', 'A day', { query: { time_zone: 'Asia/Tokyo' }, ...brief }],
  ['getAttention', 'What needs a person', brief],
  ['listRequests', 'The latest', { ...one, ...brief }],
  ['getActivityTransactionsCsv', 'All', brief],
  ['getActivityRefundsCsv', 'One refund'],
  ['getActivityChargesCsv', 'All', brief],
  ['getActivitySubscriptionsCsv', 'All', brief],
  ['getActivityLedgerEntriesCsv', 'All', brief],
  ['getActivityTransfersCsv', 'One payout', brief],
  ['getPrimaryBankAccount', 'The account', brief],
  ['getNextTransfers', 'In yen'],
  ['getTransferParts', 'Sales, fees and refunds'],
  ['listTransferLedgers', 'All of them', brief],
  ['listNextTransferLedgers', 'All of them', brief],
  ['getRouting', 'Without rules'],
  ['getTestClockUpcoming', 'A month', { query: { until: '2026-03-01T00:00:00Z' }, ...brief }],
  ['getHeartbeat', 'Up'],
  ['getLiveness', 'Alive'],
  ['getReadiness', 'Ready'],
]

const phone_number = { country_code: 81, local_number: '9012345678' }
const verification = {
  homepage_url: 'https://tea.example/',
  company_description: 'Green tea from Uji',
  business_type: 'retail',
  company_contact_info: {
    name: 'Hanako Yamada',
    company_name: 'Kyoto Tea KK',
    phone_number,
    line1: 'Nakagyo 1-1',
    city: 'Kyoto',
    state: 'Kyoto',
    country: 'JP',
    zip: '604-0001',
  },
}

function ofMerchant(
  { app_token_id = '', merchant_app_token_id = '', charge_id = '', transfer_id = '' }: Ids,
  { app_token, request }: Made,
): Step[] {
  const of_merchant = { app_token_id: merchant_app_token_id }
  return [
    ['getRequest', 'A response of the API', { request_id: request, ...brief }],
    ['deleteLegacyAppToken', 'After a leak', { app_token_id: app_token }],
    ['getActivityPayoutLinesCsv', 'Of one payout', { query: { transfer_id }, ...brief }],
    ['searchEverything', 'A payment by its id', { query: { q: charge_id } }],
    ['createVerification', 'A company', { body: verification }],
    ['getVerification', 'As it was sent', brief],
    ['updateVerification', 'Another homepage', { body: { homepage_url: 'https://uji.example/' } }],
    ['rotateAppToken', 'After a leak', { ...of_merchant, body: {} }],
    ['rotateStoreAppToken', 'After a leak', { app_token_id, body: {} }],
    ['createLegacyAppToken', 'For a browser', { body: { mode: 'test', domains: ['tea.example'] } }],
    [
      'updateLegacyAppToken',
      'Another domain',
      { app_token_id, body: { domains: ['uji.example'] } },
    ],
  ]
}

function ofTokens(
  { challenged_token_id = '', token_id = '' }: Ids,
  { recurring, renewed, unconfirmed, code }: Made,
): Step[] {
  const of_challenged = { token_id: challenged_token_id }
  return [
    ['getTokenAlias', 'For a till'],
    ['deleteTokenAlias', 'Not needed any more'],
    ['createCustomerId', 'From the id of the shop', { body: { customer_id: 'customer-1' } }],
    ['getTokenThreeDsIssuerToken', 'A challenge', of_challenged],
    ['deleteTokenThreeDs', 'Given up', { ...of_challenged, ...brief }],
    ['startTokenThreeDs', 'Again', { token_id: recurring, body: {} }],
    ['renewStoreToken', 'Before it is used up', { token_id: recurring, body: {}, ...brief }],
    ['renewToken', 'Before it is used up', { token_id: renewed, body: {}, ...brief }],
    [
      'confirmToken',
      'With the code',
      { token_id: unconfirmed, body: { confirmation_code: code }, ...brief },
    ],
    ['deleteToken', 'A used token', { token_id }],
  ]
}

function ofSubscriptions({
  paying: transaction_token_id,
  new_card,
  newer_card,
  subscription,
}: Made): Step[] {
  const to = (id: string) => ({ body: { transaction_token_id: id } })
  const plan = { amount: 9000, currency: 'JPY', period: 'monthly' }
  const subscriptions = [
    { transaction_token_id, amount: 1000, currency: 'JPY', period: 'monthly' },
  ]
  return [
    ['simulateStoreSubscriptionPlan', 'Every month', { body: plan, ...brief }],
    ['createSubscriptionBatch', 'One row', { body: { subscriptions } }],
    ['updateSubscription', 'Another amount', { body: { amount: 1500 }, ...brief }],
    ['changeStoreSubscriptionToken', 'A new card', { ...to(new_card), ...brief }],
    ['changeSubscriptionToken', 'A new card', { ...to(newer_card), ...brief }],
    ['updateStoreSubscriptionPayment', 'Later', { body: { due_date: '2027-02-01' } }],
    ['updateSubscriptionPayment', 'Later', { body: { due_date: '2027-02-02' }, ...brief }],
    ['suspendSubscription', 'Immediately', { body: { termination_mode: 'immediate' }, ...brief }],
    ['unsuspendStoreSubscription', 'Again', brief],
    ['suspendSubscription', 'Immediately', { body: { termination_mode: 'immediate' }, ...brief }],
    ['unsuspendSubscription', 'Again', brief],
    ['cancelStoreSubscription', 'For good'],
    ['cancelSubscription', 'For good', { subscription_id: subscription }],
  ]
}

function ofPayments(ids: Ids, { dispute }: Made): Step[] {
  const {
    refund_id = '',
    online_charge_id = '',
    challenged_charge_id = '',
    bank_charge_id = '',
  } = ids
  const link = { name: 'Tea ceremony', amount: 3000, currency: 'JPY' }
  const file = { name: 'slip.txt', content_type: 'text/plain', content: 'ZGVsaXZlcmVk' }
  return [
    ['getIssuerTokenAlias', 'Online brand', { charge_id: online_charge_id, ...brief }],
    ['getChargeThreeDsIssuerToken', 'A challenge', { charge_id: challenged_charge_id }],
    ['updateChargeRefund', 'More metadata', { body: { id: refund_id, metadata: { a: 1 } } }],
    ['updateStoreRefund', 'More metadata', { body: { metadata: { a: 2 } }, ...brief }],
    ['createDisputeFile', 'A text', { body: file, ...brief }],
    ['deleteDisputeFile', 'The wrong one'],
    ['acceptDispute', 'The shop gives in', brief],
    ['completeTestDispute', 'Won', { dispute_id: dispute, body: { outcome: 'won' }, ...brief }],
    ['cancelCheckoutSession', 'Sold out'],
    ['createStorePaymentLink', 'For one store', { body: link, ...brief }],
    ['updatePaymentLink', 'Closed', { body: { active: false } }],
    ['createTestDeposit', 'A part', { charge_id: bank_charge_id, body: { amount: 400 } }],
  ]
}

const hook = { url: 'https://tea.example/events', triggers: ['charge_finished'] }
const other_hook = { ...hook, url: 'https://tea.example/other-events' }
const more = { body: { triggers: ['charge_finished', 'refund_finished'] } }

function ofWebhooks({ merchant_webhook_id = '', merchant_replay_id = '' }: Ids): Step[] {
  const of_merchant = { webhook_id: merchant_webhook_id }
  return [
    ['listWebhooks', 'One webhook'],
    ['listMerchantWebhooks', 'One webhook', brief],
    ['listMerchantStoreWebhooks', 'One webhook', brief],
    ['createWebhook', 'Finished payments', { body: hook }],
    ['createMerchantWebhook', 'Finished payments', { body: other_hook, ...brief }],
    ['createMerchantStoreWebhook', 'Finished payments', { body: hook, ...brief }],
    ['getWebhook', 'The webhook', { ...of_merchant, ...brief }],
    ['getMerchantWebhook', 'The webhook', { ...of_merchant, ...brief }],
    ['getMerchantStoreWebhook', 'The webhook', brief],
    ['updateWebhook', 'More events', { ...of_merchant, ...more, ...brief }],
    ['updateMerchantWebhook', 'More events', { ...of_merchant, ...more, ...brief }],
    ['updateMerchantStoreWebhook', 'More events', { ...more, ...brief }],
    ['listWebhookDeliveries', 'Tried once', { ...of_merchant, ...brief }],
    ['getWebhookDelivery', 'Tried once', { ...of_merchant, ...brief }],
    ['listAllDeliveries', 'Not received', brief],
    ['redeliverWebhookEvent', 'Again', { ...of_merchant, ...brief }],
    ['redeliverStoreWebhookEvent', 'Again', brief],
    ['pingWebhook', 'Not reached', { ...of_merchant, body: {}, ...brief }],
    ['createWebhookReplay', 'The events of a day', { ...of_merchant, body: {} }],
    ['getWebhookReplay', 'Finished', { ...of_merchant, replay_id: merchant_replay_id, ...brief }],
    ['createStoreWebhookReplay', 'The events of a day', { body: {}, ...brief }],
    ['getStoreWebhookReplay', 'In progress', brief],
    ['getWebhookSecret', 'The secret', of_merchant],
    ['changeWebhookSecret', 'A new one', { ...of_merchant, body: {} }],
    ['changeStoreWebhookSecret', 'A new one', { body: {}, ...brief }],
  ]
}

/** Deletions come last. */
function removals(ids: Ids, { webhook, store_webhook, store }: Made): Step[] {
  const { merchant_webhook_id = '', merchant_app_token_id = '' } = ids
  return [
    ['deleteWebhook', 'No more events', { webhook_id: merchant_webhook_id }],
    ['deleteMerchantWebhook', 'No more events', { webhook_id: webhook }],
    ['deleteStoreWebhook', 'No more events'],
    ['deleteMerchantStoreWebhook', 'No more events', { webhook_id: store_webhook }],
    ['deleteStore', 'Closed', { store_id: store }],
    ['deleteAppToken', 'After a leak', { app_token_id: merchant_app_token_id }],
    ['deleteStoreAppToken', 'After a leak'],
    ['deleteBankAccount', 'Closed'],
  ]
}
