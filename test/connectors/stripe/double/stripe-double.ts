import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stripe_api_version } from '../../../../src/connectors/stripe/stripe-client.ts'
import {
  type Fault,
  newId,
  type Params,
  type Recorded,
  Refusal,
  refuse,
  type StoredRefund,
} from './stripe-double-parts.ts'
import { newRecord } from './stripe-double-record.ts'
import { type RouteName, routes } from './stripe-double-rules.ts'

/**
 * A strict double of the part of Stripe that the connector uses, written from the types of its library and
 * general knowledge. It was never compared with Stripe itself: it proves that both agree about shapes.
 */
export const secret_key = `sk_test_${'d'.repeat(24)}`
export const webhook_secret = `whsec_${'w'.repeat(24)}`

export interface StripeDouble {
  readonly url: string
  readonly port: number
  /** Every request that was accepted: its route and parameters. */
  readonly requests: { readonly route: RouteName; readonly params: Params }[]
  readonly intents: Map<string, Recorded>
  readonly refunds: ReadonlyMap<string, StoredRefund>
  readonly disputes: ReturnType<typeof newRecord>['disputes']
  readonly deposits: ReturnType<typeof newRecord>['deposits']
  readonly balance: ReturnType<typeof newRecord>['balance']
  /** Faults that are switched on by name. */
  readonly faults: Set<Fault>
  act(id: string, approved: boolean): void
  expire(id: string): void
  /** Money arrives for a payment. */
  deposit(id: string, amount: number): void
  /** An event about a payment, signed as Stripe signs it. */
  event(id: string, now_ms?: number): { body: string; headers: Record<string, string> }
  /** Forgets the references, as Stripe does after a day. */
  forgetKeys(): void
  /** Changes what the next request of this route is answered, or loses it: it has had its effect. */
  interfere(route: RouteName, change: Interference): void
  close(): Promise<void>
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** The parameters of an upload: those of the form, and the description of its file. */
async function uploadOf(content_type: string, body: Buffer): Promise<Params> {
  const headers = { 'content-type': content_type }
  const form = await new Response(new Uint8Array(body), { headers }).formData()
  const file = form.get('file')
  if (!(file instanceof File)) return {}
  const { name, type, size } = file
  return { purpose: String(form.get('purpose')), name, type, bytes: String(size) }
}

/** Finds the route and refuses what it does not know. */
function routeOf(method: string, path: string, params: Params): [RouteName, string] {
  for (const name of Object.keys(routes) as RouteName[]) {
    const { method: verb, path: pattern, params: known, required } = routes[name]
    const [found, id = ''] = pattern.exec(path) ?? []
    if (verb !== method || found === undefined) continue
    const unknown = Object.keys(params).find((one) => !known.some((each) => each.test(one)))
    if (unknown) {
      refuse(`Received unknown parameter: ${unknown}`, 'parameter_unknown', { param: unknown })
    }
    const missing = required.find((one) => params[one] === undefined)
    if (missing) refuse(`Missing required param: ${missing}.`, 'parameter_missing')
    return [name, id]
  }
  throw new Refusal(404, { type: 'invalid_request_error', message: 'Unrecognized request URL' })
}

interface Stored {
  readonly request: string
  readonly status: number
  readonly body: string
}

type Said = Pick<Stored, 'status' | 'body'>
type Interference = 'lost' | ((said: Said) => Said)

/** Starts the double on a free port of this machine. */
export async function startStripeDouble(now: () => number = Date.now): Promise<StripeDouble> {
  const faults = new Set<Fault>()
  const requests: StripeDouble['requests'] = []
  const keys = new Map<string, Stored>()
  const interferences = new Map<RouteName, Interference>()
  let url = ''
  const { acts, intents, refunds, disputes, deposits, balance, pass, show } = newRecord(
    () => url,
    faults,
    now,
  )

  function disputed(id: string): object {
    const shown = disputes.show(id)
    return faults.has('hides_payment') ? { ...shown, payment_intent: null } : shown
  }

  function carryOut(method: string, path: string, params: Params): Omit<Stored, 'request'> {
    try {
      const [route, id] = routeOf(method, path, params)
      requests.push({ route, params })
      return { status: 200, body: JSON.stringify(acts[route](params, id)) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { status: error.status, body: JSON.stringify({ error: error.problem }) }
    }
  }

  function respond(
    request: IncomingMessage,
    text: string,
    upload: Params | null,
  ): Omit<Stored, 'request'> {
    const { method = '', headers } = request
    const target = new URL(request.url ?? '/', url)
    const refusal = (status: number, message: string, type = 'invalid_request_error') => ({
      status,
      body: JSON.stringify({ error: { type, message } }),
    })
    if (headers.authorization !== `Bearer ${secret_key}`) return refusal(401, 'Invalid API Key')
    if (headers['stripe-version'] !== stripe_api_version) return refusal(400, 'Wrong version')
    if (method === 'GET') {
      return carryOut(method, target.pathname, Object.fromEntries(target.searchParams))
    }
    if (upload) return carryOut(method, target.pathname, upload)
    if (headers['content-type'] !== 'application/x-www-form-urlencoded') {
      return refusal(400, 'The body is no form')
    }
    const key = headers['idempotency-key']
    if (typeof key !== 'string' || key.startsWith('stripe-node-retry')) {
      return refusal(400, 'A reference is missing')
    }
    const signed = `${target.pathname} ${text}`
    const known = faults.has('repeats') ? undefined : keys.get(key)
    if (known && known.request !== signed) {
      return refusal(400, 'Keys can only be used with the same parameters', 'idempotency_error')
    }
    if (known) return known
    const done = carryOut(method, target.pathname, Object.fromEntries(new URLSearchParams(text)))
    keys.set(key, { request: signed, ...done })
    return done
  }

  function interfered({ method, url: target = '/' }: IncomingMessage, said: Said): Said | 'lost' {
    const { pathname } = new URL(target, url)
    for (const [name, change] of interferences) {
      const { method: verb, path } = routes[name]
      if (verb !== method || !path.test(pathname)) continue
      interferences.delete(name)
      return change === 'lost' ? change : change(said)
    }
    return said
  }

  const server = createServer(async (request, response) => {
    const received = await bodyOf(request).catch(() => null)
    // A request that was cut off never arrived.
    if (received === null) return
    const type = request.headers['content-type'] ?? ''
    const upload = type.startsWith('multipart/form-data') ? await uploadOf(type, received) : null
    const said = interfered(request, respond(request, received.toString(), upload))
    if (said === 'lost') return void request.socket.destroy()
    const { status, body } = said
    const headers = { 'content-type': 'application/json', 'request-id': newId('req') }
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  url = `http://127.0.0.1:${port}`

  return {
    url,
    port,
    requests,
    intents,
    refunds,
    disputes,
    deposits,
    balance,
    faults,
    forgetKeys: () => keys.clear(),
    interfere: (route, change) => void interferences.set(route, change),
    act: (id, approved) => {
      const one = intents.get(id)
      if (one?.status !== 'requires_action') return
      one.authenticated = approved
      if (approved) return pass(one)
      const is_card = one.types.includes('card')
      const failed = `${one.object}_authentication_failure`
      const code = is_card ? failed : 'payment_method_customer_decline'
      one.status = 'requires_payment_method'
      one.error = { type: 'card_error', code, message: 'The customer was not authenticated.' }
    },
    expire: (id) => {
      const one = intents.get(id)
      if (!one || one.status === 'succeeded' || faults.has('takes_expired')) return
      if (one.types[0] === 'konbini') {
        one.status = 'requires_payment_method'
        const code = 'payment_intent_payment_attempt_expired'
        one.error = { type: 'invalid_request_error', code, message: 'The voucher has expired.' }
        return
      }
      one.status = 'canceled'
      one.canceled_by = 'automatic'
    },
    deposit: (id, amount) => {
      const one = intents.get(id)
      if (one && deposits.arrive(one, amount)) pass(one)
    },
    event: (id, now_ms = now()) => {
      const one = intents.get(id)
      const is_dispute = disputes.disputes.has(id)
      const cash = { object: 'customer_cash_balance_transaction', customer: id }
      const object = one ? show(one) : is_dispute ? disputed(id) : cash
      const of_cash = 'customer_cash_balance_transaction.created'
      const of_other = is_dispute ? 'charge.dispute.funds_withdrawn' : of_cash
      const type = one ? 'payment_intent.succeeded' : of_other
      const body = JSON.stringify({ id: newId('evt'), object: 'event', type, data: { object } })
      const time = Math.floor(now_ms / 1000)
      const secret = faults.has('signs_wrongly') ? `${webhook_secret}x` : webhook_secret
      const v1 = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
      return { body, headers: { 'stripe-signature': `t=${time},v1=${v1}` } }
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
