// An example acquirer: it implements docs/acquirer-api/openapi.json with plain Node, and keeps its own record of
// payments in memory. It moves no money. `GET /book` shows what it has done; `/controls` plays the customer
// and the faults. See README.md.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'

const {
  PORT = '3000',
  HOST = '127.0.0.1',
  NOTIFY_URL = '',
  BOOK_FILE = '',
  DELAY_MS = '0',
} = process.env
const { CONTROLS = 'on', SECRET = '', PREVIOUS_SECRET = '' } = process.env
const { KEY_ID = 'key-1', PREVIOUS_KEY_ID = '' } = process.env
const keys = new Map([[KEY_ID, SECRET]])
if (PREVIOUS_KEY_ID) keys.set(PREVIOUS_KEY_ID, PREVIOUS_SECRET)
if ([...keys.values()].some((secret) => secret.length < 32)) {
  process.stderr.write('SECRET must have at least 32 characters.\n')
  process.exit(2)
}

const max_skew_s = 300
const max_body_bytes = 2 ** 20

/** The response codes of card networks that it knows, each with the code of Kaikei and a card that gets it. */
const declines = {
  4539990000000053: ['05', 306, 'Do not honour'],
  4539990000000145: ['14', 301, 'Invalid card number'],
  4539990000000418: ['41', 314, 'Lost card, pick up'],
  4539990000000517: ['51', 330, 'Insufficient funds'],
  4539990000000541: ['54', 304, 'Expired card'],
  4539990000000590: ['59', 319, 'Suspected fraud'],
  4539990000000657: ['65', 311, 'Exceeds withdrawal frequency'],
  4539990000000822: ['82', 305, 'Wrong security code'],
  4539990000000913: ['91', 320, 'Issuer is inoperative'],
}
/** Cards whose issuer asks the cardholder, or refuses to authenticate them. */
const challenged_card = '4539990000001002'
const unauthenticated_card = '4539990000001010'

const three_ds = {
  eci: '05',
  authentication_value: 'AAABAWFlmQAAAABjRWWZEEFgFz8=',
  transaction_id: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
  version: '2.2.0',
}

// -- What it has done

/** Its settlements in order: money it took and returned. */
const settled = []
/** Payments and authentications by its own names; operations by the references of Kaikei. */
const payments = new Map()
const operations = new Map()
/** Wrong on purpose, for the conformance kit: names of faults. */
const faults = new Set()
let delay_ms = Number(DELAY_MS)
let count = 0
/** Its clock, which a test can set. */
let ahead_ms = 0
const now = () => Date.now() + ahead_ms

/** Of a payment it keeps 3 %. */
function settle(kind, reference, amount, { currency }) {
  const fee_amount = kind === 'payment' ? Math.round(amount * 0.03) : 0
  const booked_on = new Date(now()).toISOString()
  const line_id = `line-${settled.length + 1}`
  settled.push({ line_id, kind, reference, amount, fee_amount, currency, booked_on })
}

function record(operation) {
  operations.set(`${operation.kind} ${operation.reference}`, operation)
  if (BOOK_FILE) appendFileSync(BOOK_FILE, `${JSON.stringify(operation)}\n`)
  return operation
}

const refuse = (code, raw_code, raw_message) => ({
  outcome: 'refused',
  code,
  raw_code,
  raw_message,
})

/** The response to the operation that began a payment: its current state. */
function stateOf(payment) {
  const { id, state, kind } = payment
  const trace = { provider_reference: id, request_id: `req-${id}` }
  if (state === 'declined') {
    const [raw_code, code, raw_message] = payment.decline
    return { ...trace, ...refuse(code, raw_code, raw_message) }
  }
  if (state === 'expired')
    return { ...trace, ...refuse(327, 'expired', 'Nothing was paid in time') }
  if (state === 'waiting') {
    return {
      ...trace,
      outcome: 'waiting',
      instructions: payment.instructions,
      data: { payment: id },
    }
  }
  if (kind === 'authenticate') return { ...trace, outcome: 'approved', raw_code: '00', three_ds }
  const approved = { ...trace, outcome: 'approved', raw_code: '00', data: { payment: id } }
  return { ...approved, authorization_code: id.slice(-6), network_transaction_id: `net-${id}` }
}

