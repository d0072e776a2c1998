import { request } from 'node:http'
import { expect } from 'vitest'

/** A response as the PHP client sees it: an empty successful body is `true` there. */
export interface PhpResponse {
  status: number
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
}

export interface PhpRequests {
  get(path: string, query?: Record<string, string>): Promise<PhpResponse>
  post(path: string, payload: unknown): Promise<PhpResponse>
  patch(path: string, payload: unknown): Promise<PhpResponse>
  delete(path: string): Promise<PhpResponse>
}

/** `uniqid('', true)`: hexadecimal digits, a dot, and decimal ones. */
function newKey(): string {
  const hex = crypto.randomUUID().replaceAll('-', '')
  return `${hex.slice(0, 14)}.${Number.parseInt(hex.slice(14, 20), 16)}`
}

/** Encodes arrays like PHP: an array without keys is a list, so an empty object becomes `[]`. */
function encode(payload: unknown): string {
  return JSON.stringify(payload, (_, value) =>
    value && typeof value === 'object' && Object.keys(value).length === 0 ? [] : value,
  )
}

/**
 * Sends what the public PHP client sends: JSON headers with every request, a lower-case
 * `idempotency-key` with every change, and a `?` at the end of every GET, parameters or not.
 */
export function phpRequests(address: string, authorization: string): PhpRequests {
  const send = (method: string, path: string, payload?: string) =>
    new Promise<PhpResponse>((resolve, reject) => {
      const headers = {
        authorization,
        Accept: 'application/json',
        'Content-Type': 'application/json',
        ...(payload === undefined
          ? {}
          : { 'idempotency-key': newKey(), 'Content-Length': Buffer.byteLength(payload) }),
      }
      const { hostname, port } = new URL(address)
      const sent = request({ method, hostname, port, path, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString()
          const body = text === '' ? true : JSON.parse(text)
          resolve({ status: response.statusCode ?? 0, text, body })
        })
      })
      sent.once('error', reject)
      sent.end(payload)
    })
  return {
    get: (path, query = {}) => send('GET', `${path}?${new URLSearchParams(query)}`),
    post: (path, payload) => send('POST', path, encode(payload)),
    patch: (path, payload) => send('PATCH', path, encode(payload)),
    delete: (path) => send('DELETE', path),
  }
}

/** Keys that the client's strict parser requires; a `*` marks keys that must not be null. */
const parsers = {
  token: `id store_id email active payment_type* mode* type* confirmed created_on* data metadata
    usage_limit last_used_on ip_address`,
  card: `card* card.cardholder card.exp_month card.exp_year card.last_four card.brand* card.country
    card.card_type* card.category card.issuer card.sub_brand* billing* billing.line1 billing.line2
    billing.state billing.city billing.country billing.zip billing.phone_number cvv_authorize*
    cvv_authorize.enabled cvv_authorize.status cvv_authorize.currency cvv_authorize.charge_id
    three_ds* three_ds.enabled three_ds.redirect_endpoint three_ds.status three_ds.redirect_id
    three_ds.error`,
  charge: `id store_id transaction_token_id transaction_token_type* subscription_id
    requested_currency* requested_amount* requested_amount_formatted status* mode* created_on*
    charged_currency charged_amount charged_amount_formatted only_direct_currency capture_at error
    metadata three_ds redirect`,
  refund: `id charge_id status* amount* currency* amount_formatted reason message error metadata mode*
    created_on*`,
  cancel: 'id charge_id store_id status* error metadata mode* created_on*',
  subscription: `id store_id transaction_token_id currency* amount* amount_formatted period
    cyclical_period schedule_settings* schedule_settings.start_on schedule_settings.zone_id*
    schedule_settings.preserve_end_of_month schedule_settings.retry_interval payments_left status*
    metadata mode* created_on* amount_left amount_left_formatted initial_amount
    initial_amount_formatted next_payment subscription_plan installment_plan
    first_charge_authorization_only first_charge_capture_after three_ds`,
  payment: 'due_date* zone_id* currency* amount* amount_formatted is_paid is_last_payment',
  transaction: `store_id resource_id charge_id currency* amount* amount_formatted type* status*
    metadata mode* user_data created_on*`,
  issuer_token: 'issuer_token* call_method* payload* payment_type* content_type*',
  checkout_info: `mode* recurring_token_privilege name card_configuration* qr_scan_configuration*
    convenience_configuration* paidy_configuration* online_configuration* subscription_configuration*
    theme* theme.colors* supported_brands*`,
  error: 'status* code* errors*',
} as const

const iso_time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d+(Z|[+-]\d{2}:\d{2})$/

/** Parses a resource as the strict parser does: it throws where a key is missing. */
export function parse(name: keyof typeof parsers, json: unknown): void {
  for (const path of parsers[name].split(/\s+/)) {
    const keys = path.replace('*', '').split('.')
    let value = json
    for (const key of keys) {
      expect(value, `${name}: ${path} of ${JSON.stringify(json)}`).toHaveProperty([key])
      value = (value as Record<string, unknown>)[key]
    }
    if (path.endsWith('*')) expect(value, `${name}: ${path}`).not.toBeNull()
    if (keys.at(-1) === 'created_on') expect(value, `${name}: ${path}`).toMatch(iso_time)
  }
}

export function parseList(name: keyof typeof parsers, json: { items: unknown[] }): void {
  expect(json).toMatchObject({ items: expect.any(Array), has_more: expect.any(Boolean) })
  for (const item of json.items) parse(name, item)
}
