// The shop's objects at the payment service. Existing ones are found first, so starting again creates
// nothing twice.
import { Kaikei } from '../../client/dist/kaikei-client.js' // In your own shop: 'kaikei-client'

const { KAIKEI_URL, KAIKEI_SECRET, KAIKEI_JWT, PORT = '3000' } = process.env

export const port = Number(PORT)
/** Where customers and webhooks reach the shop; another address than its own behind a proxy. */
export const shop_url = process.env.SHOP_URL ?? `http://127.0.0.1:${port}`

/** The secret never leaves this server. The JWT alone may be in a page: it can only create tokens. */
export const app_token = KAIKEI_JWT
export const kaikei = new Kaikei({ base_url: KAIKEI_URL, secret: KAIKEI_SECRET, jwt: KAIKEI_JWT })

const triggers = ['checkout_completed', 'checkout_expired', 'charge_finished']

async function findWebhook() {
  const url = `${shop_url}/webhook`
  for await (const webhook of kaikei.webhooks.list()) {
    if (webhook.url !== url) continue
    // The service switches a webhook off whose receiver was down for days.
    return kaikei.webhooks.update(webhook.id, { triggers, active: true })
  }
  return kaikei.webhooks.create({ url, triggers })
}

/** Gift cards: customers choose the amount, and the link can be sent to anyone. */
async function findGiftLink() {
  const success_url = `${shop_url}/orders/{CHECKOUT_SESSION_ID}`
  for await (const link of kaikei.paymentLinks.list({ active: true })) {
    if (link.success_url === success_url) return link
  }
  return kaikei.paymentLinks.create({
    name: 'ギフトカード Gift card',
    amount_choice: { min: 1000, max: 50_000, suggested: 5000 },
    currency: 'JPY',
    success_url,
    cancel_url: `${shop_url}/`,
  })
}

const webhook = await findWebhook()
export const webhook_secret = (await kaikei.webhooks.getSecret(webhook.id)).secret
export const gift_link = await findGiftLink()
/** The origin of all pages and frames on which customers pay. */
export const checkout_origin = new URL(gift_link.url).origin
