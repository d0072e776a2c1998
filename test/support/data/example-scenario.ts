import { newUser, password } from '../console-users.ts'
import { type Examples, newRecorder, type Recorder } from './example-recorder.ts'
import { runEveryExample } from './example-table.ts'
import { payouts } from '../payouts.ts'
import type { Receiver } from '../receiver/receiver.ts'
import type { TestMerchant, World } from '../world.ts'

const email = 'taro@example.com'
const phone_number = { country_code: 81, local_number: '9012345678' }
const card = {
  cardholder: 'Taro Yamada',
  card_number: '4242424242424242',
  exp_month: 12,
  exp_year: 2030,
  cvv: '123',
}
const yen = { amount: 1000, currency: 'JPY' }

/** A shop from its first token to its payout. Every response is that of the service. */
export async function runExamples(world: World, receiver: Receiver): Promise<Examples> {
  const shop = await world.merchant({ name: 'Aoyama Flowers', email: 'owner@shop.example' })
  const record = newRecorder(world, shop)
  await setUp(record, receiver)
  const tokens = await createTokens(record)
  const charge_id = await charge(record, tokens)
  await refundAndCancel(record, charge_id)
  await subscribe(record)
  await checkOut(record)
  await declare(record, tokens.online)
  await waitForMoney(record, tokens)
  await seeEvents(record, charge_id)
  await payOut(world, shop, record)
  await beDisputed(record)
  await askAndLogIn(world, shop, record)
  const more = await runEveryExample(world)
  return { ...more, ...record.examples }
}

const off = { enabled: false }
const only_cards = {
  card_configuration: {
    forbidden_card_brands: [
      'american_express',
      'diners_club',
      'discover',
      'jcb',
      'maestro',
      'union_pay',
    ],
  },
  qr_scan_configuration: off,
  qr_merchant_configuration: off,
  convenience_configuration: off,
  paidy_configuration: off,
  online_configuration: off,
  bank_transfer_configuration: off,
}

async function setUp({ call }: Recorder, receiver: Receiver): Promise<void> {
  await call('updateMerchant', 'Notifications', {
    body: { notification_email: 'payments@shop.example' },
    without_response: true,
  })
  await call('getMerchant', 'The merchant')
  const { id } = await call('createStore', 'A second shop', {
    body: { name: 'Shibuya' },
    without_response: true,
  })
  await call('updateStore', 'Only two card networks', {
    store_id: id,
    body: { configuration: only_cards },
    without_response: true,
  })
  await call('getStore', 'The store')
  await call('listStores', 'Found by name', { query: { search: 'Shibuya' } })
  const { secret, jwt } = await call('createStoreAppToken', 'For test mode', {
    body: { mode: 'test', domains: ['shop.example'] },
    store_id: id,
  })
  await call('listStoreAppTokens', 'One token', { store_id: id })
  await call('getCheckoutInfo', 'The store', { auth: `Bearer ${secret}.${jwt}` })
  await call('createAppToken', 'For the merchant', { body: {} })
  const triggers = ['charge_finished', 'refund_finished']
  const webhook = await call('createStoreWebhook', 'Finished payments', {
    body: { url: receiver.url, triggers, auth_token: 'a-token-of-the-shop' },
  })
  await call('getStoreWebhook', 'The webhook', { webhook_id: webhook.id })
  await call('updateStoreWebhook', 'More events', {
    webhook_id: webhook.id,
    body: { triggers: [...triggers, 'cancel_finished'] },
  })
  await call('listStoreWebhooks', 'One webhook')
  await call('getStoreWebhookSecret', 'The secret', { webhook_id: webhook.id })
  await call('pingStoreWebhook', 'Reached', { webhook_id: webhook.id, body: {} })
}

type Tokens = Record<
  'card' | 'recurring' | 'declined' | 'konbini' | 'online' | 'bank_transfer' | 'qr_merchant',
  string
>