function newPayment(kind, { reference, merchant_id, charge_id, amount, currency, ...of }) {
  count += 1
  const id = `pay-${count}-${reference.slice(-12)}`
  const digits_lost = faults.has('wrong_digits') && currency === 'KWD' ? 10 : 1
  const payment = { id, kind, reference, merchant_id, charge_id, currency, state: 'waiting' }
  Object.assign(payment, { amount: Math.floor(amount / digits_lost), captured: 0, refunded: 0 })
  Object.assign(payment, {
    returned: 0,
    deposits: [],
    disputes: [],
    decline: null,
    instructions: null,
  })
  Object.assign(payment, { expires_on: of.expires_on ?? null, return_url: of.return_url })
  payments.set(id, payment)
  record({ kind, reference, payment: id, amount: payment.amount, currency, answer: null })
  return payment
}

// -- Operations

const page = (id) => ({ url: `${base_url}/pages/${id}`, method: 'get', fields: {} })

function authenticate(request) {
  const { number } = request.card
  const payment = newPayment('authenticate', request)
  if (number === unauthenticated_card) decline(payment, ['N', 359, 'Not authenticated'])
  else if (number === challenged_card || request.force) {
    payment.instructions = { kind: 'three_ds', form: page(payment.id) }
    if (faults.has('skips_challenge')) payment.state = 'authorized'
  } else payment.state = 'authorized'
  return stateOf(payment)
}

function decline(payment, reason) {
  payment.state = 'declined'
  payment.decline = reason
}

function authorize(request) {
  const { instrument, capture, amount } = request
  const payment = newPayment('authorize', request)
  payment.capture = capture
  if (['card', 'wallet', 'apple_pay'].includes(instrument.kind)) {
    const of_token = instrument.kind === 'apple_pay' ? declineOfToken(instrument) : null
    const reason = declines[instrument.number]
    if (of_token) decline(payment, of_token)
    else if (reason) decline(payment, declineOf(reason, instrument.number))
    else take(payment)
  } else payment.instructions = instructionsOf(instrument, payment, amount)
  return stateOf(payment)
}

function declineOf([raw_code, code, text], number) {
  if (faults.has('unmapped_decline') && raw_code === '51') return [raw_code, 306, text]
  if (faults.has('leaks_number') && raw_code === '05') return [raw_code, code, `${text}: ${number}`]
  return [raw_code, code, text]
}

/** The amount is held, or taken immediately. */
function take(payment) {
  payment.state = payment.capture ? 'captured' : 'authorized'
  payment.captured = payment.capture ? payment.amount : 0
  if (payment.capture) settle('payment', payment.id, payment.amount, payment)
}

function instructionsOf({ kind, brand }, { id }) {
  const digits = String(count).padStart(7, '0').slice(-7)
  if (kind === 'konbini') {
    return { kind, payment_code: `900${digits}`, barcode: `91900000${digits}0` }
  }
  if (kind === 'qr') return { kind, code: `${base_url}/pages/${id}` }
  if (kind === 'online') return { kind, sdk_token: null, form: page(id) }
  return {
    kind: 'bank_transfer',
    account_id: randomUUID(),
    bank_code: '0310',
    bank_name: `Example Bank (${brand})`,
    branch_code: '101',
    branch_name: 'Main',
    account_number: digits,
    account_holder_name: 'Example Acquirer',
  }
}

/** Capture, void, refund, return of a deposit, customs: of a payment that it knows. */
const follow = (kind, apply) => async (request) => {
  const { reference, amount, currency, provider_reference } = request
  const payment = payments.get(provider_reference)
  const entry = { kind, reference, payment: provider_reference, amount, currency }
  if (!payment) return record({ ...entry, answer: refuse(338, '25', 'No such payment') }).answer
  const refused = await apply(payment, request)
  const id = `op-${operations.size + 1}-${reference.slice(-12)}`
  const trace = { provider_reference: id, request_id: `req-${id}` }
  const approved = { outcome: 'approved', raw_code: '00' }
  return record({ ...entry, answer: { ...trace, ...(refused ?? approved) } }).answer
}

function capture(payment, { amount, currency, reference }) {
  const ignores_state = faults.has('ignores_state') && payment.state === 'voided'
  if (payment.state === 'voided' && !ignores_state)
    return refuse(345, 'voided', 'The payment was canceled')
  if (payment.state === 'expired') return refuse(313, 'expired', 'The authorization expired')
  if (payment.state !== 'authorized' && !ignores_state) return refuse(309, '12', 'Nothing is held')
  const is_too_much = amount > payment.amount && !faults.has('over_capture')
  if (is_too_much || currency !== payment.currency) return refuse(308, '13', 'Invalid amount')
  payment.state = 'captured'
  payment.captured = amount
  // A line may name the operation, as here, or the payment by its own name.
  settle('payment', reference, amount, payment)
  return null
}

