import { mergeMetadata } from '../../api/merge-metadata.ts'
import type { Caller, Mode } from '../../core/access/caller.ts'
import { fail, failField, readAll } from '../../core/api/errors.ts'
import { type Plan, paymentAmount } from '../../core/money/payment-plan.ts'
import type { Metadata } from '../../core/text/metadata.ts'
import { searchWords } from '../../core/text/search-words.ts'
import { day_ms, hour_ms } from '../../core/time/clock.ts'
import { readDuration } from '../../core/time/durations.ts'
import { method_facts } from '../../methods/method-facts.ts'
import { payerOf } from '../../methods/method-table.ts'
import { readThreeDs } from '../../payments/charges/create/charge-fields.ts'
import { checkAmount } from '../../payments/charges/create/create-charge.ts'
import type { CheckoutOrigin } from '../../payments/charges/create/new-charge.ts'
import {
  refuseUse,
  tokenFault,
  too_quick_ms,
  type UseFault,
} from '../../payments/charges/create/token-use.ts'
import { type StoreRules, storeRules } from '../../payments/store-rules/store-rules.ts'
import { requireToken } from '../../payments/tokens/require-token.ts'
import type { Token } from '../../payments/tokens/token.ts'
import { inTransaction, newRow, now, type Service, type Transacting } from '../../service.ts'
import { lockRow } from '../../store/sql/reads/find-row.ts'
import { run } from '../../store/sql/statements/statement.ts'
import { chargePayment } from './cycles/charge-payment.ts'
import { addPayment, emitSubscription, moveSubscription } from './move-subscription.ts'
import { type ReadPlan, readPlan } from './read-plan.ts'
import { type Subscription, startsAtOnce } from './subscription.ts'
import type { CreateSubscription } from './subscription-input.ts'

/** The owner of a new subscription: a store, in a mode. */
export type StoreOwner = Pick<Caller, 'merchant_id' | 'with_secret'> & {
  store_id: string
  mode: NonNullable<Caller['mode']>
}

/** The fields of the first charge besides those that follow from its subscription. */
export interface FirstCharge {
  readonly metadata?: Metadata
  readonly checkout?: CheckoutOrigin | null
}

