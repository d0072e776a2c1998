import Type, { type Static } from 'typebox'
import { described, named } from '../../core/api/described-schemas.ts'
import { type FieldError, fail, oneOf } from '../../core/api/errors.ts'
import { AnyObject, Label, nullable } from '../../core/api/schemas.ts'
import {
  call_methods,
  online_brands,
  os_types,
  page_life_ms,
  readName,
} from '../../core/payments/payment-methods.ts'
import type { OnlineData } from '../../store/tables/token-data.ts'
import { NameOf } from '../input-pieces.ts'
import { nothing_sealed, type PaymentMethod, type ReadPayment } from '../payment-method.ts'
import { ShownText as text } from '../shown-pieces.ts'

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

/** The customer pays on the page, or in the app, of a brand. */
export const online_method: PaymentMethod<OnlineInput, OnlineData> = {
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
  brands: brand_names,
  configuration: 'online',
  disabled: 'ONLINE_PROCESSING_DISABLED',
  read: (input, { ip_address }) => readOnline(input, ip_address),
  payer: ({ brand }) => ({ name: null, brand }),
  phone: () => null,
  instrument: (_, { data: { brand, call_method } }) => ({ kind: 'online', brand, call_method }),
  period: () => ({ kind: 'page', life_ms: page_life_ms.online }),
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
