import type { Mode } from '../../core/access/caller.ts'
import { day_ms, hour_ms, minute_ms } from '../../core/time/clock.ts'
import { captureCharge } from '../../payments/charges/capture-charge.ts'
import type { Charge } from '../../payments/charges/charge.ts'
import { createCharge, type StoreCaller } from '../../payments/charges/create/create-charge.ts'
import { createToken } from '../../payments/tokens/create/create-token.ts'
import type { CreateToken } from '../../payments/tokens/create/token-input.ts'
import type { Service } from '../../service.ts'
import { requireRow } from '../../store/sql/reads/find-row.ts'
import { createCancel } from '../cancels/cancel.ts'
import { createRefund } from '../refunds/create-refund.ts'
import { completeCharge, depositTo } from '../test-actions/test-actions.ts'
import type { Agenda } from './demo-clock.ts'
import { type Dice, type Person, products } from './demo-people.ts'

export type ShopStore = StoreCaller & { readonly mode: Mode }

/** The demo shop while it is filled. */
export interface DemoShop {
  /** At the time of the shop; its webhooks arrive at simulated receivers. */
  readonly service: Service
  readonly merchant_id: string
  /** The shop in the internet, and the one in town. */
  readonly online: ShopStore
  readonly town: ShopStore
  readonly people: readonly Person[]
  readonly dice: Dice
  readonly agenda: Agenda
  readonly from_ms: number
  readonly to_ms: number
  orders: number
}

interface PaidWith {
  readonly payment_type: CreateToken['payment_type']
  readonly type?: 'one_time' | 'recurring'
  readonly data: object
}

export const cardOf = ({ cardholder, card }: Person, card_number = card.number): PaidWith => ({
  payment_type: 'card',
  data: {
    cardholder,
    card_number,
    exp_month: 11,
    exp_year: card.expires,
    cvv: card_number.length === 15 ? '1234' : '123',
  },
})

const phoneOf = ({ phone }: Person) => ({ country_code: '81', local_number: phone })

export async function tokenOf(
  { service }: DemoShop,
  store: ShopStore,
  { email, name, customer_id }: Person,
  paid_with: PaidWith,
): Promise<string> {
  const metadata = { customer_name: name, 'svc-customer-id': customer_id }
  const asked = { type: 'one_time', email, ip_address: '203.0.113.77', metadata }
  const body = { ...asked, ...paid_with } as CreateToken
  return (await createToken(service, store, body)).id
}

export const chargeNow = ({ service, merchant_id }: DemoShop, id: string): Promise<Charge> =>
  requireRow(service, 'charges', { merchant_id, id })

interface Sale {
  readonly store: ShopStore
  readonly person: Person
  readonly item: string
  readonly amount: number
}

/** Sells something; the id of the charge. */
async function sell(
  shop: DemoShop,
  { store, person, item, amount }: Sale,
  paid_with: PaidWith,
  capture = true,
): Promise<string> {
  shop.orders += 1
  const transaction_token_id = await tokenOf(shop, store, person, paid_with)
  const metadata = { order_id: `TEA-${10_000 + shop.orders}`, item, customer_name: person.name }
  const held = capture ? {} : { capture: false }
  const body = { transaction_token_id, amount, currency: 'JPY', metadata, ...held }
  return (await createCharge(shop.service, store, body)).id
}

const declined_cards = [
  '4000000000000002',
  '4000000000009995',
  '4000000000009995',
  '4000000000000069',
  '4000000000000127',
  '4000000000000119',
] as const
const challenge_card = '4000000000003220'

/** The later action of a customer, on a payment that waits for them. */
function completeLater(
  shop: DemoShop,
  id: string,
  wait_ms: number,
  outcome: 'successful' | 'failed',
): void {
  shop.agenda.at(shop.agenda.now_ms() + wait_ms, async () => {
    const charge = await chargeNow(shop, id)
    if (charge.status === 'awaiting') await completeCharge(shop.service, charge, outcome)
  })
}

/** One sort of sale: how it is paid, and what follows. */
type Kind = (shop: DemoShop, sale: Sale) => Promise<void>

