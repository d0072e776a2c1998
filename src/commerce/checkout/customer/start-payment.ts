import { isIPv4 } from 'node:net'
import { checkoutUrl } from '../../../api/hosted-links.ts'
import type { Caller, Mode } from '../../../core/access/caller.ts'
import { fail, failField } from '../../../core/api/errors.ts'
import { session_attempts } from '../../../core/limits/checkout-policy.ts'
import { method_facts } from '../../../methods/method-facts.ts'
import { chargeAlone } from '../../../payments/charges/create/create-charge.ts'
import { createToken } from '../../../payments/tokens/create/create-token.ts'
import type { CreateToken } from '../../../payments/tokens/create/token-input.ts'
import { addCvv, lockToken } from '../../../payments/tokens/patch-token.ts'
import type { Token } from '../../../payments/tokens/token.ts'
import { atTimeOf, inTransaction, now, type Service, type Transacting } from '../../../service.ts'
import { createSubscription } from '../../subscriptions/create-subscription.ts'
import type { SubscriptionTerms } from '../../subscriptions/subscription-input.ts'
import { admitAttempt, type PageVisitor } from '../checkout-limits.ts'
import { type CheckoutSession, getCheckoutSession, isEnded } from '../checkout-session.ts'
import { moveCheckoutSession } from '../move-checkout-session.ts'
import { type PaidWith, type SavedCard, tokenData } from './payment-details.ts'

/**
 * Begins to pay a session: token, charge or subscription, and the session's new state are one transaction,
 * so none of them exists without the others, whenever the process dies. The session's row is locked first: of
 * two concurrent requests one begins a payment, and the other finds it in progress. A session that is
 * processing or was completed is returned as it is.
 */
export async function startPayment(
  base: Service,
  found: CheckoutSession,
  paid_with: PaidWith,
  visitor: PageVisitor,
): Promise<CheckoutSession> {
  const service = atTimeOf(base, found)
  const path = { store_id: found.store_id, checkout_session_id: found.id }
  if (found.status === 'open') requireOpen(service, found, paid_with)
  const { limit_keys, giveBack } = await admitAttempt(service, found, paid_with, visitor)
  let has_begun = false
  try {
    const outcome = await inTransaction(service, async (tx) => {
      const session = await getCheckoutSession(tx, found, path, true)
      if (session.status === 'processing' || session.status === 'completed') {
        return { session, begins: false }
      }
      requireOpen(tx, session, paid_with)
      const token = await makeToken(tx, session, paid_with, visitor)
      return { session: await begin(tx, session, token, limit_keys), begins: true }
    })
    has_begun = outcome.begins
    return outcome.session
  } finally {
    if (!has_begun) giveBack()
  }
}

function requireOpen(tx: Service, session: CheckoutSession, paid_with: PaidWith): void {
  const { payment_types } = session.options
  const payment_type = paid_with.kind === 'details' ? paid_with.details.payment_type : 'card'
  if (isEnded(session) || session.expires_on <= now(tx)) fail('CHECKOUT_SESSION_ENDED')
  if (session.attempts >= session_attempts.max) fail('CHECKOUT_SESSION_ENDED')
  if (session.retry_on && session.retry_on > now(tx)) fail('CHECKOUT_SESSION_PROCESSING')
  if (!payment_types.includes(payment_type)) {
    failField('payment_type', 'NOT_ALLOWED_VALUE', 'is not offered by this checkout session')
  }
  const is_closed = session.declines >= session_attempts.max_declines
  if (is_closed && method_facts[payment_type].holds) fail('CHECKOUT_CARDS_CLOSED')
}

type Shop = Caller & { store_id: string; mode: Mode }

/** The caller on whose behalf the page acts. The shop used its secret when it created the session. */
function shopOf({ id, merchant_id, store_id, mode }: CheckoutSession): Shop {
  const nobody = { domains: [], user: null } as const
  return { token_id: id, merchant_id, store_id, mode, with_secret: true, ...nobody }
}

