import { Agent, fetch } from 'undici'
import type { OwnedShop } from '../bench/stored/shops.ts'
import type { RegisterOperation } from './checks/linearizable.ts'

// Shops that pay without a pause through the proxy. Each repeats a request with its key until it gets a
// response, and records the response.

export interface Reported {
  readonly key: string
  readonly id: string
  readonly merchant_id: string
}

/** A value in the metadata of a charge that several callers change and read concurrently. */
export interface Register {
  readonly charge_id: string
  readonly operations: RegisterOperation[]
}

export interface Shops {
  readonly charges: Reported[]
  readonly refunds: Reported[]
  readonly registers: Register[]
  /** When writes that were tried all the time were acknowledged, in milliseconds of `performance.now()`. */
  readonly acknowledged_ms: number[]
  /** Answers that no client should get, whatever fails. */
  readonly troubles: string[]
  /** How many requests had to be repeated. */
  repeated(): number
  stop(): Promise<void>
}

const card = {
  cardholder: 'A B',
  card_number: '4242424242424242',
  exp_month: '12',
  exp_year: '2040',
  cvv: '123',
}
const token = { payment_type: 'card', email: 'a@b.example', data: card }
const patience_ms = 5000
const pause_ms = 100
const pulse_ms = 100
/** Without a response for so long, something is broken for good. */
const lost_ms = 300_000
const register_callers = 3
const register_operations = 8

/** In turns: each has its own rate limit. */
function credentialOf(shop: OwnedShop): string {
  shop.turn += 1
  return shop.credentials[shop.turn % shop.credentials.length] ?? ''
}

type ApiResponse = { status: number; body: Record<string, unknown> }

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: small functions that share their state
export function startShops(url: string, owned: readonly OwnedShop[]): Shops {
  const agent = new Agent({ connections: 64, connect: { timeout: 2000 } })
  const charges: Reported[] = []
  const refunds: Reported[] = []
  const registers: Register[] = []
  const acknowledged_ms: number[] = []
  const troubles: string[] = []
  let repeated = 0
  let stopped = false

  async function once(
    shop: OwnedShop,
    method: string,
    path: string,
    body?: object,
    key?: string,
  ): Promise<ApiResponse> {
    const response = await fetch(`${url}${path}`, {
      method,
      dispatcher: agent,
      signal: AbortSignal.timeout(patience_ms),
      headers: {
        authorization: credentialOf(shop),
        'content-type': 'application/json',
        ...(key ? { 'idempotency-key': key } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
  }

  /** Repeats until there is an answer that is not "later". */
  async function surely(
    shop: OwnedShop,
    method: string,
    path: string,
    body?: object,
    key?: string,
  ) {
    const began_ms = performance.now()
    for (;;) {
      try {
        const response = await once(shop, method, path, body, key)
        // 409: the first try with this key is still in progress somewhere.
        const is_later =
          response.status >= 500 || response.status === 429 || response.status === 409
        if (!is_later) return response
        if (response.status === 500) troubles.push(`${method} ${path}: 500`)
      } catch {
        // No response, or not a whole one.
      }
      if (performance.now() - began_ms > lost_ms) throw new Error(`${method} ${path}: no answer`)
      repeated += 1
      await new Promise((resolve) => setTimeout(resolve, pause_ms))
    }
  }

  async function create(shop: OwnedShop, path: string, body: object, told: Reported[]) {
    const key = crypto.randomUUID()
    const response = await surely(shop, 'POST', path, body, key)
    const { id } = response.body
    if (response.status !== 201 || typeof id !== 'string') {
      troubles.push(`POST ${path}: ${response.status} ${JSON.stringify(response.body)}`)
      return null
    }
    told.push({ key, id, merchant_id: shop.merchant_id })
    return id
  }

  async function pay(shop: OwnedShop, turn: number): Promise<void> {
    const token_id = await create(shop, '/tokens', token, [])
    if (!token_id) return
    const money = { amount: 1000, currency: 'JPY' }
    const body = { transaction_token_id: token_id, ...money, metadata: { token_id, register: '0' } }
    const id = await create(shop, '/charges', body, charges)
    if (!id) return
    const path = `/stores/${shop.store_id}/charges/${id}`
    if (turn % 4 === 1) await refund(shop, path)
    if (turn % 8 === 2) await exerciseRegister(shop, id, path)
  }

  async function refund(shop: OwnedShop, path: string): Promise<void> {
    let status: unknown = 'pending'
    while (status === 'pending') {
      status = (await surely(shop, 'GET', `${path}?polling=true`)).body.status
    }
    if (status !== 'successful') return void troubles.push(`${path} is ${status}`)
    await create(shop, `${path}/refunds`, { amount: 400, currency: 'JPY' }, refunds)
  }

  /** Several callers change and read one value concurrently; a request without a response is not repeated. */
  async function exerciseRegister(shop: OwnedShop, charge_id: string, path: string): Promise<void> {
    const operations: RegisterOperation[] = []
    registers.push({ charge_id, operations })
    const call = async (caller: number) => {
      for (let turn = 0; turn < register_operations; turn += 1) {
        const kind = (caller + turn) % 2 === 0 ? 'write' : 'read'
        const written = `${caller}.${turn}`
        const began_ms = performance.now()
        const metadata = { register: written }
        const asked =
          kind === 'write' ? once(shop, 'PATCH', path, { metadata }) : once(shop, 'GET', path)
        const response = await asked.catch(() => null)
        const is_known = response?.status === 200
        const read = response?.body.metadata as { register?: string } | undefined
        operations.push({
          kind,
          value: kind === 'write' ? written : (read?.register ?? ''),
          began_ms,
          ended_ms: is_known ? performance.now() : Number.POSITIVE_INFINITY,
        })
      }
    }
    await Promise.all(Array.from({ length: register_callers }, (_, caller) => call(caller)))
  }

  /** A write is tried again and again, whatever became of those before: their times show when none succeeds. */
  let turn = 0
  const pulse = setInterval(() => {
    turn += 1
    const shop = owned[turn % owned.length]
    if (!shop) return
    const note = ({ status }: ApiResponse) => {
      if (status === 201) acknowledged_ms.push(performance.now())
    }
    void once(shop, 'POST', '/tokens', token).then(note, () => {})
  }, pulse_ms)

  const running = owned.map(async (shop) => {
    for (let turn = 0; !stopped; turn += 1) await pay(shop, turn)
  })
  return {
    charges,
    refunds,
    registers,
    acknowledged_ms,
    troubles,
    repeated: () => repeated,
    stop: async () => {
      stopped = true
      clearInterval(pulse)
      await Promise.all(running)
      await agent.destroy()
    },
  }
}