const reasons = ['customer_request', 'customer_request', 'duplicate', 'fraud'] as const
const messages = ['サイズ違いのため', 'お客様都合', '商品破損のため', '二重注文のため'] as const

/** Some paid orders are refunded some days later, in part or in full. */
function perhapsRefund(shop: DemoShop, { store }: Sale, id: string): void {
  const { dice, agenda, service } = shop
  if (dice.roll() > 0.06) return
  const share = dice.pick([0.2, 0.5, 1, 1])
  const [reason, message] = [dice.pick(reasons), dice.pick(messages)]
  const wait_ms = dice.between(6, 200) * hour_ms
  agenda.at(agenda.now_ms() + wait_ms, async () => {
    const { status, charged_amount } = await chargeNow(shop, id)
    if (status !== 'successful' || !charged_amount) return
    const amount = Math.max(1, Math.floor(charged_amount * share))
    const path = { store_id: store.store_id, charge_id: id }
    await createRefund(service, store, path, { amount, currency: 'JPY', reason, message })
  })
}

const payByCard: Kind = async (shop, sale) =>
  perhapsRefund(shop, sale, await sell(shop, sale, cardOf(sale.person)))

/** Half of the customers try again with a good card a minute later. */
const payByDeclinedCard: Kind = async (shop, sale) => {
  const { dice, agenda } = shop
  await sell(shop, sale, cardOf(sale.person, dice.pick(declined_cards)))
  if (dice.roll() < 0.5) agenda.at(agenda.now_ms() + 2 * minute_ms, () => payByCard(shop, sale))
}

const payAfterShipping: Kind = async (shop, sale) => {
  const { agenda, service, dice } = shop
  const { store, amount } = sale
  const id = await sell(shop, sale, cardOf(sale.person), false)
  const is_canceled = dice.roll() < 0.2
  const path = { store_id: store.store_id, charge_id: id }
  agenda.at(agenda.now_ms() + dice.between(20, 60) * hour_ms, async () => {
    const { status } = await chargeNow(shop, id)
    if (status !== 'authorized') return
    if (is_canceled) await createCancel(service, store, path, {})
    else await captureCharge(service, store, path, { amount, currency: 'JPY' })
  })
}

const payWithChallenge: Kind = async (shop, sale) => {
  const id = await sell(shop, sale, cardOf(sale.person, challenge_card))
  const outcome = shop.dice.roll() < 0.8 ? 'successful' : 'failed'
  completeLater(shop, id, minute_ms, outcome)
}

const payAtKonbini: Kind = async (shop, sale) => {
  const { dice } = shop
  const { person } = sale
  const chains = ['seven_eleven', 'family_mart', 'lawson', 'seven_eleven'] as const
  const data = {
    customer_name: person.name,
    convenience_store: dice.pick(chains),
    phone_number: phoneOf(person),
    expiration_period: 'P5D',
  }
  const id = await sell(shop, sale, { payment_type: 'konbini', data })
  // One of six never pays, and the payment expires.
  if (dice.roll() < 0.83) completeLater(shop, id, dice.between(1, 70) * hour_ms, 'successful')
}

/** Transfers that match, that are too little, and that are too much. */
const payByTransfer: Kind = async (shop, sale) => {
  const { dice, agenda, service } = shop
  const { person, amount } = sale
  const data = { brand: 'aozora_bank', match_amount: 'maximum' }
  const id = await sell(shop, sale, { payment_type: 'bank_transfer', data })
  const given = dice.pick([amount, amount, amount, amount - 1000, amount + 500, null])
  if (given === null) return
  agenda.at(agenda.now_ms() + dice.between(3, 50) * hour_ms, async () => {
    const charge = await chargeNow(shop, id)
    if (charge.status === 'awaiting') {
      await depositTo(service, charge, Math.max(1, given), person.kana)
    }
  })
}