async function makeToken(
  tx: Transacting,
  session: CheckoutSession,
  paid_with: PaidWith,
  visitor: PageVisitor,
): Promise<Token> {
  const { metadata, customer, token_type } = session.options
  const customer_id = customer?.customer_id ?? null
  if (paid_with.kind === 'saved_card') return savedCard(tx, session, customer_id, paid_with.card)
  const { details } = paid_with
  const body = {
    payment_type: details.payment_type,
    type: token_type,
    email: customer?.email ?? details.email ?? null,
    ip_address: isIPv4(visitor.ip) ? visitor.ip : null,
    metadata: customer_id ? { ...metadata, 'svc-customer-id': customer_id } : metadata,
    data: tokenData(details),
  } as CreateToken
  // The number came from a browser, and not through the server of the shop.
  return createToken(tx, { ...shopOf(session), with_secret: false }, body, null)
}

/** One of the customer's own cards; the security code goes to the issuer with the charge. */
async function savedCard(
  tx: Transacting,
  session: CheckoutSession,
  customer_id: string | null,
  { transaction_token_id: id, cvv }: SavedCard,
): Promise<Token> {
  const token = await lockToken(tx, session, session.store_id, id)
  const is_theirs = customer_id !== null && token.customer_id === customer_id
  const is_card = token.payment_type === 'card' && token.type === 'recurring'
  if (!is_theirs || !is_card) fail('NOT_FOUND')
  return addCvv(tx, token, cvv)
}

/** The charge, or the subscription with its first one; then the session is processing. */
async function begin(
  tx: Transacting,
  session: CheckoutSession,
  token: Token,
  limit_keys: CheckoutSession['limit_keys'],
): Promise<CheckoutSession> {
  const { charge_id, subscription_id } = await pay(tx, session, token)
  tx.failpoint('in checkout payment')
  const started = await moveCheckoutSession(tx, session, 'start', {
    payment_type: token.payment_type,
    transaction_token_id: token.id,
    charge_id,
    subscription_id,
    attempts: session.attempts + 1,
    limit_keys: limit_keys && JSON.stringify(limit_keys),
    error: null,
    retry_on: null,
  })
  if (!started) fail('CHECKOUT_SESSION_PROCESSING')
  // A subscription that begins later is paid later: the token suffices.
  return charge_id ? started : ((await moveCheckoutSession(tx, started, 'complete')) ?? started)
}

interface Paid {
  readonly charge_id: string | null
  readonly subscription_id: string | null
}

async function pay(tx: Transacting, session: CheckoutSession, token: Token): Promise<Paid> {
  const { amount, currency, options } = session
  const { metadata, subscription, descriptor, only_direct_currency } = options
  const of_card = method_facts[token.payment_type].holds
  // Customers who act on another page come back to that of the session.
  const checkout = { session_id: session.id, return_url: checkoutUrl(tx, session) }
  const asked = {
    transaction_token_id: token.id,
    amount,
    currency,
    metadata,
    only_direct_currency,
    descriptor: of_card ? descriptor : null,
    three_ds:
      token.payment_type === 'card' ? (options.three_ds as { mode: 'normal' } | null) : null,
  }
  if (!subscription) {
    const held = of_card ? { capture: options.capture, capture_at: options.capture_at } : {}
    const { id } = await chargeAlone(tx, shopOf(session), { ...asked, ...held }, checkout)
    return { charge_id: id, subscription_id: null }
  }
  const terms = subscription as SubscriptionTerms
  const { id } = await createSubscription(tx, shopOf(session), { ...terms, ...asked }, { checkout })
  const first = await tx.db
    .selectFrom('charges')
    .select('id')
    .where('merchant_id', '=', session.merchant_id)
    .where('subscription_id', '=', id)
    .executeTakeFirst()
  return { charge_id: first?.id ?? null, subscription_id: id }
}
