// The page of every example shop. Each card field is a frame of the payment service, with the keyboard and
// the autofill of a card: neither this page nor the shop's server ever has a card number.
const form = document.querySelector('form')
const button = document.querySelector('button')
const result = document.querySelector('[role=status]')

async function post(path, body = {}) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.json()
}

function load(address) {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: address })
    script.onload = resolve
    script.onerror = reject
    document.head.append(script)
  })
}

const { order, base_url, jwt } = await post('/orders')
await load(`${base_url}/checkout.js`)
// The JWT without its secret may create tokens, from the domains of the application token.
const fields = Kaikei.fields({
  app_token: jwt,
  fields: {
    card_number: '#card_number',
    expiry: '#expiry',
    cvv: '#cvv',
    cardholder: '#cardholder',
  },
  style: { height: 40, padding_x: 12 },
})
const errors = {}
fields.addEventListener('change', ({ detail }) => {
  errors[detail.field] = detail.error
  result.textContent = Object.values(errors).find(Boolean) ?? ''
})

/** Whether the order is paid is known to the shop, which gets a webhook. */
async function paidOrder() {
  for (;;) {
    const { status } = await (await fetch(`/orders/${order.id}`)).json()
    if (status !== 'pending') return status
    await new Promise((later) => setTimeout(later, 300))
  }
}

async function pay() {
  const { email } = Object.fromEntries(new FormData(form))
  const transaction_token_id = await fields.createToken({ email })
  result.textContent = 'Paying …'
  await post(`/orders/${order.id}/payments`, { transaction_token_id })
  return paidOrder()
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  button.disabled = true
  try {
    const is_paid = (await pay()) === 'paid'
    result.textContent = is_paid ? 'Paid. Thank you!' : 'The payment failed. Try another card.'
    button.disabled = is_paid
  } catch (error) {
    // A wrong field has said why already.
    if (error.code !== 'VALIDATION_ERROR') result.textContent = error.message
    button.disabled = false
  }
})
