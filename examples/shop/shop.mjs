// The shop: a server of pages. Begin to read at `routes`.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { KaikeiError } from '../../client/dist/kaikei-client.js'
import { findOrder, isFinal } from './orders.mjs'
import { cardPage, cartPage, messagePage, orderPage, policy, productsPage } from './pages.mjs'
import {
  bankForm,
  chargeCard,
  findGift,
  openSession,
  orderFor,
  receiveWebhook,
  refreshOrder,
} from './payments.mjs'
import { port, shop_url } from './set-up.mjs'
import { changeCart, countItems, findVisitor, keepVisitor } from './visitors.mjs'

const page = (content, status = 200) => ({ status, type: 'text/html; charset=utf-8', content })
const json = (data) => ({ status: 200, type: 'application/json', content: JSON.stringify(data) })
const redirect = (location) => ({ status: 303, headers: { location } })
const notFound = (visitor) => page(messagePage({ visitor, name: 'missing' }), 404)

function postToCart({ visitor, form }) {
  const headers = keepVisitor(visitor)
  changeCart(visitor, form.get('product'), form.get('quantity'))
  return { status: 303, headers: { ...headers, location: '/cart' } }
}

async function showCart({ visitor }) {
  if (visitor.order && !isFinal(visitor.order)) await refreshOrder(visitor.order)
  return page(cartPage({ visitor }))
}

/** Where a visitor is sent whose cart is empty: to the order that it has become, if there is one. */
const withoutCart = ({ order }) => redirect(order ? `/orders/${order.id}` : '/cart')

/** Without scripts the customer is sent to the page of the session; a script shows it over the cart. */
async function postCheckout({ visitor, accept }) {
  if (countItems(visitor) === 0) return withoutCart(visitor)
  const order = await orderFor(visitor, 'session')
  if (order.status === 'open') await openSession(order, visitor.language)
  const order_url = `/orders/${order.id}`
  const session_url = order.status === 'open' ? order.session_url : order_url
  return accept === 'application/json' ? json({ session_url, order_url }) : redirect(session_url)
}

function showCardForm({ visitor }) {
  return countItems(visitor) === 0 ? withoutCart(visitor) : page(cardPage({ visitor }))
}

/** The form has no card number, only the id of the token that the frames have created. */
async function postCard({ visitor, form }) {
  if (countItems(visitor) === 0) return withoutCart(visitor)
  const order = await orderFor(visitor, 'card')
  await chargeCard(order, form.get('transaction_token_id'))
  return redirect(`/orders/${order.id}`)
}

async function readOrder(id) {
  const order = findOrder(id)
  if (!order) await findGift(id)
  else if (!isFinal(order)) await refreshOrder(order)
  return findOrder(id)
}

async function showOrder({ visitor, id }) {
  const order = await readOrder(id)
  if (!order) return notFound(visitor)
  return page(orderPage({ visitor, order, bank: await bankForm(order) }))
}

async function tellStatus({ visitor, id }) {
  const order = await readOrder(id)
  return order ? json({ status: order.status }) : notFound(visitor)
}

async function postWebhook({ body, headers }) {
  await receiveWebhook(body, headers)
  return { status: 204 }
}

/** `:id` is the id of an order. */
const routes = {
  'GET /': ({ visitor }) => page(productsPage({ visitor })),
  'GET /cart': showCart,
  'POST /cart': postToCart,
  'POST /checkout': postCheckout,
  'GET /card': showCardForm,
  'POST /card': postCard,
  'GET /orders/:id': showOrder,
  'GET /orders/:id/status': tellStatus,
  'POST /webhook': postWebhook,
}

const types = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' }
const folder = new URL('public/', import.meta.url)
for (const name of readdirSync(folder)) {
  const content = readFileSync(new URL(name, folder))
  routes[`GET /${name}`] = () => ({ status: 200, type: types[name.split('.')[1]], content })
}

const max_bytes = 1024 * 1024

async function readBody(request) {
  const parts = []
  let bytes = 0
  for await (const part of request) {
    bytes += part.length
    if (bytes > max_bytes) throw new Error('The body is too large.')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function answer(request, visitor) {
  const { method, headers } = request
  const { pathname, searchParams } = new URL(request.url, shop_url)
  const language = searchParams.get('language')
  if (method === 'GET' && (language === 'ja' || language === 'en')) {
    visitor.language = language
    // Absolute: a path that begins with two slashes would lead to another site.
    return { status: 303, headers: { ...keepVisitor(visitor), location: shop_url + pathname } }
  }
  const [, id] = /^\/orders\/([\da-f-]{36})(?=\/|$)/.exec(pathname) ?? []
  const route = routes[`${method} ${id ? pathname.replace(id, ':id') : pathname}`]
  if (!route) return notFound(visitor)
  const body = await readBody(request)
  const form = new URLSearchParams(String(body))
  return route({ visitor, id, form, body, headers, accept: headers.accept })
}

/** The customer's text for a failure at the payment service. */
function answerError(error, visitor) {
  const code = error instanceof KaikeiError ? error.code : null
  if (code === 'INVALID_SIGNATURE') return { status: 401 }
  if (code === 'NOT_FOUND') return notFound(visitor)
  console.error(code ? `${code} ${error.message}` : error)
  return page(messagePage({ visitor, name: 'trouble' }), code ? 503 : 500)
}

const server = createServer(async (request, response) => {
  const visitor = findVisitor(request)
  const { status, type, headers, content } = await answer(request, visitor).catch((error) =>
    answerError(error, visitor),
  )
  response.writeHead(status, {
    ...(type ? { 'content-type': type } : {}),
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
    ...headers,
  })
  response.end(content && (Buffer.isBuffer(content) ? content : String(content)))
})
server.on('error', ({ code, message }) => {
  const is_taken = code === 'EADDRINUSE'
  console.error(is_taken ? `Port ${port} is in use. Choose another one: PORT=3001` : message)
  process.exit(1)
})
server.listen(port, '127.0.0.1', () => console.log(`shop at ${shop_url}/`))
