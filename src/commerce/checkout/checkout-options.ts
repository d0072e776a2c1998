import Type, { type Static } from 'typebox'
import { mergeMetadata } from '../../api/merge-metadata.ts'
import type { Caller, Mode } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { failField, readAll } from '../../core/api/errors.ts'
import { Id, Label, nullable } from '../../core/api/schemas.ts'
import { max_line_items, session_life } from '../../core/limits/checkout-policy.ts'
import { type PaymentType, payment_types } from '../../core/payments/payment-types.ts'
import { customer_languages } from '../../core/text/http/languages.ts'
import { hour_ms } from '../../core/time/clock.ts'
import { readInstant } from '../../core/typed/formats.ts'
import { readRedirectEndpoint } from '../../core/typed/redirect-endpoint.ts'
import { isRepeatable, method_facts } from '../../methods/method-facts.ts'
import { PhoneInput } from '../../methods/pieces/input-pieces.ts'
import { Amount } from '../../payments/charges/charge-input.ts'
import { authorization_life_ms, readThreeDs } from '../../payments/charges/create/charge-fields.ts'
import { supportedBrands } from '../../payments/checkout-info/checkout-info.ts'
import { type Offer, offerOf } from '../../payments/routing/live-offer.ts'
import type { StoreRules } from '../../payments/store-rules/store-rules.ts'
import { now, type Service } from '../../service.ts'
import type {
  CheckoutCustomer,
  CheckoutOptions,
  LineItem,
} from '../../store/tables/commerce/checkout-tables.ts'
import {
  checkAmounts,
  checkFirstCharge,
  checkOffers,
} from '../subscriptions/create-subscription.ts'
import { readPlan } from '../subscriptions/read-plan.ts'
import { SubscriptionTerms } from '../subscriptions/subscription-input.ts'

/** The placeholder for a session ID in the addresses of a shop. */
export const session_placeholder = '{CHECKOUT_SESSION_ID}'

export const CreateLineItem = named(
  'CreateLineItem',
  Type.Object({
    name: described(Label(), 'The items of the order.'),
    quantity: described(Type.Integer({ minimum: 1, maximum: 1_000_000 }), 'The number of units.'),
    amount: described(Amount, 'The price of one, in the smallest unit of the currency.'),
    description: described(Type.Optional(nullable(Label(1000))), 'More about it.'),
    image_url: described(
      Type.Optional(nullable(Type.String({ format: 'url' }))),
      'A picture of it; an https address.',
    ),
  }),
  'Something that the customer buys.',
)

const CreateCheckoutCustomer = named(
  'CreateCheckoutCustomer',
  Type.Object({
    email: described(
      Type.Optional(nullable(Type.String({ format: 'email' }))),
      "The customer's e-mail. If absent, the page asks for it.",
    ),
    customer_id: described(
      Type.Optional(nullable(Id)),
      'The UUID of the customer: the page offers their stored cards, and tokens get it as ' +
        '`svc-customer-id`.',
    ),
    name: described(Type.Optional(nullable(Label())), 'The name that forms are filled with.'),
    phone: described(Type.Optional(nullable(PhoneInput)), 'The number that forms are filled with.'),
  }),
  'The payer.',
)

/** The placeholder makes it no URL yet: it is checked without it. */
const Address = Type.Optional(nullable(Type.String({ maxLength: 4000 })))
/** `skip` needs a privilege; results of an authentication elsewhere have no place here. */
const modes = ['normal', 'require', 'force', 'skip', 'if_available'] as const

