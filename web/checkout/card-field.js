// One card field, in a frame of our origin within the form of a shop. The fields of a form read each other
// directly, because they have one origin; the shop's page has another and hears only what `tell` says.
import {
  brandOf,
  helpTyping,
  isComplete,
  isExpiry,
  isFullCode,
  isFullNumber,
} from './card-input.js'
import { applyLook } from './field-look.js'

const form = document.querySelector('form')
const input = form.querySelector('input')
const { parent: shop, appToken: app_token, group } = form.dataset

function tell(type, more) {
  parent.postMessage({ kaikei: type, ...more }, shop)
}

/** The fields of the same form, by name. Other frames of the page are of other origins, or no fields. */
function fieldsOfForm() {
  const found = {}
  for (let at = 0; at < parent.length; at += 1) {
    try {
      const { kaikei_field: field } = parent[at]
      if (field?.group === group) found[field.name] = field
    } catch {
      // A frame of another origin.
    }
  }
  return found
}

const finish = helpTyping(input, input.id)
const checks = {
  card_number: isComplete,
  expiry: (text) => isExpiry(text, new Date()),
  cvv: (text) => {
    const brand = brandOf(fieldsOfForm().card_number?.value() ?? '')
    return brand ? text.length === brand.cvv : /^\d{3,4}$/.test(text)
  },
  cardholder: () => true,
}

/** The service's refusal of a value that looks right here. */
let refused = null

function faultOf() {
  if (input.value.trim() === '') return input.dataset.missing
  if (input.value === refused) return input.dataset.wrong
  return checks[input.id](input.value) ? null : input.dataset.wrong
}

/** Faults are shown after a field loses focus, and until they are corrected. */
function report({ and_fault }) {
  const fault = faultOf()
  const error = and_fault || input.hasAttribute('aria-invalid') ? fault : null
  input.toggleAttribute('aria-invalid', error !== null)
  if (error !== null) input.setAttribute('aria-invalid', 'true')
  document.getElementById('fault').textContent = error ?? ''
  const brand = input.id === 'card_number' ? (brandOf(input.value)?.names[0] ?? null) : undefined
  tell('change', { empty: input.value === '', complete: fault === null, error, brand })
}

window.kaikei_field = {
  group,
  name: input.id,
  /** The request fields of the form. */
  asks: input.dataset.asks.split(' '),
  value: () => input.value,
  focus: () => input.focus(),
  refuse: () => {
    refused = input.value
    report({ and_fault: true })
  },
  /** Returns whether the form can be sent, and shows the fault otherwise. */
  check: () => {
    finish()
    report({ and_fault: true })
    return faultOf() === null
  },
}

/** The next field, once a number, a date or a code cannot become longer; only on the first visit. */
let is_first = true
const isFull = {
  card_number: isFullNumber,
  expiry: checks.expiry,
  cvv: (text) => isFullCode(text, fieldsOfForm().card_number?.value() ?? ''),
  cardholder: () => false,
}[input.id]
function goOn({ inputType = '', isComposing }) {
  if (!is_first || isComposing || !inputType.startsWith('insert') || !isFull(input.value)) return
  const fields = Object.values(fieldsOfForm())
  fields[fields.indexOf(window.kaikei_field) + 1]?.focus()
}

input.addEventListener('input', (event) => {
  report({ and_fault: false })
  goOn(event)
})
input.addEventListener('focus', () => tell('focus'))
input.addEventListener('blur', () => {
  is_first = false
  finish()
  if (input.value !== '') report({ and_fault: true })
  tell('blur')
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  tell('enter')
})

// Tokens

function refusal(code, message, errors = []) {
  return { error: { code, message, errors } }
}

/** The shop's values, and the card on top of them. */
function bodyOf(given, fields) {
  const [month, year] = fields.expiry.value().split('/')
  const data = {
    ...given.data,
    card_number: fields.card_number.value(),
    exp_month: month.trim(),
    exp_year: year.trim(),
  }
  if (fields.cvv) data.cvv = fields.cvv.value()
  if (fields.cardholder) data.cardholder = fields.cardholder.value()
  return JSON.stringify({ ...given, payment_type: 'card', data })
}

/** A shop whose customers' cards are being tested asks for some work first. */
async function postToken(body, proof = {}) {
  const response = await fetch('/tokens', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${app_token}`,
      'content-type': 'application/json',
      'x-checkout-parent': shop,
      ...proof,
    },
    body,
  })
  const answer = await response.json()
  if (answer.code !== 'CHECKOUT_CHALLENGE_REQUIRED' || proof['x-checkout-proof']) {
    return { ok: response.ok, answer }
  }
  const { solve } = await import('./proof-of-work.js')
  const challenge = await fetch(`/checkout/fields/challenge?${new URLSearchParams({ app_token })}`)
  return postToken(body, { 'x-checkout-proof': await solve(await challenge.json()) })
}

/** Only the id of the token leaves this frame, or why there is none. */
async function createToken(given) {
  const fields = fieldsOfForm()
  const missing = ['card_number', 'expiry'].filter((name) => !fields[name])
  if (missing.length > 0) return refusal('FIELDS_MISSING', `Mount ${missing.join(' and ')}.`)
  const wrong = Object.values(fields).filter((field) => !field.check())
  if (wrong.length > 0) {
    wrong[0].focus()
    const errors = wrong.map(({ name }) => ({ field: `data.${name}`, reason: 'INVALID_FORMAT' }))
    return refusal('VALIDATION_ERROR', 'A card field is not complete.', errors)
  }
  const { ok, answer } = await postToken(bodyOf(given, fields))
  if (ok) return { token_id: answer.id }
  const errors = (answer.errors ?? []).map(({ field, reason }) => ({ field, reason }))
  const isFaulty = ({ asks }) => errors.some(({ field }) => asks.includes(field))
  const faulty = Object.values(fields).filter(isFaulty)
  for (const field of faulty) field.refuse()
  faulty[0]?.focus()
  return refusal(answer.code, answer.message, errors)
}

async function answerCall({ id, body }) {
  const answer = await createToken(body ?? {}).catch(() =>
    refusal('CONNECTION_FAILED', 'The payment service did not answer.'),
  )
  tell('token', { id, ...answer })
}

addEventListener('message', ({ origin, source, data }) => {
  if (origin !== shop || source !== parent || parent === window) return
  if (data?.kaikei === 'focus') input.focus()
  if (data?.kaikei === 'create_token') void answerCall(data)
})

const ignored = applyLook(location.hash.slice(1))
tell('ready', { title: document.title, ignored })
tell('height', { height: Math.ceil(input.getBoundingClientRect().height) })
