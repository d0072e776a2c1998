// The card form. Number, expiry and security code are typed in frames of the payment service; this page
// gets the id of a token, and whether a field is complete.
const form = document.querySelector('#card')
const names = ['card_number', 'expiry', 'cvv', 'cardholder']

const fields = window.Kaikei.fields({
  app_token: form.dataset.appToken,
  fields: Object.fromEntries(names.map((name) => [name, `#${name}`])),
  style: { color: '#26231e', placeholder_color: '#6d665b', error_color: '#a33327', padding: 12 },
})

function tell(id, text) {
  const place = document.querySelector(`#${id}-fault`)
  place.textContent = text ?? ''
  place.hidden = !text
}

fields.addEventListener('change', ({ detail }) => tell(detail.field, detail.error))
fields.addEventListener('focus', ({ detail }) => setFocus(detail.field, true))
fields.addEventListener('blur', ({ detail }) => setFocus(detail.field, false))
function setFocus(field, is_focused) {
  document.querySelector(`#${field}`).classList.toggle('focused', is_focused)
}
for (const name of names) {
  document.querySelector(`#${name}-label`).addEventListener('click', () => fields.focus(name))
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const button = form.querySelector('button')
  const { textContent } = button
  button.disabled = true
  button.textContent = button.dataset.paying
  tell('card', null)
  try {
    const { email, transaction_token_id } = form.elements
    transaction_token_id.value = await fields.createToken({ email: email.value })
    form.submit()
  } catch ({ message, errors }) {
    // Faults of a field are shown beside it.
    if (!errors?.length) tell('card', message)
    button.disabled = false
    button.textContent = textContent
  }
})
