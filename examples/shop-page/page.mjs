// The page of every example shop. The number of the card goes from here to the payment service, which
// gives a token for it; the shop gets the token only.
import { Kaikei, KaikeiError } from '/kaikei-client.js'

async function post(path, body = {}) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.json()
}

const { order, base_url, jwt } = await post('/orders')
// The JWT without its secret may create tokens, from the domains of the application token.
const kaikei = new Kaikei({ base_url, jwt })

const form = document.querySelector('form')
const button = document.querySelector('button')
const result = document.querySelector('[role=status]')

/** Whether the order is paid is known to the shop, which gets a webhook. */
async function paidOrder() {
  for (;;) {
    const { status } = await (await fetch(`/orders/${order.id}`)).json()
    if (status !== 'pending') return status
    await new Promise((later) => setTimeout(later, 300))
  }
}

async function pay() {
  const { email, ...data } = Object.fromEntries(new FormData(form))
  const token = await kaikei.tokens.create({ payment_type: 'card', email, data })
  await post(`/orders/${order.id}/payments`, { transaction_token_id: token.id })
  return paidOrder()
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  button.disabled = true
  result.textContent = 'Paying …'
  try {
    const is_paid = (await pay()) === 'paid'
    result.textContent = is_paid ? 'Paid. Thank you!' : 'The payment failed. Try another card.'
    button.disabled = is_paid
  } catch (error) {
    if (!(error instanceof KaikeiError)) throw error
    result.textContent = error.message
    button.disabled = false
  }
})
