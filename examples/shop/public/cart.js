// The cart: a changed quantity is sent immediately, and the checkout can be shown over this page.
for (const form of document.querySelectorAll('[data-quantity]')) {
  form.querySelector('button').hidden = true
  form.addEventListener('change', () => form.requestSubmit())
}

const button = document.querySelector('[data-overlay]')
const fault = document.querySelector('[data-fault]')

async function pay() {
  const headers = { accept: 'application/json' }
  const response = await fetch('/checkout', { method: 'POST', headers })
  const { session_url, order_url } = await response.json()
  const { status } = await window.Kaikei.checkout(session_url).open()
  if (status === 'completed') return location.assign(order_url)
  // Closed, perhaps with a number to pay at a convenience store: then the order is placed.
  const order = await (await fetch(`${order_url}/status`)).json()
  if (order.status !== 'open') location.assign(order_url)
}

// Without the script of the payment service there is still the button that leads to its page.
button.hidden = !window.Kaikei
button.addEventListener('click', async () => {
  button.disabled = true
  fault.hidden = true
  try {
    await pay()
  } catch {
    fault.textContent = fault.dataset.fault
    fault.hidden = false
  }
  button.disabled = false
})