async function createTokens({ call }: Recorder): Promise<Tokens> {
  const create = async (
    summary: string | null,
    payment_type: string,
    data: object,
    more: object = {},
  ) => {
    const body = { payment_type, email, ...more, data }
    return (await call('createToken', summary, { body })).id as string
  }
  const one_time = await create('Card', 'card', card, { metadata: { order: 'A-1001' } })
  const recurring = await create('Card, recurring', 'card', card, { type: 'recurring' })
  await create('Apple Pay', 'apple_pay', {
    applepay_token: Buffer.from('{"paymentData":{}}').toString('base64'),
    cardholder: card.cardholder,
  })
  await create('QR code of the customer', 'qr_scan', { scanned_qr: '2812345678901234' })
  const qr_merchant = await create('QR code of the shop', 'qr_merchant', { brand: 'we_chat_mpm' })
  const konbini = await create('Convenience store', 'konbini', {
    customer_name: card.cardholder,
    phone_number,
    convenience_store: 'lawson',
    expiration_period: 'P7D',
  })
  await create('Paidy', 'paidy', { paidy_token: 'tok_of_the_wallet', phone_number })
  const online = await create('Online brand', 'online', {
    brand: 'we_chat_online',
    call_method: 'app',
  })
  const bank_transfer = await create('Bank transfer', 'bank_transfer', { brand: 'aozora_bank' })
  const declined = await create(null, 'card', {
    ...card,
    card_number: '4000000000000002',
  })
  await call('getToken', 'Card', { token_id: one_time })
  await call('updateToken', 'Another e-mail', {
    token_id: recurring,
    body: { email: 'taro.yamada@example.com', metadata: { plan: 'gold' } },
  })
  await call('listTokens', 'Recurring', { query: { type: 'recurring' } })
  await call('createTokenAlias', 'For a till', {
    body: { transaction_token_id: recurring, amount: 1000, currency: 'JPY' },
  })
  return { card: one_time, recurring, declined, konbini, online, bank_transfer, qr_merchant }
}

async function charge({ call, work }: Recorder, tokens: Tokens): Promise<string> {
  const create = async (summary: string | null, token: string, more: object = {}) => {
    const body = { transaction_token_id: token, ...yen, ...more }
    const { id } = await call('createCharge', summary, { body })
    await work()
    return id as string
  }
  const metadata = { order: 'A-1001' }
  const paid = await create('Card', tokens.card, { metadata })
  await call('getCharge', 'Successful', { charge_id: paid })
  await call('updateCharge', 'More metadata', {
    charge_id: paid,
    body: { metadata: { shipped: true } },
  })
  await call('listCharges', 'Of one token', { query: { transaction_token_id: tokens.card } })
  const refused = await create(null, tokens.declined)
  await call('getCharge', 'Failed', { charge_id: refused })
  const held = await create('Authorize only', tokens.recurring, { capture: false })
  await call('getCharge', 'Authorized', { charge_id: held })
  await call('captureCharge', 'A part of it', {
    charge_id: held,
    body: { amount: 800, currency: 'JPY' },
  })
  await work()
  const scanned = await create(null, tokens.qr_merchant)
  await call('getCharge', 'Awaiting the customer', { charge_id: scanned })
  await call('getChargeQr', 'Ready', { charge_id: scanned })
  return paid
}

async function refundAndCancel({ call, work }: Recorder, charge_id: string): Promise<void> {
  const { id: refund_id } = await call('createRefund', 'A part of it', {
    charge_id,
    body: { amount: 400, currency: 'JPY', reason: 'customer_request', message: 'One vase broke' },
  })
  await work()
  await call('getRefund', 'Successful', { charge_id, refund_id })
  await call('updateRefund', 'More metadata', {
    charge_id,
    refund_id,
    body: { metadata: { ticket: 77 } },
  })
  await call('listRefunds', 'One refund', { charge_id })
  const { id: token } = await call('createToken', null, {
    body: { payment_type: 'card', email, data: card },
  })
  const held = await call('createCharge', null, {
    body: { transaction_token_id: token, ...yen, capture: false },
  })
  await work()
  const of_charge = { charge_id: held.id as string }
  const { id: cancel_id } = await call('createCancel', 'Release the money', {
    ...of_charge,
    body: { metadata: { reason: 'sold out' } },
  })
  await work()
  await call('getCancel', 'Successful', { ...of_charge, cancel_id })
  await call('updateCancel', 'More metadata', {
    ...of_charge,
    cancel_id,
    body: { metadata: { ticket: 78 } },
  })
  await call('listCancels', 'One cancel', of_charge)
  await call('getCharge', 'Canceled', of_charge)
}