/** Accepts a subscription. It is `unverified` until its first payment has succeeded. */
export async function createSubscription(
  service: Service,
  caller: StoreOwner,
  body: CreateSubscription,
  first_charge: FirstCharge = {},
): Promise<Subscription> {
  const rules = await storeRules(service, caller.merchant_id, caller.store_id)
  const currency = body.currency.toUpperCase()
  const [metadata, plan] = readAll(
    () => mergeMetadata({}, body.metadata ?? {}),
    () => readPlan(body, now(service)),
  )
  checkAmounts(plan, currency, rules)
  checkOffers(plan, rules)
  return inTransaction(service, async (tx) => {
    const token = await lockToken(tx, caller, body.transaction_token_id)
    const of_card = method_facts[token.payment_type].holds
    const [three_ds] = readAll(
      () => (of_card ? readThreeDs(body, caller, rules) : null),
      () => checkFirstCharge(body, of_card),
      () => {
        if (plan.installment_plan && !of_card)
          failField('installment_plan', 'ONLY_FOR_CARD_PAYMENT')
      },
    )
    await takeToken(tx, token)
    const { id, created_on } = newRow(tx)
    const { cycle: _, subscription_plan, installment_plan, ...schedule } = plan
    const created = await tx.db
      .insertInto('subscriptions')
      .values({
        ...schedule,
        merchant_id: caller.merchant_id,
        id,
        store_id: caller.store_id,
        mode: caller.mode,
        transaction_token_id: token.id,
        payment_type: token.payment_type,
        currency,
        subscription_plan: subscription_plan && JSON.stringify(subscription_plan),
        installment_plan: installment_plan && JSON.stringify(installment_plan),
        first_charge_authorization_only: body.first_charge_authorization_only ?? false,
        first_charge_capture_after: body.first_charge_capture_after ?? null,
        only_direct_currency: body.only_direct_currency ?? rules.only_direct_currency,
        descriptor: body.descriptor ?? null,
        three_ds: three_ds && JSON.stringify(three_ds.three_ds),
        external_three_ds: three_ds?.external_three_ds
          ? JSON.stringify(three_ds.external_three_ds)
          : null,
        status: 'unverified',
        metadata: JSON.stringify(metadata),
        search_words: searchWordsOf(token, metadata),
        created_on,
        updated_on: created_on,
        due_on: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const begun = await beginPayments(tx, created, token, first_charge)
    await emitSubscription(tx, 'subscription_created', begun)
    return begun
  })
}

export function searchWordsOf(token: Token, metadata: Metadata): string | null {
  return searchWords(token.merchant_id, payerOf(token).name, token.email, null, metadata)
}

/** Inserts the first payment and makes it, unless it waits for a chosen day. */
export async function beginPayments(
  tx: Transacting,
  subscription: Subscription,
  token: Token,
  { metadata: more = {}, checkout = null }: FirstCharge = {},
): Promise<Subscription> {
  const payment = await addPayment(tx, subscription, 0)
  if (!payment) fail('UNKNOWN_ERROR')
  if (startsAtOnce(subscription)) {
    const metadata = mergeMetadata(subscription.metadata, more)
    await chargePayment(tx, { ...subscription, metadata }, payment, token, 'refuse', checkout)
    return tx.db
      .selectFrom('subscriptions')
      .selectAll()
      .where('merchant_id', '=', subscription.merchant_id)
      .where('id', '=', subscription.id)
      .executeTakeFirstOrThrow()
  }
  return moveSubscription(tx, subscription, null, { due_on: now(tx) })
}

/** The first and the following amounts, checked against the limits of the store. */
export function checkAmounts(plan: Plan, currency: string, rules: StoreRules): void {
  for (const number of [0, 1]) {
    const amount = paymentAmount(plan, number)
    if (amount !== null) checkAmount(amount, currency, rules)
  }
}

/** The plans that the store offers. */
export function checkOffers(plan: ReadPlan, { configuration: settings }: StoreRules): void {
  if (settings.subscription_configuration.enabled === false) fail('SUBSCRIPTIONS_NOT_ENABLED')
  const offer = plan.installment_plan
    ? settings.installments_configuration
    : plan.subscription_plan
      ? settings.subscription_plan_configuration
      : null
  if (!offer) return
  if (offer.enabled === false) fail('INSTALLMENTS_NOT_ENABLED')
  if (offer.min_charge_amount && plan.amount < offer.min_charge_amount.amount) {
    failField('amount', 'NUMBER_MIN', `must be at least ${offer.min_charge_amount.amount}`)
  }
  const max_ms = offer.max_payout_period ? readDuration(offer.max_payout_period) : null
  if (max_ms !== null && payoutDays(plan) * day_ms > max_ms) {
    fail('INSTALLMENT_MAX_PAYOUT_PERIOD_EXCEEDED')
  }
}

function payoutDays({ installment_plan, subscription_plan, cycle, amount }: ReadPlan): number {
  const plan = installment_plan ?? subscription_plan
  const days = cycle.months * 30 + cycle.days
  if (plan && 'fixed_cycles' in plan) return plan.fixed_cycles * days
  if (plan && 'fixed_cycle_amount' in plan) {
    return Math.ceil(amount / plan.fixed_cycle_amount) * days
  }
  return 0
}

const hold_bounds = { min_ms: hour_ms, max_ms: 7 * day_ms }

/** Only a card can be authorized first, and not longer than an authorization lasts. */
export function checkFirstCharge(
  body: Pick<CreateSubscription, 'first_charge_authorization_only' | 'first_charge_capture_after'>,
  of_card: boolean,
): void {
  const { first_charge_authorization_only: hold, first_charge_capture_after: after } = body
  if (hold && !of_card) failField('first_charge_authorization_only', 'ONLY_FOR_CARD_PAYMENT')
  if (!after) return
  if (!hold) {
    const rule = 'must be true with first_charge_capture_after'
    failField('first_charge_authorization_only', 'REQUIRED_VALUE', rule)
  }
  const wait_ms = readDuration(after) ?? 0
  if (wait_ms < hold_bounds.min_ms || wait_ms > hold_bounds.max_ms) {
    failField('first_charge_capture_after', 'INVALID_TIME_PERIOD', 'must be from PT1H to P7D')
  }
}

/** One of another store or merchant is not found; one of the other mode is refused. */
export async function lockToken(
  tx: Transacting,
  caller: { merchant_id: string; store_id: string; mode: Mode },
  id: string,
): Promise<Token> {
  const token = await lockRow(tx, 'transaction_tokens', {
    merchant_id: caller.merchant_id,
    store_id: caller.store_id,
    id,
  })
  return requireToken(token, caller, 'subscription')
}

const fault = tokenFault(
  '$3::timestamptz',
  `$3::timestamptz - interval '${too_quick_ms} milliseconds'`,
  'subscription',
)
const take_token = `
  with judged as (
    select ${fault} as fault, t.type from transaction_tokens t where t.merchant_id = $1 and t.id = $2
  ), taken as (
    update transaction_tokens t set uses = t.uses + 1, last_used_on = $3, expires_on = null
    from judged j where t.merchant_id = $1 and t.id = $2 and j.fault is null and j.type = 'subscription'
  )
  select fault from judged`

/** A subscription token belongs to one subscription, and must be used in time. */
export async function takeToken(tx: Transacting, { merchant_id, id }: Token): Promise<void> {
  type Judged = { fault: UseFault | null }
  const [judged] = await run<Judged>(tx.db, take_token, [merchant_id, id, now(tx)])
  if (judged?.fault) refuseUse(judged.fault)
}
