import type { StoreConfiguration } from '../../accounts/configuration/configuration-shape.ts'
import { mergeMetadata } from '../../api/merge-metadata.ts'
import type { Caller } from '../../core/access/caller.ts'
import { type FieldError, fail, failField } from '../../core/api/errors.ts'
import { paymentAmount, paymentCount } from '../../core/money/payment-plan.ts'
import { dateIn } from '../../core/time/schedule.ts'
import { method_facts } from '../../methods/method-facts.ts'
import { checkAmount } from '../../payments/charges/create/create-charge.ts'
import { storeRules } from '../../payments/store-rules/store-rules.ts'
import type { Token } from '../../payments/tokens/token.ts'
import { now, type Service, type Transacting } from '../../service.ts'
import {
  checkAmounts,
  checkFirstCharge,
  checkOffers,
  lockToken,
  searchWordsOf,
  takeToken,
} from './create-subscription.ts'
import { chargePayment } from './cycles/charge-payment.ts'
import { paid, updatePayment } from './cycles/follow-charge.ts'
import { tokenOf } from './cycles/process-subscription.ts'
import { findPayment, getPayment, openCharge, type Payment } from './cycles/subscription-payment.ts'
import { changeSubscription, endSubscription, resumeSubscription } from './end-subscription.ts'
import { moveSubscription, payNow, payOn, releaseToken } from './move-subscription.ts'
import { readPlan, readRetry } from './read-plan.ts'
import {
  cycleOf,
  isOver,
  paymentDate,
  type Subscription,
  type SubscriptionPath,
  startsAtOnce,
} from './subscription.ts'
import type { PatchPayment, PatchSubscription } from './subscription-input.ts'

/** Fields that define what is billed and when: they are fixed once the subscription runs. */
const before_start = [
  'initial_amount',
  'period',
  'cyclical_period',
  'subscription_plan',
  'installment_plan',
  'first_charge_authorization_only',
  'first_charge_capture_after',
] as const

export async function patchSubscription(
  service: Service,
  caller: Caller,
  path: SubscriptionPath,
  patch: PatchSubscription,
): Promise<Subscription> {
  return changeSubscription(service, caller, path, async (tx, before) => {
    if (isOver(before)) fail('SUBSCRIPTION_ALREADY_ENDED')
    const old_payment = await findPayment(tx, before, before.paid)
    const changed = await applyPatch(tx, before, patch)
    const payment =
      old_payment && (await changeNextPayment(tx, before, changed, old_payment, patch))
    const token = await changeToken(tx, changed, patch.transaction_token_id)
    if (patch.status === 'suspended') return endSubscription(tx, token, 'suspended')
    if (patch.status === 'unpaid') return resumeSubscription(tx, token)
    if (!payment) return token
    if (token.status === 'unconfirmed') return startAgain(tx, token, payment, patch)
    const moved = payOn(payment).getTime() !== payOn(old_payment).getTime()
    return continueWith(tx, token, before, payment, moved)
  })
}

