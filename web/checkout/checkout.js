// The checkout works without this script. It groups card numbers, says what is wrong beside a field when the
// field is left, keeps what was typed when a payment fails, and continues by itself.
import {
  brandOf,
  helpTyping,
  isComplete,
  isExpiry,
  isFullCode,
  isFullNumber,
} from './card-input.js'
import { halfWidth } from './typing-rules.js'

const main = document.querySelector('main')
const { path, step } = main.dataset

/** Where the page leads next: to the bank, the brand or the shop, or to its own new state. */
function follow(view) {
  // In a frame of the shop's page, the customer clicks to leave it.
  if (window.parent !== window) return location.replace(path)
  if (view.url && view.step !== 'three_ds') return location.assign(view.url)
  location.replace(path)
}

/** The typed text stays; only the reason of the failure is new. */
async function showFailure(form) {
  const response = await fetch(path, { headers: { accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const notice = page.querySelector('.notice')
  if (page.querySelector('main')?.dataset.step !== 'failed' || !notice) {
    return location.replace(path)
  }
  document.querySelector('.notice')?.remove()
  document.querySelector('.work').prepend(notice)
  const { cvv } = form.elements
  if (cvv) cvv.value = ''
  const faulty = [...page.querySelectorAll('[aria-invalid]')].flatMap(({ id }) => {
    const input = document.getElementById(id)
    if (input?.form !== form) return []
    tell(input, page.getElementById(`${id}-fault`).textContent)
    return input
  })
  notice.tabIndex = -1
  const [first = notice] = faulty
  first.focus()
  setBusy(form, false)
}

// A wallet is offered where the device has it.
const wallets = { apple_pay: () => window.ApplePaySession?.canMakePayments() === true }
for (const way of document.querySelectorAll('[data-wallet]')) {
  way.hidden = !wallets[way.dataset.wallet]()
}

// Fields

const checks = {
  card_number: ({ value }) => isComplete(value),
  expiry: ({ value }) => isExpiry(value, new Date()),
  cvv: ({ value, form }) => {
    const brand = brandOf(form.elements.card_number?.value ?? '')
    return brand ? value.length === brand.cvv : /^\d{3,4}$/.test(value)
  },
  email: (input) => input.validity.valid,
  phone: ({ value }) => /^0\d{9,10}$/.test(halfWidth(value).replace(/[-\s()]/g, '')),
}

function faultOf(input) {
  const { value } = input.type === 'radio' ? input.form.elements[input.name] : input
  if (value.trim() === '') return input.dataset.missing
  return (checks[input.dataset.field]?.(input) ?? true) ? null : input.dataset.wrong
}

function tell(input, text) {
  const place = document.getElementById(`${input.id}-fault`)
  place.textContent = text ?? ''
  place.hidden = !text
  if (text) input.setAttribute('aria-invalid', 'true')
  else input.removeAttribute('aria-invalid')
}

/** A text that appears while a button is pressed moves it from under the pointer: the click is lost. */
let until_released = null
addEventListener('pointerdown', () => (until_released ??= []), true)
function release() {
  const waiting = until_released ?? []
  until_released = null
  for (const run of waiting) run()
}
for (const type of ['pointerup', 'pointercancel']) {
  addEventListener(type, () => setTimeout(release), true)
}

const inputs = [...document.querySelectorAll('.field [data-field]')]
const finishers = new Map(inputs.map((input) => [input, helpTyping(input, input.dataset.field)]))
for (const input of inputs) {
  // Not while typing: when the field is left, and then as soon as it is right.
  const check = () => {
    finishers.get(input)()
    if (input.value !== '') tell(input, faultOf(input))
  }
  input.addEventListener('blur', () => {
    if (until_released) until_released.push(check)
    else check()
  })
  input.addEventListener('input', () => {
    if (input.hasAttribute('aria-invalid') && !faultOf(input)) tell(input, null)
  })
}

const number = document.getElementById('card_number')
number?.addEventListener('input', () => {
  const brand = brandOf(number.value)
  for (const mark of document.querySelectorAll('.marks.typed > span')) {
    mark.classList.toggle('is-brand', brand?.names.includes(mark.dataset.brand) ?? false)
  }
})

// A radio button stands for its question: the fault is at the first, any answer mends it.
for (const question of document.querySelectorAll('.brands')) {
  question.addEventListener('change', () => tell(question.querySelector('[data-field]'), null))
}

/** The next field, once a number, a date or a code cannot become longer. */
const lengths = {
  card_number: ({ value }) => isFullNumber(value),
  expiry: checks.expiry,
  cvv: ({ value, form }) => isFullCode(value, form.elements.card_number?.value ?? ''),
}
for (const input of inputs) {
  // Only once: a customer who returns to a field corrects it.
  let is_first = true
  input.addEventListener('blur', () => {
    is_first = false
  })
  input.addEventListener('input', ({ inputType = '', isComposing }) => {
    if (!is_first || isComposing || !inputType.startsWith('insert')) return
    if (input.selectionStart !== input.value.length) return
    if (!lengths[input.dataset.field]?.(input)) return
    const own = inputs.filter(({ form }) => form === input.form)
    own[own.indexOf(input) + 1]?.focus()
  })
}

for (const way of document.querySelectorAll('.way')) {
  way.addEventListener('toggle', () => {
    if (way.open && !way.contains(document.activeElement?.closest('form')))
      way.scrollIntoView({ block: 'nearest' })
  })
}

// Test mode

const test_cards = document.querySelector('.test-cards')
if (test_cards) test_cards.hidden = false
test_cards?.addEventListener('click', ({ target }) => {
  const { card } = target.dataset
  if (!card) return
  number.closest('.way').open = true
  const typed = {
    card_number: card,
    expiry: `12${new Date().getFullYear() + 2 - 2000}`,
    cvv: '123',
  }
  const others = { cardholder: 'TARO YAMADA', email: 'taro@example.com' }
  for (const input of inputs.filter(({ form }) => form === number.form)) {
    const { field } = input.dataset
    if (!typed[field] && (input.value !== '' || !others[field])) continue
    input.value = typed[field] ?? others[field]
    input.dispatchEvent(new Event('input', { bubbles: true }))
    tell(input, null)
  }
})

// Sending

/** Faults that the service found, beside their fields where there is one. */
function tellAll(form, answer) {
  const whole = form.querySelector(':scope > .fault')
  let first = null
  for (const { field, reason } of answer.errors ?? []) {
    const input = form.querySelector(`[data-asks~="${CSS.escape(field)}"]`)
    if (!input) continue
    tell(input, reason === 'REQUIRED_VALUE' ? input.dataset.missing : input.dataset.wrong)
    first ??= input
  }
  if (first) return first.focus()
  const texts = JSON.parse(main.dataset.faults)
  whole.textContent = texts[answer.code] ?? texts['']
  whole.hidden = false
}

function setBusy(form, is_busy) {
  const button = form.querySelector('button.main')
  button.dataset.label ??= button.textContent
  button.textContent = is_busy ? form.dataset.busy : button.dataset.label
  button.setAttribute('aria-disabled', String(is_busy))
}

/** Pays; a shop whose customers' cards are being tested asks for some work first. */
async function post(form, proof = {}) {
  const response = await fetch(form.action, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...proof },
    body: JSON.stringify(Object.fromEntries(new FormData(form))),
  })
  const answer = await response.json()
  if (answer.code !== 'CHECKOUT_CHALLENGE_REQUIRED' || proof['x-checkout-proof']) {
    return { ok: response.ok, answer }
  }
  const { solve } = await import('./proof-of-work.js')
  const challenge = await (await fetch(`${path}/challenge`)).json()
  return post(form, { 'x-checkout-proof': await solve(challenge) })
}

/** `onTaken` hears whether the service took what was sent, before the outcome is known. */
async function send(form, onTaken = () => {}) {
  setBusy(form, true)
  const whole = form.querySelector(':scope > .fault')
  whole.hidden = true
  try {
    const { ok, answer } = await post(form)
    onTaken(ok)
    if (ok) {
      const view = answer.step === 'wait' ? await nextView() : answer
      return view.step === 'failed' ? await showFailure(form) : follow(view)
    }
    tellAll(form, answer)
  } catch {
    onTaken(false)
    tellOffline(form)
  }
  setBusy(form, false)
}

function tellOffline(form) {
  const whole = form.querySelector(':scope > .fault')
  whole.textContent = main.dataset.offline
  whole.hidden = false
}

for (const form of document.querySelectorAll('[data-wallet]:not([hidden]) [data-wallet-request]')) {
  const actions = { fail: () => tellOffline(form), send: (onTaken) => send(form, onTaken) }
  void import('./apple-pay.js').then(({ offerWallet }) => offerWallet(form, path, actions))
}

for (const form of document.querySelectorAll('.way form:not([data-wallet-request])')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.querySelector('[aria-disabled="true"]')) return
    const own = inputs.filter((input) => input.form === form)
    for (const input of own) {
      finishers.get(input)()
      tell(input, faultOf(input))
    }
    const wrong = own.find((input) => input.hasAttribute('aria-invalid'))
    if (wrong) wrong.focus()
    else void send(form)
  })
}

