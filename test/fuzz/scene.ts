import { createUser } from '../../src/accounts/users/create-user.ts'
import { createTransfers } from '../../src/commerce/transfers/create-transfers.ts'
import { signMessage } from '../../src/core/access/webhook-signature.ts'
import { simulatorSecret } from '../../src/simulator/simulator.ts'
import { runAllDue } from '../../src/worker/worker.ts'
import { enrol, newUser, password } from '../support/console-users.ts'
import { payments } from '../support/payments.ts'
import { type MailServer, textOf } from '../support/receiver/mail-server.ts'
import type { ApiResponse, TestMerchant, World } from '../support/world.ts'
import type { KnownResources } from './known-resources.ts'

type Note = (operation: string, response: ApiResponse) => void

/**
 * States that random requests seldom reach: charges that are held, wait or were paid by each payment
 * method, confirmations by mail, signed notifications, logins with a second factor.
 */
export async function playScene(
  world: World,
  shop: TestMerchant,
  known: KnownResources,
  mails: MailServer,
  note: Note,
): Promise<void> {
  const pay = payments(world, shop)
  const store = { store_id: shop.store_id }
  const remember = (name: string, id: string) => known.add(name, { ...store, [name]: id })
  const waiting = [
    await pay.waiting('online', { brand: 'alipay_online', call_method: 'http_get' }),
    await pay.waiting('qr_merchant', { brand: 'pay_pay_merchant' }),
    await pay.waiting('bank_transfer', { brand: 'aozora_bank' }),
  ]
  for (const id of waiting) remember('charge_id', id)
  const { body: challenged } = await pay.charge({}, { data: { card_number: '4000000000003220' } })
  remember('charge_id', challenged.id)
  const { body: held } = await pay.charge({ capture: false })
  remember('charge_id', held.id)
  remember('charge_id', (await pay.settled()).id)
  remember('charge_id', await pay.paidOnline())
  remember('token_id', await pay.tokenId({ type: 'recurring' }))
  const three_ds = { enabled: true }
  const card_number = '4000000000003220'
  remember('token_id', await pay.tokenId({ type: 'recurring' }, { card_number, three_ds }))
  const subscribed = await pay.post('/subscriptions', {
    transaction_token_id: await pay.tokenId({ type: 'recurring' }),
    amount: 500,
    currency: 'JPY',
    period: 'monthly',
  })
  if (subscribed.status === 201) remember('subscription_id', subscribed.body.id)
  await pay.work()
  note(
    'POST /stores/{store_id}/charges/{charge_id}/capture',
    await pay.post(`${pay.chargePath(held.id)}/capture`),
  )
  await lookAtMoney(world, shop, waiting[2] ?? '', note)
  await lookAtDeliveries(world, shop, note)
  await confirmToken(world, shop, mails, note)
  await notify(world, shop, waiting[0] ?? '', note)
  await signIn(world, shop, note)
  await createTransfers(world.service, { merchant_id: shop.id, started_by: 'operator' })
  await runAllDue(world.service)
}

/** Refunds, ledger entries, and bank transfers that arrive. */
async function lookAtMoney(world: World, shop: TestMerchant, transfer_id: string, note: Note) {
  const pay = payments(world, shop)
  const charge = '/stores/{store_id}/charges/{charge_id}'
  const { id } = await pay.settled()
  const refund = await pay.post(`${pay.chargePath(id)}/refunds`, { amount: 10, currency: 'JPY' })
  const change = { id: refund.body.id, metadata: { a: 1 } }
  note(`PATCH ${charge}/refunds`, await pay.patch(`${pay.chargePath(id)}/refunds`, change))
  const ledgers = await pay.get(`${pay.chargePath(id)}/ledgers`)
  const [entry] = ledgers.body.items
  note('GET /ledgers/{ledger_id}', await pay.get(`/ledgers/${entry?.id}`))
  const deposit = await pay.post(`/test/charges/${transfer_id}/deposits`, { amount: 1000 })
  note('POST /test/charges/{charge_id}/deposits', deposit)
  await pay.work()
  const path = `${pay.chargePath(transfer_id)}/bank_transfer_ledgers`
  const seen = await world.call('GET', path, { auth: shop.as_merchant })
  note(`GET ${charge}/bank_transfer_ledgers`, seen)
}

async function lookAtDeliveries(world: World, shop: TestMerchant, note: Note): Promise<void> {
  const pay = payments(world, shop)
  const hooks = `/stores/${shop.store_id}/webhooks`
  const { items } = (await pay.get(hooks)).body
  if (items.length === 0) {
    const triggers = ['charge_finished', 'token_created']
    await pay.post(hooks, { url: 'http://127.0.0.1:9/scene', triggers })
    await pay.settled()
  }
  for (const { id } of (await pay.get(hooks)).body.items) {
    const [event] = (await pay.get(`${hooks}/${id}/events`)).body.items
    if (!event) continue
    const one = await pay.get(`${hooks}/${id}/events/${event.id}`)
    note('GET /stores/{store_id}/webhooks/{webhook_id}/events/{event_id}', one)
  }
}

async function confirmToken(world: World, shop: TestMerchant, mails: MailServer, note: Note) {
  const pay = payments(world, shop)
  const id = await pay.tokenId({ type: 'recurring', use_confirmation: true })
  await pay.work()
  const confirmation_code = /^\d{6}$/m.exec(textOf(mails.mails.at(-1) ?? ''))?.[0] ?? ''
  const path = `/stores/${shop.store_id}/tokens/${id}/confirm`
  note(
    'POST /stores/{store_id}/tokens/{token_id}/confirm',
    await pay.post(path, { confirmation_code }),
  )
  mails.mails.length = 0
}

/** A provider's notification, with its signature. */
async function notify(world: World, { id: merchant_id }: TestMerchant, id: string, note: Note) {
  const body = JSON.stringify({ merchant_id, resource_type: 'charge', resource_id: id })
  const timestamp = Math.floor(world.clock.now() / 1000)
  const secret = simulatorSecret(world.service.keys)
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signMessage([secret], { id: 'msg_1', timestamp, body }),
  }
  note(
    'POST /callbacks/{provider}',
    await world.call('POST', '/callbacks/simulator', { body, headers }),
  )
}

async function signIn(world: World, shop: TestMerchant, note: Note): Promise<void> {
  world.clock.advance(60_000)
  const { email } = await newUser(world, shop)
  const { auth } = await enrol(world, email)
  note('POST /me/totp/confirm', await world.call('GET', '/me/user', { auth }))
  note('POST /logout', await world.call('POST', '/logout', { auth, body: {} }))
  const new_user = { merchant_id: shop.id, name: 'New', role: 'staff', lang: 'en' } as const
  const { link } = await createUser(world.service, { ...new_user, email: `x${email}` })
  const path = `/password_resets/${link.split('/').at(-1)}`
  note('POST /password_resets/{link}', await world.call('POST', path, { body: { password } }))
}