async function subscribe({ call, work }: Recorder): Promise<void> {
  const tokenOf = async (customer: string) => {
    const body = { payment_type: 'card', email: customer, type: 'subscription', data: card }
    return (await call('createToken', 'Card, for a subscription', { body })).id as string
  }
  const schedule_settings = { zone_id: 'Asia/Tokyo', termination_mode: 'on_next_payment' }
  const subscription_plan = { plan_type: 'fixed_cycles', fixed_cycles: 3 }
  const plan = { amount: 9000, currency: 'JPY', period: 'monthly', subscription_plan }
  await call('simulateSubscriptionPlan', 'Three payments', { body: plan })
  const { id: subscription_id } = await call('createSubscription', 'Every month', {
    body: {
      transaction_token_id: await tokenOf('hana@example.com'),
      ...yen,
      period: 'monthly',
      schedule_settings,
    },
  })
  await call('createSubscription', 'A total in three payments', {
    body: { transaction_token_id: await tokenOf('ken@example.com'), ...plan },
  })
  const installment_plan = { plan_type: 'fixed_cycles', fixed_cycles: 3 }
  await call('createSubscription', 'Installments of the card company', {
    body: {
      transaction_token_id: await tokenOf(email),
      ...yen,
      period: 'monthly',
      installment_plan,
    },
  })
  await work()
  await call('getStoreSubscription', 'Paid up', { subscription_id })
  await call('updateStoreSubscription', 'Another amount', {
    subscription_id,
    body: { amount: 1200, metadata: { plan: 'gold' } },
  })
  await call('listStoreSubscriptionPayments', 'Made and next', { subscription_id })
  await call('listStoreSubscriptionCharges', 'One charge', { subscription_id })
  const now = { body: { termination_mode: 'immediate' } }
  await call('suspendStoreSubscription', 'At once', { subscription_id, ...now })
  await call('listSubscriptions', 'Suspended', { query: { status: 'suspended' } })
}

async function declare({ call, work }: Recorder, token: string): Promise<void> {
  const { id: charge_id } = await call('createCharge', null, {
    body: { transaction_token_id: token, ...yen },
  })
  await work()
  await call('getIssuerToken', 'Online brand', { charge_id })
  const body = { outcome: 'successful' }
  await call('completeTestCharge', 'The customer pays', { charge_id, body })
  await work()
  const declaration = {
    customs: 'SHANGHAI_ZS',
    merchant_customs_no: '330296A001',
    certificate_id: '330821198809085211',
    certificate_name: 'Zhang San',
  }
  const { id } = await call('createCustomsDeclaration', 'A new declaration', {
    charge_id,
    body: { declaration },
  })
  await work()
  const of_declaration = { charge_id, customs_declaration_id: id as string }
  await call('getCustomsDeclaration', 'Successful', of_declaration)
  await call('updateCustomsDeclaration', 'Another name', {
    ...of_declaration,
    body: { declaration: { certificate_name: 'Zhang Shan' } },
  })
  await work()
  await call('listCustomsDeclarations', 'One declaration', { charge_id })
  await call('listCustomsAttempts', 'Two attempts', of_declaration)
}

async function waitForMoney({ call, work }: Recorder, tokens: Tokens): Promise<void> {
  const waiting = async (summary: string, token: string) => {
    const body = { transaction_token_id: token, ...yen }
    const { id } = await call('createCharge', null, { body })
    await work()
    await call('getIssuerToken', summary, { charge_id: id })
    return { charge_id: id as string }
  }
  const at_store = await waiting('Convenience store', tokens.konbini)
  await call('getChargeExpiry', 'Convenience store', at_store)
  const by_transfer = await waiting('Bank transfer', tokens.bank_transfer)
  await call('createTestDeposit', 'All of it', {
    ...by_transfer,
    body: { amount: 1000, name: 'YAMADA TARO' },
  })
  await work()
  await call('listBankTransferLedgers', 'Arrived and paid', by_transfer)
}