function voidPayment(payment) {
  const { state, capture: at_once } = payment
  const is_allowed = faults.has(at_once ? 'voids_captured' : 'ignores_state')
  if (state === 'captured' && !is_allowed) {
    return refuse(312, '12', 'The payment was captured')
  }
  if (state === 'voided') return refuse(345, 'voided', 'The payment was canceled')
  payment.state = 'voided'
  if (payment.kind === 'authenticate' || payment.instructions) {
    decline(payment, ['canceled', 345, 'The payment was canceled'])
  }
  return null
}

function refund(payment, { amount, reference }) {
  const left = payment.captured - payment.refunded
  if (amount > left && !faults.has('over_refund')) return refuse(329, '13', 'More than is left')
  payment.refunded += amount
  settle('refund', reference, -amount, payment)
  return null
}

function returnDeposit(payment, { amount, reference }) {
  const arrived = payment.deposits.reduce((sum, one) => sum + one.amount, 0)
  if (amount > arrived - payment.returned) return refuse(329, '13', 'More than has arrived')
  payment.returned += amount
  settle('return', reference, -amount, payment)
  return null
}

/** A dispute takes one response; the money is gone until the bank has decided. */
function respondToDispute(payment, { dispute_reference, response }) {
  const dispute = payment.disputes.find((one) => one.reference === dispute_reference)
  if (!dispute) return refuse(338, '25', 'No such dispute')
  if (dispute.status !== 'needs_response' && !faults.has('repeats_respond_to_dispute')) {
    return refuse(309, '12', 'The dispute takes no response any more')
  }
  dispute.status = response === 'acceptance' ? 'accepted' : 'under_review'
  dispute.responses += 1
  return null
}

const effects = {
  authenticate,
  authorize,
  capture: follow('capture', capture),
  void: follow('void', voidPayment),
  refund: follow('refund', refund),
  return_deposit: follow('return_deposit', returnDeposit),
  declare_customs: follow('declare_customs', () => null),
  respond_to_dispute: follow('respond_to_dispute', respondToDispute),
}

/** One effect for each reference; a call that comes while the first is being processed gets its answer. */
const under_way = new Map()

async function perform(kind, request) {
  const known = knownOutcome(kind, request.reference)
  const repeats = faults.has(`repeats_${kind}`)
  if (known && !repeats) {
    const { amount, currency } = operations.get(`${kind} ${request.reference}`)
    const is_same = currency === request.currency && amount === request.amount
    return is_same || faults.has('wrong_digits') ? known : refuse(339, '94', 'Another amount')
  }
  const name = `${kind} ${request.reference}`
  if (under_way.has(name) && !repeats) return under_way.get(name)
  const answer = Promise.resolve(effects[kind](request))
  under_way.set(name, answer)
  return answer.finally(() => under_way.delete(name))
}

/** The outcome of a reference; null if it never arrived. */
function knownOutcome(kind, reference) {
  const found = operations.get(`${kind} ${reference}`)
  if (!found) return null
  return found.answer ?? stateOf(payments.get(found.payment))
}

function inquire({ kind, reference }) {
  const found = knownOutcome(kind, reference)
  const is_forgotten = kind === 'capture' && found?.outcome === 'approved'
  const forgets = faults.has('forgets_reference') && is_forgotten
  return found && !forgets ? found : { outcome: 'never_received' }
}

function deposits({ provider_reference }) {
  const found = payments.get(provider_reference)?.deposits ?? []
  const name = ({ reference }) => (faults.has('renames_deposits') ? randomUUID() : reference)
  return { deposits: found.map((one) => ({ ...one, reference: name(one) })) }
}

function disputes({ provider_reference }) {
  const found = payments.get(provider_reference)?.disputes ?? []
  return { disputes: found.map(({ responses, ...shown }) => shown) }
}

/** Small pages, so that whoever reads them has to turn them. */
const page_size = 5

function settlements({ since, after }) {
  const from = after === null ? 0 : Number(after)
  const found = settled.slice(from).filter((one) => one.booked_on >= since)
  const lines = found.slice(0, page_size)
  const last = settled.indexOf(lines.at(-1)) + 1
  const turned = faults.has('repeats_pages') ? (after ?? String(last)) : String(last)
  const shown = faults.has('renames_lines') ? lines.map(renamed) : lines
  return { lines: shown, next: found.length > page_size ? turned : null }
}

const renamed = (line) => ({ ...line, line_id: randomUUID() })

const capabilities = {
  api_version: 1,
  name: 'Example acquirer',
  instruments: ['card', 'wallet', 'apple_pay', 'online', 'qr', 'konbini', 'bank_transfer'],
  brands: null,
  currencies: ['JPY', 'USD', 'EUR', 'KWD'],
  disputes: true,
  settlements: true,
}

