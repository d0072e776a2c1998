import type { Selectable } from 'kysely'
import Type from 'typebox'
import { checkoutUrl, readPageKey } from '../../api/hosted-links.ts'
import type { Caller } from '../../core/access/caller.ts'
import { common, PaymentTypeText, TokenTypeText } from '../../core/api/common-fields.ts'
import { described, named, textOf } from '../../core/api/described-schemas.ts'
import { AnyObject, Id, Instant, nullable, PageOf } from '../../core/api/schemas.ts'
import { formatAmount } from '../../core/money/money.ts'
import { statesOf } from '../../core/payments/states.ts'
import { ChargeErrorView, ShownPhone } from '../../methods/pieces/shown-pieces.ts'
import type { Service } from '../../service.ts'
import { findRow, requireRow } from '../../store/sql/reads/find-row.ts'
import type { CheckoutSessionTable } from '../../store/tables/commerce/checkout-tables.ts'

export type CheckoutSession = Selectable<CheckoutSessionTable>

const text = nullable(Type.String())

const LineItemView = named(
  'LineItem',
  Type.Object({
    name: described(Type.String(), 'The items of the order.'),
    quantity: described(Type.Integer(), 'The number of units.'),
    amount: described(Type.Integer(), 'The price of one, in the smallest unit of the currency.'),
    description: described(text, 'Further details; null if there are none.'),
    image_url: described(text, 'A picture of the item; null without one.'),
  }),
  'Something that the customer buys.',
)

const CustomerView = named(
  'CheckoutCustomer',
  Type.Object({
    email: described(text, 'The e-mail of the customer; null: the page asks for it.'),
    customer_id: described(nullable(Id), 'The UUID of the customer; null without one.'),
    name: described(text, 'The name that forms are filled with; null without one.'),
    phone: described(nullable(ShownPhone), 'The number that forms are filled with; or null.'),
  }),
  'The payer.',
)

/** The options that sessions and payment links show. */
export const option_views = {
  payment_types: described(Type.Array(PaymentTypeText), 'How the customer can pay.'),
  token_type: described(TokenTypeText, 'The kind of token.'),
  subscription: described(
    nullable(AnyObject),
    'The billing plan of the subscription; null without one.',
  ),
  capture: described(Type.Boolean(), 'Whether the money is taken immediately.'),
  three_ds: described(
    nullable(
      named(
        'CheckoutThreeDs',
        Type.Object({ mode: described(Type.String(), 'The 3-D Secure mode.') }),
        'The 3-D Secure settings.',
      ),
    ),
    'The 3-D Secure settings; null if not given.',
  ),
  metadata: common.metadata,
  locale: described(text, 'The language of the page; null: that of the browser.'),
  success_url: described(text, "The customer's destination after payment; null: none."),
  cancel_url: described(text, "The customer's destination without payment; null: none."),
  only_direct_currency: described(
    nullable(Type.Boolean()),
    "Whether the charge fails instead of being converted; null: the store's setting.",
  ),
  descriptor: described(text, 'The text for the statement of the cardholder; null without one.'),
}

export const CheckoutSessionView = named(
  'CheckoutSession',
  Type.Object({
    id: described(Id, 'The id of the checkout session.'),
    merchant_id: common.merchant_id,
    store_id: common.store_id,
    mode: common.mode,
    url: described(
      text,
      'The page on which the customer pays: send them there. Null once the session has ended.',
    ),
    status: described(
      textOf(
        'CheckoutStatus',
        statesOf('checkout_session'),
        'The status of a checkout session. `processing`: a payment is in progress, or the ' +
          'customer pays elsewhere. If the payment fails, the session is `open` again.',
      ),
      'The state. `completed`: paid, authorized or subscribed.',
    ),
    amount: common.amount,
    currency: common.currency,
    amount_formatted: common.amount_formatted,
    line_items: described(Type.Array(LineItemView), 'The items of the order.'),
    customer: described(nullable(CustomerView), 'The payer; null if unknown.'),
    ...option_views,
    capture_at: described(
      nullable(Instant),
      'The capture time of an authorized charge; null if not given.',
    ),
    payment_type: described(
      nullable(PaymentTypeText),
      "The customer's last choice; null before it.",
    ),
    transaction_token_id: described(nullable(Id), 'The token of the last attempt; null before it.'),
    charge_id: described(nullable(Id), 'The charge of the last attempt; null without one.'),
    subscription_id: described(
      nullable(Id),
      'The subscription of the last attempt; null without one.',
    ),
    payment_link_id: described(nullable(Id), 'The payment link that it belongs to; or null.'),
    attempts: described(Type.Integer(), 'The number of attempts to pay.'),
    error: described(ChargeErrorView, 'Why the last attempt failed; null if it did not.'),
    expires_on: described(Instant, 'The expiry time, unless a payment is in progress then.'),
    completed_on: described(nullable(Instant), 'The completion time; null before it.'),
    created_on: common.created_on,
    updated_on: common.updated_on,
  }),
  'A payment that a customer makes on a page of this service.',
)
export const CheckoutSessionPage = PageOf(CheckoutSessionView)

/** Anyone with the address can pay and see the order, so it is shown no longer than necessary. */
function shownUrl(service: Service, session: CheckoutSession): string | null {
  return isEnded(session) ? null : checkoutUrl(service, session)
}

export function isEnded({ status }: Pick<CheckoutSession, 'status'>): boolean {
  return status !== 'open' && status !== 'processing'
}

export function viewCheckoutSession(service: Service, session: CheckoutSession) {
  const { options, amount, currency } = session
  return {
    id: session.id,
    merchant_id: session.merchant_id,
    store_id: session.store_id,
    mode: session.mode,
    url: shownUrl(service, session),
    status: session.status,
    amount,
    currency,
    amount_formatted: formatAmount(amount, currency),
    ...options,
    capture_at: options.capture_at && new Date(options.capture_at).toISOString(),
    payment_type: session.payment_type,
    transaction_token_id: session.transaction_token_id,
    charge_id: session.charge_id,
    subscription_id: session.subscription_id,
    payment_link_id: session.payment_link_id,
    attempts: session.attempts,
    error: session.error,
    expires_on: session.expires_on.toISOString(),
    completed_on: session.completed_on?.toISOString() ?? null,
    created_on: session.created_on.toISOString(),
    updated_on: session.updated_on.toISOString(),
  }
}

export interface SessionPath {
  readonly store_id: string
  readonly checkout_session_id: string
}

export async function getCheckoutSession(
  service: Service,
  caller: Pick<Caller, 'merchant_id' | 'mode'>,
  { store_id, checkout_session_id }: SessionPath,
  lock = false,
): Promise<CheckoutSession> {
  const { merchant_id, mode } = caller
  const known = { merchant_id, store_id, id: checkout_session_id, mode }
  return requireRow(service, 'checkout_sessions', known, lock)
}

/** The session of a page, by the secret in its address; null: there is none. */
export async function findSession(service: Service, key: string): Promise<CheckoutSession | null> {
  const name = readPageKey(key)
  if (!name) return null
  return findRow(service, 'checkout_sessions', {
    merchant_id: name.merchant_id,
    page_id: name.page_id,
  })
}
