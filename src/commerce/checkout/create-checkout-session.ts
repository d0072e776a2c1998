import Type, { type Static } from 'typebox'
import type { Caller, Mode } from '../../core/access/caller.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { failField, readAll } from '../../core/api/errors.ts'
import { nullable } from '../../core/api/schemas.ts'
import { newUnguessableId } from '../../core/ids.ts'
import { session_life } from '../../core/limits/checkout-policy.ts'
import { readInstant } from '../../core/typed/formats.ts'
import { Amount, Currency } from '../../payments/charges/charge-input.ts'
import { checkAmount } from '../../payments/charges/create/create-charge.ts'
import { storeRules } from '../../payments/store-rules/store-rules.ts'
import { newRow, type Service } from '../../service.ts'
import type { CheckoutOptions } from '../../store/tables/commerce/checkout-tables.ts'
import { option_fields, readOptions, session_fields } from './checkout-options.ts'
import type { CheckoutSession } from './checkout-session.ts'

export const CreateCheckoutSession = named(
  'CreateCheckoutSession',
  Type.Object({
    amount: described(
      Amount,
      'The amount, in the smallest unit of the currency; for a subscription, the amount of ' +
        'each cycle.',
    ),
    currency: described(Currency, 'The currency, as an ISO-4217 code in any case.'),
    ...session_fields,
    ...option_fields,
    expires_on: described(
      Type.Optional(nullable(Type.String({ format: 'instant' }))),
      'The last time at which the customer can start to pay: 5 minutes to 7 days ahead. Default: 24 hours.',
    ),
  }),
  "A new checkout session. The customer's browser cannot change it.",
)
export type CreateCheckoutSession = Static<typeof CreateCheckoutSession>

export type StoreOwner = Caller & { store_id: string; mode: Mode }

export async function createCheckoutSession(
  service: Service,
  caller: StoreOwner,
  body: CreateCheckoutSession,
): Promise<CheckoutSession> {
  const rules = await storeRules(service, caller.merchant_id, caller.store_id)
  const currency = body.currency.toUpperCase()
  checkAmount(body.amount, currency, rules)
  const [expires_on] = readAll(() => readExpiry(service, body.expires_on))
  const priced = { amounts: [body.amount], currency, expires_on }
  const options = await readOptions(service, caller, body, rules, priced)
  return insertSession(
    service,
    { ...caller, payment_link_id: null },
    {
      amount: body.amount,
      currency,
      options,
      expires_on,
    },
  )
}

interface NewSession {
  readonly amount: number
  readonly currency: string
  readonly options: CheckoutOptions
  readonly expires_on: Date
}

interface SessionOwner {
  readonly merchant_id: string
  readonly store_id: string
  readonly mode: Mode
  readonly payment_link_id: string | null
}

/** Nothing but its row: no event, because nothing has happened yet. */
export async function insertSession(
  service: Service,
  { merchant_id, store_id, mode, payment_link_id }: SessionOwner,
  { amount, currency, options, expires_on }: NewSession,
): Promise<CheckoutSession> {
  const { id, created_on } = newRow(service)
  return service.db
    .insertInto('checkout_sessions')
    .values({
      merchant_id,
      id,
      store_id,
      mode,
      page_id: newUnguessableId(),
      payment_link_id,
      status: 'open',
      amount,
      currency,
      options: JSON.stringify(options),
      expires_on,
      created_on,
      updated_on: created_on,
      due_on: expires_on,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

function readExpiry(service: Service, given: string | null | undefined): Date {
  const now_ms = service.clock.now()
  const expires_on = given ? readInstant(given) : new Date(now_ms + session_life.default_ms)
  const ahead_ms = (expires_on?.getTime() ?? 0) - now_ms
  if (!expires_on || ahead_ms < session_life.min_ms || ahead_ms > session_life.max_ms) {
    const rule = 'must lie between 5 minutes and 7 days ahead'
    failField('expires_on', 'EXPIRATION_DATE_OUT_OF_BOUNDS', rule)
  }
  return expires_on
}