// Waiting

/** The state of the session as soon as nothing is being processed any more, and there is another step. */
async function nextView(known = 'wait') {
  for (let failures = 0; ; ) {
    let wait_ms = null
    try {
      const response = await fetch(`${path}/state?polling=true&step=${known}`)
      const view = response.ok ? await response.json() : null
      if (view && view.step !== 'wait' && view.step !== known) return view
      failures = response.ok ? 0 : failures + 1
      wait_ms = view?.wait_ms ?? null
    } catch {
      failures += 1
    }
    const pause_ms = wait_ms ?? Math.min(1000 * 2 ** failures, 30_000)
    await new Promise((next) => setTimeout(next, pause_ms))
  }
}
// On the way back from another page, the browser may show this one as it was.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
/** Our own bank's page is shown whole; other pages in the frame cannot be measured. */
const bank = document.querySelector('.bank')
function fitBank() {
  const { body } = bank.contentDocument ?? {}
  if (body?.childElementCount) bank.style.height = `${body.scrollHeight + 2}px`
}
if (bank) {
  bank.addEventListener('load', fitBank)
  fitBank()
}
/** Long enough to read the receipt; a hidden page waits until it is seen. */
const return_ms = 6000
const { shop } = main.dataset
if (shop && window.parent === window) {
  document.querySelector('.returning').hidden = false
  const leaving = setTimeout(() => location.assign(shop), return_ms)
  document.querySelector('.receipt')?.addEventListener('focusin', () => {
    clearTimeout(leaving)
    document.querySelector('.returning').hidden = true
  })
}
if (step === 'wait' || step === 'three_ds') void nextView(step).then(follow)
