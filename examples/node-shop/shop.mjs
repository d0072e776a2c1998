// A shop: the page creates a token, this server charges it, a webhook says that the order is paid.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
// In your own program: import { … } from 'kaikei-client'
import { Kaikei, KaikeiError, verifyWebhook } from '../../client/dist/kaikei-client.js'

const base_url = process.env.KAIKEI_URL ?? 'http://127.0.0.1:8080'
const { jwt, secret } = JSON.parse(readFileSync(process.env.KAIKEI_TOKEN ?? 'data/shop-token.json'))
const port = Number(process.env.PORT ?? 3000)
const kaikei = new Kaikei({ base_url, jwt, secret })

/** In a real shop this is a table. */
const orders = new Map()

function newOrder() {
  const order = { id: randomUUID(), amount: 1200, currency: 'JPY', status: 'open' }
  orders.set(order.id, order)
  return { order, base_url, jwt }
}

/** The amount is that of the order: a page could send another one. */
async function payOrder(order, { transaction_token_id }) {
  if (order.status === 'pending' || order.status === 'paid') return order
  Object.assign(order, { status: 'pending', transaction_token_id })
  const { amount, currency, id } = order
  try {
    await kaikei.charges.create(
      { transaction_token_id, amount, currency, metadata: { order_id: id } },
      // Should this server die now, the same call later does not charge twice.
      { idempotency_key: `${id}:${transaction_token_id}` },
    )
  } catch (error) {
    order.status = 'failed'
    console.error(error instanceof KaikeiError ? `${error.code} ${error.message}` : error)
  }
  return order
}

/** A webhook may come more than once, which changes nothing here. */
function chargeFinished({ status, metadata, charged_amount, transaction_token_id }) {
  const order = orders.get(metadata.order_id)
  if (!order || order.status === 'paid') return
  if (status === 'successful' && charged_amount === order.amount) order.status = 'paid'
  else if (transaction_token_id === order.transaction_token_id) order.status = 'failed'
  console.log(`order ${order.id} is ${order.status}`)
}

async function receiveWebhook(body, headers) {
  const event = await verifyWebhook(body, headers, webhook_secret)
  if (event.event === 'charge_finished') chargeFinished(event.data)
}

const files = {
  '/': ['text/html; charset=utf-8', '../shop-page/page.html'],
  '/page.css': ['text/css', '../shop-page/page.css'],
  '/page.mjs': ['text/javascript', '../shop-page/page.mjs'],
  '/kaikei-client.js': ['text/javascript', '../../client/dist/kaikei-client.js'],
}
const policy = `default-src 'self'; img-src data:; connect-src 'self' ${base_url}`

function answer(response, status, body) {
  const text = body === undefined ? '' : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

async function handle(request, response, body) {
  const { method, url, headers } = request
  const [type, path] = files[url] ?? []
  if (method === 'GET' && path) {
    const head = { 'content-type': type, 'content-security-policy': policy }
    return response.writeHead(200, head).end(readFileSync(new URL(path, import.meta.url)))
  }
  if (method === 'POST' && url === '/webhook') {
    await receiveWebhook(body, headers)
    return answer(response, 204)
  }
  if (method === 'POST' && url === '/orders') return answer(response, 201, newOrder())
  const [, id, part] = /^\/orders\/([^/]+)(\/payments)?$/.exec(url) ?? []
  const order = orders.get(id)
  if (order && method === 'GET' && !part) return answer(response, 200, order)
  if (order && method === 'POST' && part) {
    return answer(response, 202, await payOrder(order, JSON.parse(body)))
  }
  return answer(response, 404, { message: 'There is no such page.' })
}

const server = createServer(async (request, response) => {
  try {
    const parts = []
    for await (const part of request) parts.push(part)
    await handle(request, response, Buffer.concat(parts))
  } catch (error) {
    const is_forged = error instanceof KaikeiError && error.code === 'INVALID_SIGNATURE'
    if (!is_forged) console.error(error)
    answer(response, is_forged ? 401 : 500, { message: is_forged ? error.message : 'Sorry.' })
  }
})

/** The webhook of this shop, found or created, and what verifies its messages. */
async function webhookSecret(url) {
  for await (const webhook of kaikei.webhooks.list()) {
    if (webhook.url === url) return (await kaikei.webhooks.getSecret(webhook.id)).secret
  }
  const { id } = await kaikei.webhooks.create({ url, triggers: ['charge_finished'] })
  return (await kaikei.webhooks.getSecret(id)).secret
}

await new Promise((listening) => server.listen(port, '127.0.0.1', listening))
const shop_url = `http://127.0.0.1:${server.address().port}`
const webhook_secret = await webhookSecret(`${shop_url}/webhook`)
console.log(`shop at ${shop_url}/`)