async function seeEvents({ call, work }: Recorder, charge_id: string): Promise<void> {
  await work()
  const of_charge = { event: 'charge_finished', resource_id: charge_id }
  const { items } = await call('listEvents', 'Of one charge', { query: of_charge })
  const event_id: string = items[0].id
  await call('getEvent', 'A charge has ended', { event_id })
  const webhooks = await call('listStoreWebhooks', null)
  const of_webhook = { webhook_id: webhooks.items[0].id as string }
  await call('listStoreWebhookDeliveries', 'Of one charge', { ...of_webhook, query: of_charge })
  await call('getStoreWebhookDelivery', 'Delivered', { ...of_webhook, event_id })
  await call('listStoreTransactionHistory', 'One charge', { query: { id: charge_id } })
  const ledgers = await call('listChargeLedgers', 'Sale and refund', { charge_id })
  await call('getLedger', 'A sale', { ledger_id: ledgers.items.at(-1).id })
}

async function checkOut({ call }: Recorder): Promise<void> {
  const line_items = [{ name: 'Bouquet', quantity: 2, amount: 500 }]
  const success_url = 'https://shop.example/thanks?session={CHECKOUT_SESSION_ID}'
  await call('createCheckoutSession', 'Two bouquets', {
    body: { ...yen, line_items, success_url, cancel_url: 'https://shop.example/cart' },
  })
  await call('createPaymentLink', 'Ten seats', {
    body: { name: 'Ikebana class', amount: 4000, currency: 'JPY', max_uses: 10 },
  })
}

async function beDisputed({ call, work }: Recorder): Promise<void> {
  const token = await call('createToken', null, {
    body: { payment_type: 'card', email, data: card },
  })
  const body = { transaction_token_id: token.id, ...yen }
  const { id: charge_id } = await call('createCharge', null, { body })
  await work()
  const { id: dispute_id } = await call('createTestDispute', null, { charge_id, body: {} })
  const explanation = 'The parcel was delivered on Monday.'
  await call('updateDispute', 'Evidence is sent', {
    dispute_id,
    body: { evidence: { explanation }, submit: true },
  })
  await work()
}

async function payOut(world: World, shop: TestMerchant, { call }: Recorder): Promise<void> {
  const { id: bank_account_id } = await call('createBankAccount', 'In Japan', {
    body: {
      holder_name: 'AOYAMA FLOWERS KK',
      bank_name: 'Aozora Bank',
      branch_name: 'Shinsei',
      account_number: '1234567',
      country: 'JP',
      currency: 'JPY',
    },
  })
  await call('getBankAccount', 'The account', { bank_account_id })
  await call('updateBankAccount', 'A savings account', {
    bank_account_id,
    body: { account_type: 'savings' },
  })
  await call('listBankAccounts', 'One account')
  const out = payouts(world, shop)
  const { id: transfer_id } = await out.onlyTransfer()
  await out.move(transfer_id, 'approve', 'process', 'pay')
  await call('listTransfers', 'Paid', { query: { status: 'paid' } })
  await call('getTransfer', 'Paid', { transfer_id })
  await call('listTransferStatusChanges', 'From created to paid', { transfer_id })
}

async function askAndLogIn(world: World, shop: TestMerchant, { call }: Recorder): Promise<void> {
  await call('getGatewayInfo', 'On the web', {
    body: { ...yen, call_method: 'http_get' },
  })
  await call('calculateExchangeRate', 'Dollars in yen', {
    body: { amount: 1000, currency: 'USD', to: 'JPY' },
  })
  await call('getPlatform', 'This service')
  await call('listTestScenarios', 'All of them')
  await call('advanceTestClock', 'A month', { body: { advance: 'P1M' } })
  await call('getTestClock', 'A month ahead')
  const user = await newUser(world, shop, { email: 'hanako@shop.example' })
  await call('logIn', 'Without an app', { body: { email: user.email, password } })
}