/** The fields that sessions and payment links have in common. */
export const option_fields = {
  payment_types: described(
    Type.Optional(
      nullable(Type.Array(Type.Enum([...payment_types]), { minItems: 1, uniqueItems: true })),
    ),
    'The payment methods, in the order in which the page shows them. Default: all that the store accepts, ' +
      'those that its customers use most first; `qr_scan` is for tills and has to be named.',
  ),
  token_type: described(
    Type.Optional(nullable(Type.Enum(['one_time', 'recurring', 'subscription']))),
    'The kind of token: `recurring` stores the details for later charges, `subscription` ' +
      'begins a subscription. Default: `one_time`.',
  ),
  subscription: described(
    Type.Optional(nullable(SubscriptionTerms)),
    'How the subscription is billed. Required with `subscription`.',
  ),
  capture: described(
    Type.Optional(nullable(Type.Boolean())),
    'Whether the money is taken immediately. `false` only authorizes it; cards only. Default: true.',
  ),
  three_ds: described(
    Type.Optional(
      nullable(
        named(
          'CreateCheckoutThreeDs',
          Type.Object({
            mode: described(
              Type.Enum([...modes]),
              'The 3-D Secure mode, as `three_ds_mode` of a charge.',
            ),
          }),
          'How the cardholder is authenticated.',
        ),
      ),
    ),
    'How the cardholder is authenticated.',
  ),
  metadata: Type.Optional(nullable(common.new_metadata)),
  locale: described(
    Type.Optional(nullable(Type.Enum([...customer_languages]))),
    'The language of the page. Default: that of the browser. The customer can choose another one.',
  ),
  success_url: described(
    Address,
    `Where the customer goes after paying; ${session_placeholder} in it is replaced by the id.`,
  ),
  cancel_url: described(
    Address,
    `The page for customers who cancel; ${session_placeholder} is replaced too.`,
  ),
  only_direct_currency: described(
    Type.Optional(nullable(Type.Boolean())),
    'Whether the charge fails when no provider takes its currency, instead of being converted.',
  ),
  descriptor: described(
    Type.Optional(nullable(Type.String({ maxLength: 64 }))),
    'A text for the statement of the cardholder. Payments by other means have none.',
  ),
}

/** Fields of sessions only: a session is for one customer. */
export const session_fields = {
  line_items: described(
    Type.Optional(nullable(Type.Array(CreateLineItem, { maxItems: max_line_items }))),
    'The items of the order. If given, they must sum to the amount.',
  ),
  customer: described(Type.Optional(nullable(CreateCheckoutCustomer)), 'The payer.'),
  capture_at: described(
    Type.Optional(nullable(Type.String({ format: 'instant' }))),
    'With `capture: false`: when to capture, at least an hour after the session expires and at most ' +
      '7 days ahead.',
  ),
}
const Options = Type.Object({ ...option_fields, ...session_fields })
export type CheckoutInput = Static<typeof Options>

/** The possible amounts of a payment: a link may leave the amount to the customer. */
export interface Priced {
  readonly amounts: readonly number[]
  readonly currency: string
  /** When the page closes; null: not known yet. */
  readonly expires_on: Date | null
}

type Owner = Pick<Caller, 'with_secret' | 'merchant_id'> & { store_id: string; mode: Mode }

/** The options of a session or link, checked as the charge and the subscription will be. */
export async function readOptions(
  service: Service,
  caller: Owner,
  body: CheckoutInput,
  rules: StoreRules,
  priced: Priced,
): Promise<CheckoutOptions> {
  const only_direct_currency = body.only_direct_currency ?? rules.only_direct_currency
  const { amounts, currency } = priced
  // Cycles and parts of a plan have amounts of their own.
  const is_one = (body.token_type ?? 'one_time') === 'one_time' && amounts.length === 1
  const amount = is_one ? (amounts[0] ?? null) : null
  const planned = { amount, currency, only_direct_currency }
  const offer = await offerOf(service, caller, caller.mode, planned)
  const token_type = body.token_type ?? 'one_time'
  const capture = body.capture ?? true
  const [metadata, line_items, types, success_url, cancel_url, customer] = readAll(
    () => mergeMetadata({}, body.metadata ?? {}),
    () => readLineItems(body, priced),
    () => readTypes(service, offer, body, rules, caller.mode),
    () => readAddress('success_url', body.success_url, caller.mode),
    () => readAddress('cancel_url', body.cancel_url, caller.mode),
    () => readCustomer(body),
    () => checkTerms(service, body, rules, priced),
    () => checkCaptureAt(service, body, priced),
    () => body.three_ds && readThreeDs({ three_ds: body.three_ds }, caller, rules),
  )
  return {
    line_items,
    payment_types: types,
    is_ordered: Boolean(body.payment_types),
    token_type,
    subscription: body.subscription ?? null,
    capture,
    capture_at: body.capture_at ?? null,
    three_ds: body.three_ds ?? null,
    metadata,
    customer,
    locale: body.locale ?? null,
    success_url,
    cancel_url,
    only_direct_currency: body.only_direct_currency ?? null,
    descriptor: body.descriptor ?? null,
  }
}

function readLineItems({ line_items }: CheckoutInput, { amounts }: Priced): LineItem[] {
  if (!line_items || line_items.length === 0) return []
  line_items.forEach(({ image_url }, n) => {
    if (image_url && !image_url.toLowerCase().startsWith('https://')) {
      failField(`line_items.${n}.image_url`, 'INVALID_FORMAT_URL', 'must be an https address')
    }
  })
  const sum = line_items.reduce((all, { quantity, amount }) => all + quantity * amount, 0)
  if (sum !== amounts[0]) failField('line_items', 'INVALID_AMOUNT', `sum to ${sum}, not to amount`)
  return line_items.map(({ name, quantity, amount, description = null, image_url = null }) => ({
    name,
    quantity,
    amount,
    description,
    image_url,
  }))
}

