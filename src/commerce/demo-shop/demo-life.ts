import { Temporal } from 'temporal-polyfill'
import { getMerchant } from '../../accounts/merchants/merchant.ts'
import { startOfDayIn } from '../../core/money/payout-schedule.ts'
import { day_ms, hour_ms, minute_ms } from '../../core/time/clock.ts'
import { dateIn, default_zone } from '../../core/time/schedule.ts'
import { patchToken } from '../../payments/tokens/patch-token.ts'
import { now } from '../../service.ts'
import type { CheckoutSession } from '../checkout/checkout-session.ts'
import { createCheckoutSession } from '../checkout/create-checkout-session.ts'
import { startPayment } from '../checkout/customer/start-payment.ts'
import { acceptDispute, updateDispute } from '../disputes/change-dispute.ts'
import { createPaymentLink } from '../payment-links/create-payment-link.ts'
import { openPaymentLink } from '../payment-links/open-payment-link.ts'
import type { PaymentLink } from '../payment-links/payment-link.ts'
import { createSubscription } from '../subscriptions/create-subscription.ts'
import { changeSubscription, endSubscription } from '../subscriptions/end-subscription.ts'
import { completeDispute, disputeCharge } from '../test-actions/test-actions.ts'
import { createDueTransfersOf } from '../transfers/due-transfers.ts'
import { moveTransfer, type TransferAction } from '../transfers/move-transfer.ts'
import type { Transfer } from '../transfers/transfer.ts'
import { cardOf, type DemoShop, tokenOf } from './demo-payments.ts'
import type { Person } from './demo-people.ts'

const dayOf = ({ from_ms }: DemoShop, day: number, hour: number) =>
  from_ms + day * day_ms + hour * hour_ms

/** The fate of a subscription, beside being billed. */
type Fate = 'runs' | 'recovers' | 'fails' | 'paused' | 'canceled'

const plans = [
  { name: '煎茶のおまかせ便', amount: 2980 },
  { name: '抹茶クラブ', amount: 4980 },
  { name: 'ほうじ茶定期便', amount: 1480 },
] as const

const fates: readonly Fate[] = ['recovers', 'fails', 'paused', 'canceled']

export function planSubscriptions(shop: DemoShop): void {
  for (const [index, person] of shop.people.slice(0, 14).entries()) {
    const begins_ms = dayOf(shop, 2 + index * 6, 10) + index * 7 * minute_ms
    shop.agenda.at(begins_ms, () => subscribe(shop, person, index, fates[index] ?? 'runs'))
  }
}

async function subscribe(shop: DemoShop, person: Person, index: number, fate: Fate): Promise<void> {
  const { service, online, agenda } = shop
  const plan = plans[index % plans.length] ?? plans[0]
  const paid_with = { ...cardOf(person), type: 'recurring' } as const
  const transaction_token_id = await tokenOf(shop, online, person, paid_with)
  const created = await createSubscription(service, online, {
    transaction_token_id,
    amount: plan.amount,
    currency: 'JPY',
    period: 'monthly',
    schedule_settings: { retry_interval: 'P3D' },
    metadata: { plan: plan.name, customer_name: person.name },
  })
  const path = { store_id: online.store_id, subscription_id: created.id }
  const stop = (end: 'suspended' | 'canceled') =>
    changeSubscription(service, online, path, (tx, found) => endSubscription(tx, found, end))
  /** From then on the simulated issuer refuses the card, for want of funds, or accepts it again. */
  const change = (email: string) =>
    patchToken(service, online, online.store_id, transaction_token_id, { email })
  const after_days = (days: number) => agenda.now_ms() + days * day_ms
  const refused = person.email.replace('@', '+charge-failure-330@')
  if (fate === 'paused') agenda.at(after_days(100), () => stop('suspended'))
  if (fate === 'canceled') agenda.at(after_days(75), () => stop('canceled'))
  if (fate === 'recovers' || fate === 'fails') agenda.at(after_days(80), () => change(refused))
  // The second payment after that is due after about 92 days; it is tried again three days later.
  if (fate === 'recovers') agenda.at(after_days(94), () => change(person.email))
}

const links = [
  { name: 'お茶会体験（2時間・和菓子付き）', amount: 4400, max_uses: 20 },
  { name: 'オンライン茶道教室 回数券', amount: 11000 },
  { name: '庭園保全へのご寄付', amount_choice: { min: 500, max: 100_000, suggested: 3000 } },
] as const

export function planLinks(shop: DemoShop): void {
  const { agenda, service, online } = shop
  for (const [index, link] of links.entries()) {
    agenda.at(dayOf(shop, 4 + index * 20, 11), async () => {
      const created = await createPaymentLink(service, online, { ...link, currency: 'JPY' })
      for (let visit = 0; visit < 5; visit += 1) visitLink(shop, created, index * 5 + visit)
    })
  }
}

/** One visitor of five looks at the page and does not pay. */
function visitLink(shop: DemoShop, link: PaymentLink, visit: number): void {
  const { agenda, service } = shop
  agenda.at(agenda.now_ms() + (visit + 1) * 5 * day_ms + hour_ms, async () => {
    const amount = link.amount === null ? 3000 : null
    const ip = `203.0.113.${visit + 1}`
    const session = await openPaymentLink(service, link, { amount, session_key: null, ip })
    if (visit % 5 !== 4) await payPage(shop, session, visit)
  })
}

