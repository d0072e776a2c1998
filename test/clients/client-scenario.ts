import {
  Kaikei,
  KaikeiError,
  type KaikeiOptions,
  verifyWebhook,
} from '../../client/src/kaikei-client.ts'

/** The results of the scenario, as data, so that it can come out of a browser or another runtime. */
export interface Seen {
  charge: { status: string; charged_amount: number | null }
  refund: string
  declined: { code: string; status: unknown; message: string }
  too_much: { code: string; status: number | null; has_request_id: boolean }
  same_charge: boolean
  listed: { pages: number; charges: number; different: number }
  events: string[]
  webhook: { verified: string; forged: string }
}

/** The same in every runtime. */
export const expected: Seen = {
  charge: { status: 'successful', charged_amount: 1000 },
  refund: 'successful',
  declined: {
    code: 'STATUS_UNREACHABLE',
    status: 'failed',
    message:
      'The charge is failed (306: The issuer of the card declined the charge.) ' +
      'and cannot become successful.',
  },
  too_much: { code: 'REFUND_EXCEEDS_CHARGE_AMOUNT', status: 400, has_request_id: true },
  same_charge: true,
  listed: { pages: 2, charges: 12, different: 12 },
  events: ['successful', 'failed'],
  webhook: { verified: 'charge_finished', forged: 'INVALID_SIGNATURE' },
}

const card = {
  cardholder: 'Taro Yamada',
  card_number: '4242424242424242',
  exp_month: 12,
  exp_year: 2030,
  cvv: '123',
}

async function codeOf(call: Promise<unknown>): Promise<KaikeiError> {
  const error = await call.catch((failure: unknown) => failure)
  if (error instanceof KaikeiError) return error
  throw new Error('The call did not fail as it should.')
}

/** A payment from its token to its refund, and everything else that the client does for a shop. */
export async function runScenario(options: KaikeiOptions): Promise<Seen> {
  const kaikei = new Kaikei(options)
  const newToken = (card_number = card.card_number) =>
    kaikei.tokens.create({
      payment_type: 'card',
      email: 'taro@example.com',
      data: { ...card, card_number },
    })
  const newCharge = async (card_number?: string, idempotency_key?: string) => {
    const { id: transaction_token_id } = await newToken(card_number)
    const body = { transaction_token_id, amount: 1000, currency: 'JPY' }
    return kaikei.charges.create(body, idempotency_key ? { idempotency_key } : {})
  }

  const { id } = await newCharge()
  const charge = await kaikei.charges.waitUntil(id, 'successful')
  const { id: refund_id } = await kaikei.refunds.create(id, { amount: 300, currency: 'JPY' })
  const refund = await kaikei.refunds.waitUntil(id, refund_id, ['successful', 'failed'])
  const too_much = await codeOf(kaikei.refunds.create(id, { amount: 701, currency: 'JPY' }))

  const { id: declined_id } = await newCharge('4000000000000002')
  const declined = await codeOf(kaikei.charges.waitUntil(declined_id, 'successful'))

  const { id: transaction_token_id } = await newToken()
  const body = { transaction_token_id, amount: 1000, currency: 'JPY' }
  const key = { idempotency_key: crypto.randomUUID() }
  const twice = [await kaikei.charges.create(body, key), await kaikei.charges.create(body, key)]

  for (let created = 0; created < 9; created += 1) await newCharge()
  const ids: string[] = []
  for await (const { id } of kaikei.charges.list({ limit: 10 })) ids.push(id)
  const first_page = await kaikei.charges.list({ limit: 10 })

  const events: string[] = []
  for await (const event of kaikei.events.follow({ event: 'charge_finished' })) {
    if (event.event === 'charge_finished') events.push(event.data.status)
    if (events.length === 2) break
  }

  return {
    charge: { status: charge.status, charged_amount: charge.charged_amount },
    refund: refund.status,
    declined: {
      code: declined.code,
      status: (declined.resource as { status: string }).status,
      message: declined.message,
    },
    too_much: {
      code: too_much.code,
      status: too_much.status,
      has_request_id: too_much.request_id !== null,
    },
    same_charge: twice[0]?.id === twice[1]?.id,
    listed: {
      pages: first_page.has_more ? 2 : 1,
      charges: ids.length,
      different: new Set(ids).size,
    },
    events,
    webhook: await verifyBoth(),
  }
}

/** A message as the service signs it, and the same one with another body. */
async function verifyBoth(): Promise<Seen['webhook']> {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const text = (given: ArrayBuffer | Uint8Array) =>
    btoa(String.fromCharCode(...new Uint8Array(given)))
  const timestamp = String(Math.floor(Date.now() / 1000))
  const body = JSON.stringify({ event: 'charge_finished' })
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['sign'])
  const content = new TextEncoder().encode(`id.${timestamp}.${body}`)
  const headers = {
    'webhook-id': 'id',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${text(await crypto.subtle.sign('HMAC', key, content))}`,
  }
  const secret = `whsec_${text(bytes)}`
  const { event } = await verifyWebhook(body, headers, secret)
  const forged = await codeOf(verifyWebhook(`${body} `, headers, secret))
  return { verified: event, forged: forged.code }
}
