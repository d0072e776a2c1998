import Type, { type Static } from 'typebox'
import { described, named } from '../../core/api/described-schemas.ts'
import { type FieldError, fail, oneOf } from '../../core/api/errors.ts'
import { AnyObject, Label, nullable } from '../../core/api/schemas.ts'
import { derivedId } from '../../core/ids.ts'
import { page_life_ms } from '../../core/limits/page-life.ts'
import { type CallMethod, call_methods } from '../../core/payments/call-methods.ts'
import { readName } from '../../core/typed/read-name.ts'
import type { Authorization } from '../../providers/provider-operations.ts'
import type { SimulatorOutcome } from '../../store/tables/payments/simulator-tables.ts'
import {
  nothing_sealed,
  type PaymentMethod,
  type ReadPayment,
  settingsOf,
} from '../contract/payment-method.ts'
import { NameOf } from '../pieces/input-pieces.ts'
import { ShownText as text } from '../pieces/shown-pieces.ts'
import { online_brands, os_types } from './online-facts.ts'

const brand_names = Object.keys(online_brands) as (keyof typeof online_brands)[]

/** What each brand of an online payment accepts, in a sentence. */
const per_brand = Object.entries(online_brands)
  .map(([name, brand]) => `${name}: ${brand.call_methods.join(', ')}`)
  .join('; ')

const OnlineInput = named(
  'OnlineInput',
  Type.Object({
    brand: NameOf(brand_names, 'The brand. '),
    call_method: described(
      NameOf(call_methods),
      `How the page or app is called. By brand: ${per_brand}.`,
    ),
    user_identifier: described(
      Type.Optional(nullable(Label())),
      'The id of the customer at the brand. Required for `we_chat_online` with `sdk` or `web`.',
    ),
    os_type: Type.Optional(
      nullable(NameOf(os_types, 'For `alipay_plus_online` with `http_get_mobile` or `app`. ')),
    ),
  }),
  'Payment on the page or in the app of a brand.',
)
type OnlineInput = Static<typeof OnlineInput>

interface OnlineData {
  brand: string
  call_method: CallMethod
  issuer_token: string | null
  issuer_token_payload: Record<string, string> | null
  os_type: string | null
  user_identifier: string | null
  user_identifier_source: 'provided' | null
}

/** The customer pays on the page, or in the app, of a brand. */
export const online_method = {
  input: OnlineInput,
  shown: {
    brand: described(text, 'The brand.'),
    call_method: described(Type.String(), 'How the page or app of the brand is called.'),
    issuer_token: described(
      text,
      'The URL of the page, or the token of the SDK; null until a charge waits for the customer.',
    ),
    issuer_token_payload: described(
      nullable(AnyObject),
      'The fields to post to the page; null where there are none.',
    ),
    os_type: described(text, 'The operating system of the customer; null if not given.'),
    user_identifier: described(text, 'The id of the customer at the brand; null if not given.'),
    user_identifier_source: described(
      text,
      '`provided` when the id of the customer was sent; otherwise null.',
    ),
  },
  settings: settingsOf('online', 'OnlineConfiguration', {
    about: 'Online brands.',
    accepted: 'Whether online brands are accepted.',
  }),
  disabled: 'ONLINE_PROCESSING_DISABLED',
  read: (input, { ip_address }) => readOnline(input, ip_address),
  payer: ({ brand }) => ({ name: null, brand }),
  phone: () => null,
  instrument: (_, { data: { brand, call_method } }) => ({ kind: 'online', brand, call_method }),
  sent_as: { instrument: 'online', with_brand: true },
  period: () => ({ kind: 'page', life_ms: page_life_ms.online }),
  offer: (brand) => ({ online_brand: brand, dynamic_info: brand === 'alipay_plus_online' }),
  simulate: simulateOnline,
  customer_fields: ['brand'],
  complete: callMethod,
  form: {
    kind: 'brands',
    title: (brand) => brand,
    button: (brand, language) => (language === 'ja' ? `${brand}に進む` : `Continue to ${brand}`),
  },
} satisfies PaymentMethod<OnlineInput, OnlineData>

/** On a checkout the customer is sent to the page of the brand. */
function callMethod({ brand }: Readonly<Record<string, unknown>>): { call_method: string } {
  const name = readName(String(brand), brand_names)
  const offered: readonly string[] = name ? online_brands[name].call_methods : []
  return { call_method: offered.includes('http_post') ? 'http_post' : 'http_get' }
}

function simulateOnline({ instrument, reference }: Authorization): SimulatorOutcome {
  const by_page = ['http_get', 'http_get_mobile', 'http_post']
  const paged = instrument.kind === 'online' && by_page.includes(instrument.call_method)
  const sdk_token = paged ? null : `sdk_${derivedId(reference, 'sdk').replaceAll('-', '')}`
  return { outcome: 'waiting', instructions: { kind: 'online', sdk_token } }
}

/** Every fault is named: what a brand needs depends on how it is called. */
function readOnline(input: OnlineInput, ip_address: string | null): ReadPayment<OnlineData> {
  const brand = readName(input.brand, brand_names)
  const call_method = readName(input.call_method, call_methods)
  const os_type = input.os_type ? readName(input.os_type, os_types) : null
  const errors: FieldError[] = []
  const need = (field: string, reason: FieldError['reason'], rule: string) =>
    errors.push({ field, reason, rule })
  const known = brand ? online_brands[brand].call_methods : call_methods
  const for_brand = brand ? ` for ${brand}` : ''
  if (brand === null) need('data.brand', 'NOT_ALLOWED_VALUE', oneOf(brand_names))
  if (call_method === null) {
    need('data.call_method', 'NOT_ALLOWED_VALUE', `${oneOf(known)}${for_brand}`)
  }
  if (input.os_type && os_type === null) {
    need('data.os_type', 'NOT_ALLOWED_VALUE', oneOf(os_types))
  }
  if (brand !== null && call_method !== null) {
    const accepts = online_brands[brand]
    const lists = (methods: readonly string[]) => methods.includes(call_method)
    const missing = `is required for ${brand} with ${call_method}`
    if (!lists(accepts.call_methods)) {
      need('data.call_method', 'NOT_ALLOWED_VALUE', `${oneOf(known)}${for_brand}`)
    }
    if (lists(accepts.user_identifier_for) && !input.user_identifier) {
      need('data.user_identifier', 'REQUIRED_VALUE', missing)
    }
    if (lists(accepts.os_type_for) && !input.os_type) {
      need('data.os_type', 'REQUIRED_VALUE', `${missing}: android or ios`)
    }
    if (lists(accepts.ip_address_for) && !ip_address) need('ip_address', 'REQUIRED_VALUE', missing)
  }
  if (errors.length > 0 || brand === null || call_method === null) {
    fail('VALIDATION_ERROR', { errors })
  }
  const user_identifier = input.user_identifier ?? null
  return {
    ...nothing_sealed,
    data: {
      brand,
      call_method,
      issuer_token: null,
      issuer_token_payload: null,
      os_type,
      user_identifier,
      user_identifier_source: user_identifier === null ? null : 'provided',
    },
  }
}
