// Everything that the shop asks the payment service for.
import { KaikeiError, verifyWebhook } from '../../client/dist/kaikei-client.js'
import { followCharge, followSession, isCartOf, newOrder, setStatus } from './orders.mjs'
import { findProduct } from './products.mjs'
import { gift_link, kaikei, shop_url, webhook_secret } from './set-up.mjs'

/**
 * The order of a visitor's cart. The same cart is the same order, so that two clicks are not two orders;
 * an order that is changed, or paid in another way, is closed before there is a new one.
 */
export async function orderFor(visitor, way) {
  const { order } = visitor
  if (order && ['open', 'failed'].includes(order.status)) {
    if (order.way === way && isCartOf(visitor, order.items)) return order
    await closeOrder(order)
    if (order.status !== 'canceled') return order
  }
  visitor.order = newOrder(visitor, way)
  return visitor.order
}

/** A session that is closed cannot be paid; one that is being paid cannot be closed. */
async function closeOrder(order) {
  if (!order.session_id) return setStatus(order, 'canceled', 'shop')
  try {
    followSession(await kaikei.checkoutSessions.cancel(order.session_id), 'shop')
  } catch (error) {
    if (!(error instanceof KaikeiError) || error.code !== 'CHECKOUT_SESSION_ENDED') throw error
    await refreshOrder(order)
  }
}

/** A page of the payment service on which the order is paid. All that matters is said here, not there. */
export async function openSession(order, language) {
  if (order.session_id) return order
  const { id, amount, currency, items } = order
  const session = await kaikei.checkoutSessions.create(
    {
      amount,
      currency,
      line_items: items.map((item) => ({
        name: findProduct(item.id)[language].name,
        quantity: item.quantity,
        amount: item.price,
      })),
      locale: language,
      metadata: { order_id: id },
      success_url: `${shop_url}/orders/${id}`,
      cancel_url: `${shop_url}/cart`,
    },
    // Two requests for the same order get the same session.
    { idempotency_key: id },
  )
  order.session_id = session.id
  followSession(session, 'shop')
  return order
}

/** Charges a card that was typed into the frames of the card form. */
export async function chargeCard(order, transaction_token_id) {
  if (order.status !== 'open' && order.status !== 'failed') return
  Object.assign(order, { transaction_token_id, charge_id: null })
  setStatus(order, 'waiting', 'shop')
  await createCharge(order)
}

/** The amount is that of the order. A call whose response was lost is repeated, and charges once. */
async function createCharge(order) {
  const { id, amount, currency, transaction_token_id } = order
  const metadata = { order_id: id }
  const three_ds = { redirect_endpoint: `${shop_url}/orders/${id}` }
  try {
    const charge = await kaikei.charges.create(
      { transaction_token_id, amount, currency, metadata, three_ds },
      { idempotency_key: `${id}:${transaction_token_id}` },
    )
    order.charge_id = charge.id
  } catch (error) {
    if (!isRefusal(error)) throw error
    return setStatus(order, 'failed', error.code)
  }
  followCharge(await kaikei.charges.get(order.charge_id, { polling: true }), 'read')
}

/** The service has refused, and done nothing; without a response, or after 500, that is not known. */
const isRefusal = (error) =>
  error instanceof KaikeiError && error.status >= 400 && error.status < 500

/** Asks the service how an order stands. */
export async function refreshOrder(order) {
  const { way, status, session_id, charge_id } = order
  if (session_id) followSession(await kaikei.checkoutSessions.get(session_id), 'read')
  else if (charge_id) followCharge(await kaikei.charges.get(charge_id), 'read')
  else if (way === 'card' && status === 'waiting') await createCharge(order)
}

/** Where the cardholder confirms a charge that waits for 3-D Secure; null: it does not. */
export async function bankForm({ way, status, charge_id }) {
  if (way !== 'card' || status !== 'waiting' || !charge_id) return null
  const { status: charge_status } = await kaikei.charges.get(charge_id)
  return charge_status === 'awaiting' ? kaikei.charges.getThreeDsIssuerToken(charge_id) : null
}

/** The customer of the gift link comes back with the id of the session, perhaps before the webhook. */
export async function findGift(session_id) {
  const session = await kaikei.checkoutSessions.get(session_id)
  if (session.payment_link_id === gift_link.id) followSession(session, 'read')
}

/** Rejects when the service has not signed the message. */
export async function receiveWebhook(body, headers) {
  const { event, data } = await verifyWebhook(body, headers, webhook_secret)
  if (event === 'charge_finished') followCharge(data, 'webhook')
  if (event === 'checkout_completed' || event === 'checkout_expired') followSession(data, 'webhook')
}