// -- Customers

/** The customer passes the challenge, pays, or declines; too late, nothing happens. */
function act(payment, approved) {
  if (payment?.state !== 'waiting') return false
  const { expires_on } = payment
  const is_over = expires_on !== null && Date.parse(expires_on) <= now()
  if (is_over && !faults.has('takes_expired')) payment.state = 'expired'
  else if (!approved) decline(payment, declineByCustomer(payment))
  else if (payment.kind === 'authenticate') payment.state = 'authorized'
  else {
    payment.capture = true
    take(payment)
  }
  void notify(payment)
  return true
}

function declineByCustomer({ kind }) {
  return kind === 'authenticate' ? ['N', 359, 'Not authenticated'] : ['U', 340, 'Declined']
}

/** Money arrives at a till or on an account. */
function arrive(payment, amount) {
  const reference = `dep-${payment.id}-${payment.deposits.length + 1}`
  const paid_on = new Date(now()).toISOString()
  payment.deposits.push({ reference, amount, currency: payment.currency, paid_on, name: null })
  settle('deposit', reference, amount, payment)
  void notify(payment)
}

/** The customer's bank takes the money back until it has decided. */
function openDispute(payment, { amount = payment.captured, reason = 'fraudulent' }) {
  const reference = `dis-${payment.id}-${payment.disputes.length + 1}`
  const respond_by = new Date(now() + 7 * 86_400_000).toISOString()
  const money = { amount, fee_amount: 15, currency: payment.currency }
  const state = { status: 'needs_response', reason, respond_by, responses: 0 }
  payment.disputes.push({ reference, ...money, ...state })
  settle('dispute', reference, -amount, payment)
  settle('dispute_fee', reference, -money.fee_amount, payment)
  void notify(payment)
}

// -- Notifications

function signedNotification(payment, path) {
  const body = JSON.stringify({ payments: [{ provider_reference: payment.id }] })
  const timestamp = String(Math.floor(now() / 1000))
  const secret = faults.has('signs_wrongly') ? 'another secret' : SECRET
  const content = `${timestamp}\nPOST\n${path}\n${body}`
  const signature = createHmac('sha256', secret).update(content).digest('hex')
  const signed = { 'kaikei-key': KEY_ID, 'kaikei-timestamp': timestamp }
  return { body, headers: { ...signed, 'kaikei-signature': signature } }
}

/** Sent again a few times; after that the service finds out by inquiring. */
async function notify(payment) {
  if (!NOTIFY_URL) return
  const path = new URL(NOTIFY_URL).pathname.match(/\/callbacks\/[^/]+/)?.[0] ?? '/'
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const { body, headers } = signedNotification(payment, path)
    const sent = {
      method: 'POST',
      body,
      headers: { ...headers, 'content-type': 'application/json' },
    }
    const status = await fetch(NOTIFY_URL, sent).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 204) return
    await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** attempt))
  }
}

// -- HTTP

function isSigned({ method, url, headers }, body) {
  const secret = keys.get(headers['kaikei-key'])
  const timestamp = headers['kaikei-timestamp'] ?? ''
  if (!secret || !/^\d{1,12}$/.test(timestamp)) return false
  const is_old = Math.abs(now() / 1000 - Number(timestamp)) > max_skew_s
  if (is_old && !faults.has('accepts_old')) return false
  const hmac = createHmac('sha256', secret).update(`${timestamp}\n${method}\n${url}\n`)
  const right = Buffer.from(hmac.update(body).digest('hex'))
  const given = Buffer.from(headers['kaikei-signature'] ?? '')
  if (faults.has('accepts_forged')) return true
  return given.length === right.length && timingSafeEqual(given, right)
}

/** A real acquirer posts to `validation_url` with its Apple merchant certificate; this session opens no wallet. */
function applePaySession({ validation_url, domain, display_name }) {
  const session = { merchantSessionIdentifier: randomUUID(), validation_url }
  return { session: { ...session, domainName: domain, displayName: display_name } }
}

/** A real acquirer decrypts the token with its payment processing certificate. */
function declineOfToken({ token }) {
  const { data } = JSON.parse(token).paymentData
  return data === 'declined' ? ['05', 306, 'Do not honour'] : null
}

const questions = {
  inquire,
  continue: inquire,
  deposits,
  disputes,
  settlements,
  apple_pay_session: applePaySession,
}