/** A customer fills in the page. */
function payPage(shop: DemoShop, session: CheckoutSession, visit: number) {
  const person = shop.people[20 + visit] ?? (shop.people[0] as Person)
  const { payment_type, data } = cardOf(person)
  const details = { payment_type, email: person.email, data: { ...data } }
  const visitor = { ip: `203.0.113.${visit + 1}`, proof: null }
  return startPayment(shop.service, session, { kind: 'details', details }, visitor)
}

/** Sessions that are paid, that expire, and that are open at the end. */
export function planSessions(shop: DemoShop): void {
  const { agenda, service, online, to_ms, people } = shop
  const times = Array.from({ length: 10 }, (_, index) => dayOf(shop, 8 + index * 17, 15))
  for (const [index, time_ms] of [
    ...times,
    to_ms - 90 * minute_ms,
    to_ms - 25 * minute_ms,
  ].entries()) {
    const person = people[40 + index] ?? (people[0] as Person)
    const is_paid = index < times.length && index % 3 !== 2
    agenda.at(time_ms, async () => {
      const session = await createCheckoutSession(service, online, {
        amount: 9430,
        currency: 'JPY',
        line_items: [
          { name: '急須（常滑焼）', quantity: 1, amount: 6480 },
          { name: '煎茶「若葉」100g', quantity: 2, amount: 1200 },
          { name: '送料', quantity: 1, amount: 550 },
        ],
        customer: { email: person.email, name: person.name },
      })
      if (is_paid)
        agenda.at(agenda.now_ms() + 4 * minute_ms, () => payPage(shop, session, 20 + index))
    })
  }
}

/** How each dispute ends; the last one is new. */
const disputes = [
  ['fraudulent', 'won'],
  ['product_not_received', 'lost'],
  ['product_unacceptable', 'accepted'],
  ['unrecognized', 'unanswered'],
  ['duplicate', 'submitted'],
  ['fraudulent', 'open'],
] as const
type DisputeEnd = (typeof disputes)[number][1]

export function planDisputes(shop: DemoShop): void {
  const days = Math.floor((shop.to_ms - shop.from_ms) / day_ms)
  for (const [index, [reason, end]] of disputes.entries()) {
    const day = end === 'open' ? days - 2 : end === 'submitted' ? days - 5 : 25 + index * 30
    shop.agenda.at(dayOf(shop, day, 13), () => dispute(shop, reason, end))
  }
}

const evidence = {
  explanation: 'ご本人からのご注文であり、商品は配達済みです。',
  delivery: '2日後に追跡番号つきの宅配便でお届けしました。受領印があります。',
  refund_policy: '返品は到着後8日以内に承ります。注文画面に表示しています。',
} as const

async function dispute(
  shop: DemoShop,
  reason: (typeof disputes)[number][0],
  end: DisputeEnd,
): Promise<void> {
  const { service, merchant_id, online, agenda } = shop
  const charge = await service.db
    .selectFrom('charges')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('store_id', '=', online.store_id)
    .where('status', '=', 'successful')
    .where('payment_type', '=', 'card')
    .where('refunded_amount', '=', 0)
    .where('created_on', '<', new Date(now(service).getTime() - 4 * day_ms))
    .orderBy('created_on', 'desc')
    .orderBy('email')
    .limit(1)
    .executeTakeFirst()
  if (!charge) return
  const { id } = await disputeCharge(service, charge, { amount: null, reason })
  const path = { store_id: online.store_id, dispute_id: id }
  if (end === 'open' || end === 'unanswered') return
  agenda.at(agenda.now_ms() + 2 * day_ms, async () => {
    if (end === 'accepted') await acceptDispute(service, online, path)
    else await updateDispute(service, online, path, { evidence, submit: true })
  })
  if (end !== 'won' && end !== 'lost') return
  agenda.at(agenda.now_ms() + 12 * day_ms, () => completeDispute(service, online, id, end))
}

/** Payouts of every week: the last one is under way, and one comes back. */
export function planPayouts(shop: DemoShop): void {
  const { agenda, service, merchant_id, from_ms, to_ms } = shop
  let payouts = 0
  for (let on_ms = payoutDayBefore(to_ms); on_ms > from_ms; on_ms -= 7 * day_ms) {
    agenda.at(on_ms + 10 * hour_ms, async () => {
      const merchant = await getMerchant(service, merchant_id)
      for (const transfer of await createDueTransfersOf(service, merchant, ['test'])) {
        payouts += 1
        follow(shop, transfer, payouts === 6)
      }
    })
  }
}

/** The last day of business before that of an instant, as it begins in the zone of the shop. */
export function payoutDayBefore(at_ms: number): number {
  const today = Temporal.PlainDate.from(dateIn(default_zone, new Date(at_ms)))
  const back = today.dayOfWeek === 1 ? 3 : today.dayOfWeek === 7 ? 2 : 1
  return startOfDayIn(default_zone, today.subtract({ days: back }).toString()).getTime()
}

function follow({ agenda, service }: DemoShop, { id }: Transfer, fails: boolean): void {
  const begins_ms = agenda.now_ms()
  const move = (after_ms: number, action: TransferAction, reason: string | null = null) =>
    agenda.at(begins_ms + after_ms, () => moveTransfer(service, id, action, reason))
  move(hour_ms, 'approve')
  move(3 * hour_ms, 'process')
  // Over a weekend it takes longest, so that one is always under way at the end.
  if (fails) move(4 * day_ms, 'fail', '口座名義が一致しません')
  else move(4 * day_ms + 4 * hour_ms, 'pay')
}