async function applyPatch(
  tx: Transacting,
  before: Subscription,
  patch: PatchSubscription,
): Promise<Subscription> {
  const started = before.status !== 'unverified' && before.status !== 'unconfirmed'
  const settled = before_start.filter((field) => patch[field] !== undefined)
  if (started && settled.length > 0) {
    const reason = 'CANNOT_SET_AFTER_SUBSCRIPTION_STARTED'
    fail('VALIDATION_ERROR', { errors: settled.map((field) => ({ field, reason })) })
  }
  const metadata = mergeMetadata(before.metadata, patch.metadata)
  const { merchant_id, store_id, id } = before
  const rules = await storeRules(tx, merchant_id, store_id, true)
  const one_amount = patch.next_payment?.amount ?? null
  if (one_amount) {
    if (before.subscription_plan) failField('next_payment.amount', 'CHANGE_PROHIBITED')
    checkAmount(one_amount, before.currency, rules)
  }
  if (patch.amount !== undefined || one_amount) requireAmountChange(before, rules.configuration)
  if (started && patch.amount !== undefined) checkAmount(patch.amount, before.currency, rules)
  const settings = patch.schedule_settings ?? {}
  const change = started ? changedSettings(before, settings) : changedPlan(tx, before, patch)
  if (!started && changesPlan(patch)) {
    const plan = readAll(tx, before, patch)
    checkAmounts(plan, before.currency, rules)
    checkOffers(plan, rules)
  }
  return tx.db
    .updateTable('subscriptions')
    .set({
      ...change,
      ...(patch.amount === undefined ? {} : { amount: patch.amount }),
      ...(patch.metadata
        ? {
            metadata: JSON.stringify(metadata),
            search_words: searchWordsOf(await tokenOf(tx, before), metadata),
          }
        : {}),
      updated_on: now(tx),
    })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

function changesPlan(patch: PatchSubscription): boolean {
  return patch.amount !== undefined || before_start.some((field) => patch[field] !== undefined)
}

/**
 * A plan's total is what the customer agreed to; without a plan the merchant may be allowed to change
 * it.
 */
function requireAmountChange(before: Subscription, configuration: StoreConfiguration): void {
  if (before.installment_plan) failField('amount', 'CANNOT_CHANGE_INSTALLMENT_AMOUNT')
  const started = before.status !== 'unverified' && before.status !== 'unconfirmed'
  if (before.subscription_plan && started) failField('amount', 'CHANGE_PROHIBITED')
  const { subscription_configuration: settings } = configuration
  if (settings.allow_merchant_amount_patch === false) failField('amount', 'CHANGE_PROHIBITED')
}

type Settings = NonNullable<PatchSubscription['schedule_settings']>

/** Changes to a running subscription. The zone stays: announced days would move. */
function changedSettings(before: Subscription, settings: Settings) {
  const errors: FieldError[] = []
  if (settings.start_on && settings.start_on !== before.start_on) {
    errors.push({
      field: 'schedule_settings.start_on',
      reason: 'CANNOT_SET_AFTER_SUBSCRIPTION_STARTED',
    })
  }
  const cycle = cycleOf(before)
  const retry = readRetry(settings.retry_interval, cycle, errors)
  const { preserve_end_of_month, termination_mode } = settings
  if (preserve_end_of_month && (cycle.months === 0 || cycle.days > 0)) {
    const field = 'schedule_settings.preserve_end_of_month'
    errors.push({ field, reason: 'MUST_BE_MONTH_BASED_TO_SET' })
  }
  if (errors.length > 0) fail('VALIDATION_ERROR', { errors })
  return {
    ...(settings.retry_interval === undefined ? {} : { retry_interval: retry }),
    ...(preserve_end_of_month === undefined ? {} : { preserve_end_of_month }),
    ...(termination_mode ? { termination_mode } : {}),
  }
}

/** Before it runs the whole plan is read again, with the unchanged parts of the old one. */
function readAll(tx: Transacting, before: Subscription, patch: PatchSubscription) {
  const { zone_id, start_on, preserve_end_of_month, retry_interval, termination_mode } = before
  const stored = { zone_id, preserve_end_of_month, retry_interval, termination_mode }
  const old_start = start_on && start_on >= dateIn(zone_id, now(tx)) ? { start_on } : {}
  const { zone_id: _, ...settings } = patch.schedule_settings ?? {}
  const rhythm =
    patch.period !== undefined || patch.cyclical_period !== undefined
      ? { period: patch.period ?? null, cyclical_period: patch.cyclical_period ?? null }
      : { period: before.period, cyclical_period: before.cyclical_period }
  const chosen = <Name extends keyof PatchSubscription & keyof Subscription>(name: Name) =>
    patch[name] === undefined ? before[name] : patch[name]
  return readPlan(
    {
      ...rhythm,
      amount: patch.amount ?? before.amount,
      initial_amount: chosen('initial_amount') as number | null,
      subscription_plan: chosen('subscription_plan') as PatchSubscription['subscription_plan'],
      installment_plan: chosen('installment_plan') as PatchSubscription['installment_plan'],
      schedule_settings: { ...stored, ...old_start, ...settings },
    },
    now(tx),
  )
}

function changedPlan(tx: Transacting, before: Subscription, patch: PatchSubscription) {
  const plan = readAll(tx, before, patch)
  const { cycle: _, subscription_plan, installment_plan, first_date, ...rest } = plan
  const hold = patch.first_charge_authorization_only ?? before.first_charge_authorization_only
  const after =
    patch.first_charge_capture_after === undefined
      ? before.first_charge_capture_after
      : patch.first_charge_capture_after
  checkFirstCharge(
    { first_charge_authorization_only: hold, first_charge_capture_after: after },
    method_facts[before.payment_type].holds,
  )
  return {
    ...rest,
    // A plan that restarts today starts today; a day that was chosen before stays.
    first_date: before.status === 'unconfirmed' || plan.start_on ? first_date : before.first_date,
    subscription_plan: subscription_plan && JSON.stringify(subscription_plan),
    installment_plan: installment_plan && JSON.stringify(installment_plan),
    first_charge_authorization_only: hold,
    first_charge_capture_after: after,
  }
}

/** The next payment follows the plan and its days, or is changed separately. */
async function changeNextPayment(
  tx: Transacting,
  before: Subscription,
  subscription: Subscription,
  payment: Payment,
  patch: PatchSubscription,
): Promise<Payment> {
  const { next_payment } = patch
  const { number } = payment
  const charge = await openCharge(tx, payment)
  const amount = changesPlan(patch) ? paymentAmount(subscription, number) : null
  if (charge && amount !== null) requireSamePart(before, subscription, charge, amount)
  const due_date = charge ? null : followedDate(tx, before, subscription, payment)
  const change = {
    ...(amount === null ? {} : { amount }),
    ...(amount === null ? {} : { is_last_payment: paymentCount(subscription) === number + 1 }),
    ...(due_date === null ? {} : { due_date }),
    ...(next_payment?.amount ? { amount: next_payment.amount } : {}),
  }
  const changed =
    Object.keys(change).length > 0 ? await updatePayment(tx, payment, change) : payment
  return next_payment ? changePayment(tx, subscription, changed, next_payment) : changed
}

/** A part of a total is being charged: the plan of that total cannot change. */
function requireSamePart(
  before: Subscription,
  after: Subscription,
  { requested_amount }: { requested_amount: number },
  amount: number,
): void {
  const plans = [before, after].flatMap((one) => [one.subscription_plan, one.installment_plan])
  if (plans.some((plan) => plan !== null) && amount !== requested_amount) {
    failField(
      'amount',
      'CHANGE_PROHIBITED',
      'cannot be changed while the first payment is being charged',
    )
  }
}

/** The new day of a payment that is on the day of its cycle; one that was moved manually stays. */
function followedDate(
  tx: Transacting,
  before: Subscription,
  after: Subscription,
  { number, due_date, zone_id }: Payment,
): string | null {
  const date = paymentDate(after, number)
  if (due_date !== paymentDate(before, number) || date === due_date) return null
  return date >= dateIn(zone_id, now(tx)) ? date : null
}

async function changeToken(
  tx: Transacting,
  subscription: Subscription,
  token_id: string | undefined,
): Promise<Subscription> {
  if (!token_id || token_id === subscription.transaction_token_id) return subscription
  const { merchant_id, store_id, mode, id, status } = subscription
  if (status === 'unverified' || status === 'authorized') {
    failField('transaction_token_id', 'CHANGE_PROHIBITED')
  }
  const token = await lockToken(tx, { merchant_id, store_id, mode }, token_id)
  requireSameKind(subscription, token)
  await takeToken(tx, token)
  await releaseToken(tx, subscription)
  return tx.db
    .updateTable('subscriptions')
    .set({
      transaction_token_id: token.id,
      payment_type: token.payment_type,
      search_words: searchWordsOf(token, subscription.metadata),
      updated_on: now(tx),
    })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Options that only cards support require a card. */
function requireSameKind(subscription: Subscription, { payment_type }: Token): void {
  if (method_facts[payment_type].holds) return
  const { installment_plan, first_charge_authorization_only, paid: paid_count } = subscription
  if (installment_plan || (first_charge_authorization_only && paid_count === 0)) {
    failField('transaction_token_id', 'ONLY_FOR_CARD_PAYMENT')
  }
}

/**
 * A failed first payment is retried with whatever was changed about it. Merchant notes and a scheduled
 * stop do not retry it.
 */
async function startAgain(
  tx: Transacting,
  subscription: Subscription,
  payment: Payment,
  { metadata: _, next_payment, ...patch }: PatchSubscription,
): Promise<Subscription> {
  if (Object.keys(patch).length === 0 && !next_payment?.amount) return subscription
  const again = await moveSubscription(tx, subscription, 'restart', {})
  const fresh = await updatePayment(tx, payment, { tries: 0 })
  if (!startsAtOnce(again)) return moveSubscription(tx, again, null, { due_on: now(tx) })
  await chargePayment(tx, again, fresh, await tokenOf(tx, again), 'refuse')
  return reread(tx, again)
}

/** A failed payment is retried with the new token immediately; one on another day is made then. */
async function continueWith(
  tx: Transacting,
  subscription: Subscription,
  before: Subscription,
  payment: Payment,
  moved: boolean,
): Promise<Subscription> {
  const { status } = subscription
  const running = status === 'current' || status === 'unpaid'
  // While a charge is in progress nothing is due, and its result decides.
  if (!running || before.due_on === null) return subscription
  const new_token = subscription.transaction_token_id !== before.transaction_token_id
  if (status === 'unpaid' && new_token) {
    await updatePayment(tx, payment, { retry_date: null })
    return moveSubscription(tx, subscription, null, { due_on: now(tx) })
  }
  if (!moved) return subscription
  return moveSubscription(tx, subscription, null, { due_on: payNow(tx, payment) })
}

async function reread(tx: Transacting, { merchant_id, id }: Subscription): Promise<Subscription> {
  return tx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

async function changePayment(
  tx: Transacting,
  subscription: Subscription,
  payment: Payment,
  patch: Pick<PatchPayment, 'due_date' | 'terminate_with_status'>,
): Promise<Payment> {
  const { due_date, terminate_with_status } = patch
  if (due_date) {
    // It is made when it is restarted; for another day there is `start_on`.
    if (subscription.status === 'unconfirmed') failField('due_date', 'CHANGE_PROHIBITED')
    const { configuration } = await storeRules(
      tx,
      subscription.merchant_id,
      subscription.store_id,
      true,
    )
    const { subscription_configuration: settings } = configuration
    if (settings.allow_merchant_due_date_patch === false) failField('due_date', 'CHANGE_PROHIBITED')
    if (due_date < dateIn(payment.zone_id, now(tx)))
      failField('due_date', 'MUST_BE_FUTURE_OR_TODAY')
  }
  return updatePayment(tx, payment, {
    ...(due_date ? { due_date, retry_date: null } : {}),
    ...(terminate_with_status === undefined ? {} : { terminate_with_status }),
  })
}

/** Changes a payment that was not made yet; only the next one can be marked as paid. */
export async function patchPayment(
  service: Service,
  caller: Caller,
  path: SubscriptionPath & { payment_id: string },
  patch: PatchPayment,
): Promise<Payment> {
  let id = path.payment_id
  await changeSubscription(service, caller, path, async (tx, subscription) => {
    if (isOver(subscription)) fail('SUBSCRIPTION_ALREADY_ENDED')
    const payment = await getPayment(tx, subscription, path.payment_id)
    id = payment.id
    if (payment.is_paid) failField('payment_id', 'CHANGE_PROHIBITED')
    const changed = await changePayment(tx, subscription, payment, patch)
    const errors: FieldError[] = []
    const retry_interval = readRetry(patch.retry_interval, cycleOf(subscription), errors)
    if (errors.length > 0) failField('retry_interval', 'INVALID_TIME_PERIOD')
    const settled =
      patch.retry_interval === undefined
        ? subscription
        : await tx.db
            .updateTable('subscriptions')
            .set({ retry_interval, updated_on: now(tx) })
            .where('merchant_id', '=', subscription.merchant_id)
            .where('id', '=', subscription.id)
            .returningAll()
            .executeTakeFirstOrThrow()
    if (patch.is_paid) {
      // A charge of it may be in progress, and the customer would pay twice.
      const busy = settled.status === 'unconfirmed' || (await openCharge(tx, changed)) !== null
      if (busy) failField('is_paid', 'CHANGE_PROHIBITED')
      await paid(tx, settled, changed)
      return reread(tx, settled)
    }
    const moved = payOn(changed).getTime() !== payOn(payment).getTime()
    return continueWith(tx, settled, subscription, changed, moved)
  })
  const { merchant_id } = caller
  return getPayment(service, { merchant_id, id: path.subscription_id }, id)
}