/** The payment types that the store offers and that fit; every requested type must fit. */
function readTypes(
  service: Service,
  offer: Offer,
  body: CheckoutInput,
  rules: StoreRules,
  mode: Mode,
): PaymentType[] {
  const offered = new Set(supportedBrands(service, rules, offer).map((brand) => brand.payment_type))
  const once = (body.token_type ?? 'one_time') === 'one_time'
  const holds = body.capture === false || Boolean(body.subscription?.installment_plan)
  const fits = (type: PaymentType) =>
    offered.has(type) && (once || isRepeatable(type, mode)) && (!holds || method_facts[type].holds)
  const isUsual = (type: PaymentType) => method_facts[type].on_pages !== 'where_named'
  const wanted = body.payment_types ?? payment_types.filter((type) => fits(type) && isUsual(type))
  const unfit = wanted.find((type) => !fits(type))
  if (unfit) {
    const rule = `has ${unfit}, which the store does not offer or which does not fit the other fields`
    failField('payment_types', 'NOT_ALLOWED_VALUE', rule)
  }
  if (wanted.length === 0) {
    failField('payment_types', 'NOT_ALLOWED_VALUE', 'would be empty: the store offers nothing')
  }
  return [...wanted]
}

/**
 * Stands for the placeholder while an address is normalised: its braces would be escaped. A host
 * has no capitals.
 */
const placeholder_word = '__CHECKOUT_SESSION_ID__'

function readAddress(field: string, address: string | null | undefined, mode: Mode): string | null {
  if (!address) return null
  const given = address.replaceAll(session_placeholder, placeholder_word)
  const found = readRedirectEndpoint(given, mode)
  if (found === null || /__checkout_session_id__/i.test(new URL(found).hostname)) {
    failField(field, 'INVALID_FORMAT_URL')
  }
  return found.replaceAll(placeholder_word, session_placeholder)
}

function checkTerms(
  service: Service,
  { subscription, token_type, capture }: CheckoutInput,
  rules: StoreRules,
  { amounts, currency }: Priced,
): void {
  if (token_type === 'recurring' && rules.recurring_type !== 'infinite') {
    failField(
      'token_type',
      'NOT_ALLOWED_VALUE',
      'can be recurring when the merchant may store cards',
    )
  }
  if (token_type !== 'subscription') {
    if (subscription) failField('subscription', 'FORBIDDEN_PARAMETER')
    return
  }
  if (!subscription) failField('subscription', 'REQUIRED_VALUE')
  if (capture === false) {
    const rule = 'must be true; send subscription.first_charge_authorization_only'
    failField('capture', 'FORBIDDEN_PARAMETER', rule)
  }
  for (const amount of amounts) {
    const plan = readPlan({ amount, ...subscription }, now(service))
    checkAmounts(plan, currency, rules)
    checkOffers(plan, rules)
  }
  checkFirstCharge(subscription, true)
}

/** Whenever the customer pays, it lies within what a charge allows. */
function checkCaptureAt(service: Service, body: CheckoutInput, { expires_on }: Priced): void {
  const capture_at = body.capture_at ? readInstant(body.capture_at) : null
  if (!capture_at) return
  if (body.capture !== false)
    failField('capture_at', 'FORBIDDEN_PARAMETER', 'needs "capture": false')
  const closes_ms = expires_on?.getTime() ?? service.clock.now() + session_life.default_ms
  const at_ms = capture_at.getTime()
  if (at_ms < closes_ms + hour_ms || at_ms > service.clock.now() + authorization_life_ms) {
    const rule = 'must lie at least an hour after expires_on and at most 7 days ahead'
    failField('capture_at', 'INVALID_SCHEDULED_CAPTURE_DATE', rule)
  }
}

function readCustomer({ customer }: CheckoutInput): CheckoutCustomer | null {
  if (!customer) return null
  const { email = null, customer_id = null, name = null, phone = null } = customer
  if (!phone) return { email, customer_id, name, phone: null }
  const [country_code, local_number] = [String(phone.country_code), String(phone.local_number)]
  if (!/^\d{1,4}$/.test(country_code) || !/^\d{1,15}$/.test(local_number)) {
    failField('customer.phone', 'INVALID_PHONE_NUMBER')
  }
  return { email, customer_id, name, phone: { country_code: Number(country_code), local_number } }
}
