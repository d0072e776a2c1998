// The orders, and what becomes of them. An order is paid when the payment service says so: by a signed
// webhook, or when it is asked. That a customer arrives at a page says nothing; anyone can open it.
import { randomBytes, randomUUID } from 'node:crypto'
import { currency, priceItems, sumOf } from './products.mjs'
import { gift_link } from './set-up.mjs'

/** In a real shop this is a table. */
const orders = new Map()

/**
 * `way` is how it is paid: with a checkout `session`, with the shop's own `card` form, by `link`. Later the
 * order gets `session_id` and `session_url`, or `transaction_token_id` and `charge_id`; then `paid_on`.
 */
function addOrder(fields) {
  const order = { id: randomUUID(), status: 'open', items: [], currency, ...fields }
  orders.set(order.id, order)
  return order
}

/** An order of what is in the cart, with the prices of the shop. */
export function newOrder(visitor, way) {
  const items = priceItems(visitor.cart)
  return addOrder({ way, items, amount: sumOf(items), visitor })
}

/** A customer who pays at the link has an order from then on; its id is that of the session. */
function giftOrder({ id, amount }) {
  return addOrder({ id, way: 'link', amount, session_id: id })
}

export const findOrder = (id) => orders.get(id)

export const isFinal = ({ status }) => ['paid', 'expired', 'canceled'].includes(status)

const of_session = {
  open: 'open',
  processing: 'waiting',
  completed: 'paid',
  expired: 'expired',
  canceled: 'canceled',
}

/** Handles an event about a checkout session; the service may send one more than once. */
export function followSession(session, source) {
  const is_gift = session.payment_link_id === gift_link.id
  const order =
    orders.get(is_gift ? session.id : session.metadata.order_id) ??
    (is_gift ? giftOrder(session) : null)
  if (order?.amount !== session.amount || order.currency !== session.currency) return
  order.session_url = session.url
  setStatus(order, of_session[session.status], source)
}

/** Handles an event about a charge of the shop's own card form. */
export function followCharge(charge, source) {
  const order = orders.get(charge.metadata.order_id)
  if (order?.way !== 'card') return
  const { status, charged_amount, charged_currency, transaction_token_id } = charge
  const is_whole = charged_amount === order.amount && charged_currency === order.currency
  if (status === 'successful' && is_whole) return setStatus(order, 'paid', source)
  // An earlier card that was declined says nothing about this one.
  if (transaction_token_id !== order.transaction_token_id) return
  setStatus(order, status === 'pending' || status === 'awaiting' ? 'waiting' : 'failed', source)
}

/** A paid order stays paid: later or repeated events change nothing. */
export function setStatus(order, status, source) {
  if (order.status === 'paid' || order.status === status) return
  order.status = status
  console.log(`order ${order.id} is ${status} (${source})`)
  moveCart(order)
  if (status === 'paid') fulfil(order)
}

/** The cart is empty once its order is placed, and as it was when nothing came of that. */
function moveCart({ status, visitor, items }) {
  if (!visitor) return
  const is_placed = status === 'waiting' || status === 'paid'
  if (is_placed && isCartOf(visitor, items)) visitor.cart = {}
  else if (!is_placed && isCartOf(visitor, [])) {
    visitor.cart = Object.fromEntries(items.map(({ id, quantity }) => [id, quantity]))
  }
}

export function isCartOf({ cart }, items) {
  const isSame = ({ id, quantity }) => cart[id] === quantity
  return items.length === Object.keys(cart).length && items.every(isSame)
}

/** Runs once for each order. A real shop would send the goods, or the gift card by e-mail. */
function fulfil(order) {
  order.paid_on = new Date()
  if (order.way === 'link') order.gift_code = newGiftCode()
}

const newGiftCode = () => randomBytes(6).toString('hex').toUpperCase().match(/.{4}/g).join('-')
