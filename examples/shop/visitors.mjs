// The visitors of the shop: a random id in a cookie, and what they have put into their cart.
import { randomUUID } from 'node:crypto'
import { findProduct } from './products.mjs'
import { shop_url } from './set-up.mjs'

/** In a real shop this is a table. */
const visitors = new Map()
const max_visitors = 10_000
const max_quantity = 9

export function findVisitor({ headers }) {
  const [, id] = /(?:^|; )shop_visitor=([\w-]+)/.exec(headers.cookie ?? '') ?? []
  const preferred = /^ja\b/i.test(headers['accept-language'] ?? '') ? 'ja' : 'en'
  return visitors.get(id) ?? { id: null, cart: {}, order: null, language: preferred }
}

/** Visitors who only look around need no cookie. Returns the headers that set one. */
export function keepVisitor(visitor) {
  if (visitor.id) return {}
  visitor.id = randomUUID()
  visitors.set(visitor.id, visitor)
  if (visitors.size > max_visitors) visitors.delete(visitors.keys().next().value)
  const secure = shop_url.startsWith('https:') ? '; Secure' : ''
  return { 'set-cookie': `shop_visitor=${visitor.id}; Path=/; HttpOnly; SameSite=Lax${secure}` }
}

/** Sets how many of a product are in the cart; without a quantity it is one more. */
export function changeCart({ cart }, product_id, quantity) {
  if (!findProduct(product_id)) return
  const wanted = quantity === null ? (cart[product_id] ?? 0) + 1 : Number(quantity)
  if (wanted >= 1) cart[product_id] = Math.min(Math.trunc(wanted), max_quantity)
  else delete cart[product_id]
}

export const countItems = ({ cart }) =>
  Object.values(cart).reduce((sum, quantity) => sum + quantity, 0)