const payOnline: Kind = async (shop, sale) => {
  const { dice } = shop
  const brand = dice.pick(['pay_pay_online', 'pay_pay_online', 'alipay_online', 'we_chat_online'])
  const call_method = brand === 'pay_pay_online' ? 'http_post' : 'http_get'
  const data = { brand, call_method }
  const id = await sell(shop, sale, { payment_type: 'online', data })
  const outcome = dice.roll() < 0.88 ? 'successful' : 'failed'
  completeLater(shop, id, 2 * minute_ms, outcome)
}

const payByCode: Kind = async (shop, sale) => {
  const { dice } = shop
  const prefix = dice.pick(['90008181', '90008181', '90008182', '90008183', '90008185'])
  const ending = dice.roll() < 0.06 ? dice.pick(['declined', 'insufficient']) : ''
  const scanned_qr = `${prefix}${dice.between(1_000_000, 9_999_999)}${ending}`
  const id = await sell(shop, sale, { payment_type: 'qr_scan', data: { scanned_qr } })
  if (!ending) perhapsRefund(shop, sale, id)
}

/** How often each kind occurs among a hundred sales. */
const online_kinds: readonly (readonly [number, Kind])[] = [
  [54, payByCard],
  [9, payByDeclinedCard],
  [6, payAfterShipping],
  [4, payWithChallenge],
  [11, payAtKonbini],
  [8, payByTransfer],
  [8, payOnline],
]
const town_kinds: readonly (readonly [number, Kind])[] = [
  [60, payByCode],
  [36, payByCard],
  [4, payByDeclinedCard],
]

function pickKind(dice: Dice, kinds: typeof online_kinds): Kind {
  let left = dice.roll() * 100
  for (const [share, kind] of kinds) {
    left -= share
    if (left < 0) return kind
  }
  return payByCard
}

/** The sales of every day: more of them as time goes by, and on weekends. */
export function planSales(shop: DemoShop): void {
  const { dice, agenda, people, online, town, from_ms, to_ms } = shop
  const days = Math.floor((to_ms - from_ms) / day_ms)
  for (let day = 0; day <= days; day += 1) {
    const is_weekend = day % 7 >= 5
    const sales = dice.between(1, 2) + (is_weekend ? 1 : 0) + (dice.roll() < day / days ? 1 : 0)
    for (let count = 0; count < sales; count += 1) {
      const store = dice.roll() < 0.74 ? online : town
      const kind = pickKind(dice, store === online ? online_kinds : town_kinds)
      const product = dice.pick(products)
      const quantity = dice.pick([1, 1, 1, 2, 3])
      const item = quantity === 1 ? product.name : `${product.name} ×${quantity}`
      const amount = product.amount * quantity + (store === online ? 550 : 0)
      const sale = { store, person: dice.pick(people), item, amount }
      const time_ms = from_ms + day * day_ms + dice.between(9 * 60, 21 * 60) * minute_ms
      agenda.at(time_ms + dice.between(0, 59) * 1000, () => kind(shop, sale))
    }
  }
}

/** At the end some payments wait: for their customer, for the rest of a transfer, to be captured. */
export function planOpenSales(shop: DemoShop): void {
  const { agenda, people, online: store, to_ms } = shop
  const [first, second, third] = people.slice(-3) as [Person, Person, Person]
  const sale = (person: Person) => ({ store, person, item: '新茶ギフトセット', amount: 5950 })
  agenda.at(to_ms - 5 * hour_ms, () => {
    const data = {
      customer_name: first.name,
      convenience_store: 'lawson',
      phone_number: phoneOf(first),
    }
    return sell(shop, sale(first), { payment_type: 'konbini', data })
  })
  agenda.at(to_ms - 4 * hour_ms, async () => {
    const data = { brand: 'aozora_bank', match_amount: 'maximum' }
    const id = await sell(shop, sale(second), { payment_type: 'bank_transfer', data })
    agenda.at(to_ms - 2 * hour_ms, async () =>
      depositTo(shop.service, await chargeNow(shop, id), 4950, second.kana),
    )
  })
  agenda.at(to_ms - hour_ms, () => sell(shop, sale(third), cardOf(third), false))
}