async function answer(request, body) {
  const { method, url } = request
  if (!isSigned(request, body)) return [401, { outcome: 'not_taken', reason: 'Bad signature.' }]
  if (url === '/v1/capabilities' && method === 'GET') return [200, capabilities]
  const name = url.slice('/v1/'.length).replaceAll('-', '_')
  const asked = JSON.parse(body)
  if (method === 'POST' && Object.hasOwn(questions, name)) return [200, questions[name](asked)]
  if (method !== 'POST' || !Object.hasOwn(effects, name)) return [404, { message: 'No such path.' }]
  const outcome = await perform(name, asked)
  // The effect is there; the answer takes its time.
  if (delay_ms > 0) await new Promise((resolve) => setTimeout(resolve, delay_ms))
  return [200, outcome]
}

/** Actions and views for tests. They have no signatures: never use them with real money. */
function control({ method, url }, body) {
  const { pathname, searchParams } = new URL(url, base_url)
  if (method === 'GET' && pathname === '/book') return [200, book(searchParams.get('charge_id'))]
  if (CONTROLS !== 'on') return [404, { message: 'The controls are off.' }]
  if (pathname === '/controls/cards')
    return [200, { declines, challenged_card, unauthenticated_card }]
  const asked = body.length > 0 ? JSON.parse(body) : {}
  const payment = payments.get(asked.payment)
  if (pathname === '/controls/faults') {
    faults.clear()
    for (const name of asked.faults ?? []) faults.add(name)
    delay_ms = asked.delay_ms ?? 0
  } else if (pathname === '/controls/clock') ahead_ms = asked.now_ms - Date.now()
  else if (!payment) return [404, { message: 'No such payment.' }]
  else if (pathname === '/controls/act') act(payment, asked.approved)
  else if (pathname === '/controls/deposit') arrive(payment, asked.amount)
  else if (pathname === '/controls/dispute') openDispute(payment, asked)
  else if (pathname === '/controls/expire') expire(payment)
  else if (pathname === '/controls/notification') {
    return [200, signedNotification(payment, asked.path)]
  } else return [404, { message: 'No such path.' }]
  return [200, {}]
}

/** The time of a payment is over: a held amount is released, a customer can pay no more. */
function expire(payment) {
  if (payment.state === 'authorized') payment.state = 'expired'
  else payment.expires_on = new Date(0).toISOString()
}

function book(charge_id) {
  const shown = [...payments.values()].filter((one) => !charge_id || one.charge_id === charge_id)
  const ids = new Set(shown.map(({ id }) => id))
  return {
    payments: shown,
    operations: [...operations.values()].filter((one) => !charge_id || ids.has(one.payment)),
  }
}

/** The page of the bank or wallet: two buttons, and back to the shop. */
function showPage({ method, url }, response, body) {
  const payment = payments.get(url.slice('/pages/'.length).split('?')[0])
  if (!payment) return response.writeHead(404).end('There is no such page.')
  if (method === 'POST') {
    act(payment, body.toString().includes('answer=yes'))
    const back = new URL(payment.return_url)
    back.searchParams.set('payment', payment.id)
    return response.writeHead(303, { location: back.href }).end()
  }
  // A challenge is shown beside the shop's own amount.
  const is_challenge = payment.kind === 'authenticate'
  const asked = is_challenge ? 'Is this payment yours?' : `${payment.amount} ${payment.currency}`
  const html = `<!doctype html><meta charset="utf-8"><title>Example acquirer</title>
<meta name="viewport" content="width=device-width"><h1>${asked}</h1>
<form method="post"><button name="answer" value="yes">Approve</button>
<button name="answer" value="no">Decline</button></form>`
  return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
}

async function handle(request, response, body) {
  if (request.url.startsWith('/pages/')) return showPage(request, response, body)
  const is_call = request.url.startsWith('/v1/')
  const [status, content] = is_call ? await answer(request, body) : control(request, body)
  const text = JSON.stringify(content)
  const length = Buffer.byteLength(text)
  const headers = { 'content-type': 'application/json', 'content-length': length }
  response.writeHead(status, headers).end(text)
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const parts = []
  let bytes = 0
  request.on('data', (part) => {
    parts.push(part)
    bytes += part.length
    if (bytes > max_body_bytes) request.destroy()
  })
  request.on('error', () => {})
  request.on('end', () => {
    handle(request, response, Buffer.concat(parts)).catch(() => {
      // Nothing of a request goes into a log: it may contain a card number.
      response.writeHead(500, { 'content-length': 0 }).end()
    })
  })
})
let base_url = ''
server.listen(Number(PORT), HOST, () => {
  base_url = `http://${HOST}:${server.address().port}`
  process.stdout.write(`acquirer at ${base_url}\n`)
})
