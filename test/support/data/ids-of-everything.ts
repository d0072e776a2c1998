import { createTransfers } from '../../../src/commerce/transfers/create-transfers.ts'
import { loginToken, newUser } from '../console-users.ts'
import { payments } from '../payments.ts'
import type { TestMerchant, World } from '../world.ts'

export const declaration = {
  customs: 'NINGBO',
  merchant_customs_no: '1',
  certificate_id: '2',
  certificate_name: 'N',
}

/** A resource of each kind, created over HTTP for one merchant. */
export async function makeIds(world: World, owner: TestMerchant): Promise<Record<string, string>> {
  const auth = owner.as_merchant
  const { store_id } = owner
  const create = async (path: string, body: object) =>
    (await world.call('POST', path, { auth, body })).body
  const pay = payments(world, owner)
  const charge = await pay.settled({ amount: 100 })
  const held = await pay.settled({ capture: false })
  const refund = await pay.post(`${pay.chargePath(charge.id)}/refunds`, {
    amount: 1,
    currency: 'JPY',
  })
  const cancel = await pay.post(`${pay.chargePath(held.id)}/cancels`)
  await pay.work()
  const ledgers = await pay.get(`${pay.chargePath(charge.id)}/ledgers`)
  const challenged = { card_number: '4000000000003220', three_ds: { enabled: true } }
  const token = await pay.tokenId({ type: 'recurring' }, challenged)
  const waiting = {
    online: await pay.waiting('online', { brand: 'alipay_online', call_method: 'http_get' }),
    qr: await pay.waiting('qr_merchant', { brand: 'we_chat_mpm' }),
    bank: await pay.waiting('bank_transfer', { brand: 'aozora_bank' }),
    three_ds: (await pay.settled({ three_ds_mode: 'force' })).id,
  }
  const declared = await pay.paidOnline()
  const customs = await pay.post(`${pay.chargePath(declared)}/customs`, { declaration })
  await pay.work()
  const subscription = await pay.post('/subscriptions', {
    transaction_token_id: await pay.tokenId({ type: 'recurring' }),
    amount: 100,
    currency: 'JPY',
    period: 'monthly',
  })
  const batch = await pay.post('/subscriptions/batches', {
    subscriptions: [{ transaction_token_id: token, amount: 1, currency: 'JPY', period: 'daily' }],
  })
  await pay.work()
  const subscription_path = `/stores/${store_id}/subscriptions/${subscription.body.id}`
  const { next_payment } = (await pay.get(subscription_path)).body
  const [transfer] = await createTransfers(world.service, {
    merchant_id: owner.id,
    started_by: 'operator',
  })
  const yen = { amount: 100, currency: 'JPY' }
  const checkout = await pay.post('/checkout_sessions', yen)
  const link = await pay.post('/payment_links', { name: 'Tea', ...yen })
  const disputed = await pay.settled()
  const dispute = await pay.post(`/test/charges/${disputed.id}/disputes`)
  const dispute_path = `/stores/${store_id}/disputes/${dispute.body.id}`
  const note = { name: 'a.txt', content_type: 'text/plain', content: 'aGVsbG8=' }
  const with_file = await pay.post(`${dispute_path}/files`, note)
  const alias = await pay.post('/tokens/alias', {
    transaction_token_id: token,
    valid_until: new Date(world.clock.now() + 80_000_000).toISOString(),
  })
  return {
    merchant_id: owner.id,
    store_id,
    transfer_id: transfer?.id ?? '',
    // Belongs to the installation: only operators can access it.
    connector_id: crypto.randomUUID(),
    alias_key: alias.body.key,
    token_id: charge.transaction_token_id,
    charge_id: charge.id,
    canceled_charge_id: held.id,
    declared_charge_id: declared,
    customs_declaration_id: customs.body.id,
    online_charge_id: waiting.online,
    qr_charge_id: waiting.qr,
    bank_charge_id: waiting.bank,
    challenged_charge_id: waiting.three_ds,
    challenged_token_id: token,
    subscription_id: subscription.body.id,
    batch_id: batch.body.id,
    payment_id: next_payment.id,
    checkout_session_id: checkout.body.id,
    payment_link_id: link.body.id,
    dispute_id: dispute.body.id,
    file_id: with_file.body.files[0].id,
    refund_id: refund.body.id,
    cancel_id: cancel.body.id,
    ledger_id: ledgers.body.items[0].id,
    customer_key: (await world.call('GET', '/customers', { auth })).body.items[0].id,
    app_token_id: (await create(`/stores/${store_id}/app_jwts`, {})).jti,
    merchant_app_token_id: (await create('/app_jwts', {})).jti,
    ...(await makeDeliveries(world, owner)),
    ...(await makeUser(world, owner)),
    bank_account_id: (
      await create('/bank_accounts', {
        holder_name: 'A',
        bank_name: 'B',
        country: 'JP',
        currency: 'JPY',
        account_number: '1234567',
      })
    ).id,
  }
}

async function makeUser(world: World, owner: TestMerchant): Promise<Record<string, string>> {
  const { id, email } = await newUser(world, owner)
  const auth = await loginToken(world, email)
  const { items } = (await world.call('GET', '/me/sessions', { auth })).body
  return { user_id: id, session_id: items[0].id }
}

/** A webhook of the store and one of the merchant, each with a delivery and a replay. */
async function makeDeliveries(world: World, owner: TestMerchant): Promise<Record<string, string>> {
  const auth = owner.as_merchant
  const create = async (path: string, body: object) =>
    (await world.call('POST', path, { auth, body })).body
  const of_store = `/stores/${owner.store_id}/webhooks`
  const triggers = ['charge_finished']
  const webhook = await create(of_store, { url: 'http://127.0.0.1:9/s', triggers })
  const merchant_webhook = await create('/webhooks', { url: 'http://127.0.0.1:9/m', triggers })
  const { items } = (await world.call('GET', '/events?event=charge_finished', { auth })).body
  const event_id = items[0].id
  await create(`${of_store}/${webhook.id}/events/${event_id}/redeliver`, {})
  await create(`/webhooks/${merchant_webhook.id}/events/${event_id}/redeliver`, {})
  return {
    event_id,
    webhook_id: webhook.id,
    merchant_webhook_id: merchant_webhook.id,
    replay_id: (await create(`${of_store}/${webhook.id}/replays`, {})).id,
    merchant_replay_id: (await create(`/webhooks/${merchant_webhook.id}/replays`, {})).id,
  }
}
