import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import { signAppToken } from '../../accounts/app-tokens/app-token.ts'
import { createAppToken } from '../../accounts/app-tokens/create-app-token.ts'
import { createBankAccount } from '../../accounts/bank-accounts/change-bank-account.ts'
import { shopCredentialsPath, writeCredentials } from '../../accounts/demo/demo-credentials.ts'
import { createMerchant } from '../../accounts/merchants/create-merchant.ts'
import { patchMerchant } from '../../accounts/merchants/patch-merchant.ts'
import { merchantTables, removeMerchant } from '../../accounts/merchants/remove-merchant.ts'
import { makeConsoleLink } from '../../accounts/sessions/console-link.ts'
import { createStore } from '../../accounts/stores/create-store.ts'
import { insertUser } from '../../accounts/users/create-user.ts'
import { lockUser } from '../../accounts/users/user.ts'
import { createWebhook } from '../../accounts/webhooks/create-webhook.ts'
import { fail } from '../../core/api/errors.ts'
import { startOfDayIn, week_days } from '../../core/money/payout-schedule.ts'
import { day_ms, hour_ms } from '../../core/time/clock.ts'
import { dateIn, default_zone } from '../../core/time/schedule.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { atTimeOf, inTransaction, type Service, type Transacting } from '../../service.ts'
import { violatedIndex } from '../../store/sql/statements/database-errors.ts'
import { newAgenda } from './demo-clock.ts'
import {
  payoutDayBefore,
  planDisputes,
  planLinks,
  planPayouts,
  planSessions,
  planSubscriptions,
} from './demo-life.ts'
import { type DemoShop, planOpenSales, planSales, type ShopStore } from './demo-payments.ts'
import { type Dice, inventPeople, newDice } from './demo-people.ts'

const history_days = 182
/** The same shop every time. */
const default_seed = 20_261_118
const owner_email = 'owner@demo-shop.example'
/** How long another process leaves the clock of a shop alone that is being filled. */
const max_fill_ms = hour_ms

export interface DemoShopState {
  readonly merchant_id: string
  readonly created_on: Date
}

/** The demo shop of this service; null: there is none. */
export async function findDemoShop({ db }: Service): Promise<DemoShopState | null> {
  const shops = db.selectFrom('removable_merchants').select(['merchant_id', 'created_on'])
  return (await shops.where('kind', '=', 'demo_shop').executeTakeFirst()) ?? null
}

/** No demo shop where real money can move: with a verified merchant or a connector. */
export async function mayHaveDemoShop({ db }: Service): Promise<boolean> {
  const verified = db.selectFrom('merchants').select('id').where('verified', '=', true).limit(1)
  if (await verified.executeTakeFirst()) return false
  return !(await db.selectFrom('connectors').select('name').limit(1).executeTakeFirst())
}

/** False while the demo shop is being filled: its clock runs when that is done. */
export async function isDemoShopReady({ db }: Service, merchant_id: string): Promise<boolean> {
  const clocks = db.selectFrom('test_clocks').select('target')
  const clock = await clocks.where('merchant_id', '=', merchant_id).executeTakeFirst()
  return clock?.target === null
}

/** Creates the demo shop, and waits until it is filled. */
export async function createDemoShop(service: Service, seed?: number): Promise<DemoShopState> {
  const { shop, filled } = await beginDemoShop(service, seed)
  await filled
  return shop
}

/**
 * Creates the demo shop, and fills it with half a year that ends now: everything happens through the
 * operations of the service, at the time of the shop's test clock. One that cannot be filled is removed.
 */
export async function beginDemoShop(
  service: Service,
  seed: number = default_seed,
): Promise<{ shop: DemoShopState; filled: Promise<void> }> {
  if (!(await mayHaveDemoShop(service))) {
    fail('INVALID_PERMISSIONS', {
      message: 'A demo shop needs a service for tests: no verified merchant, and no connector.',
    })
  }
  const to_ms = service.wall_clock.now()
  const today = startOfDayIn(default_zone, dateIn(default_zone, new Date(to_ms)))
  const from_ms = today.getTime() - history_days * day_ms
  const created = await openShop(service, from_ms, to_ms).catch((error) => {
    if (violatedIndex(error) !== 'removable_merchants_only_one') throw error
    return fail('DEMO_SHOP_EXISTS')
  })
  const shop = { merchant_id: created.merchant_id, created_on: new Date(from_ms) }
  return { shop, filled: fillOrRemove(service, created, { seed, from_ms, to_ms }) }
}

async function fillOrRemove(
  service: Service,
  created: OpenedShop,
  options: FillOptions,
): Promise<void> {
  const { merchant_id } = created
  try {
    await service.clocks.reload(merchant_id)
    service.signals.broadcast('clock', merchant_id)
    await service.clocks.letOthersNotice()
    await fill(service, created, options)
    // Thousands of rows are new: what reads them next, such as doctor, needs plans for as many.
    const tables = (await merchantTables(service.db)).map((name) => sql.table(name))
    await sql`analyze ${sql.join(tables)}`.execute(service.db)
    await startClock(service, merchant_id)
  } catch (error) {
    service.log.error({ err: error, merchant_id }, 'the demo shop could not be filled')
    await removeDemoShop(service).catch((err) =>
      service.log.error({ err, merchant_id }, 'a partly filled demo shop could not be removed'),
    )
    throw error
  }
}

interface OpenedShop {
  readonly merchant_id: string
  readonly online: ShopStore
  readonly town: ShopStore
}

/** The merchant with its two stores, its users, its keys, and a clock that only this process moves. */
async function openShop(service: Service, from_ms: number, to_ms: number): Promise<OpenedShop> {
  const { wall_clock, config, address } = service
  return inTransaction(service, async (base) => {
    let ticks = 0
    // Each row has a time of its own: lists are ordered by it.
    const began = { now: () => from_ms + ticks++, monotonic: wall_clock.monotonic }
    const tx = { ...base, clock: began }
    const merchant = await createMerchant(tx, {
      name: '茶舗みどり（デモ）',
      email: owner_email,
      removable_as: 'demo_shop',
    })
    const { id: merchant_id } = merchant
    const due_on = new Date(wall_clock.now() + max_fill_ms)
    const standing = { frozen_at: new Date(from_ms), target: new Date(to_ms), due_on }
    await tx.db
      .insertInto('test_clocks')
      .values({ merchant_id, offset_ms: 0, updated_on: new Date(to_ms), ...standing })
      .execute()
    const configuration = { ...settings, transfer_schedule: scheduleOf(to_ms) }
    await patchMerchant(tx, merchant_id, { configuration }, 'operator')
    await insertUser(tx, { ...person(merchant_id, owner_email, '緑川 茶子'), role: 'owner' })
    const clerk = person(merchant_id, 'clerk@demo-shop.example', '新井 結')
    await insertUser(tx, { ...clerk, role: 'staff' })
    await createBankAccount(tx, merchant_id, account)
    const online = await openStore(tx, merchant_id, '茶舗みどり オンライン店')
    const town = await openStore(tx, merchant_id, '茶舗みどり 鎌倉店')
    const credentials = {
      base_url: address.base_url,
      merchant_id,
      store_id: online.store.store_id,
      jwt: online.jwt,
      secret: online.secret,
    }
    writeCredentials(shopCredentialsPath(config.data_dir), credentials)
    return { merchant_id, online: online.store, town: town.store }
  })
}

const person = (merchant_id: string, email: string, name: string) =>
  ({ merchant_id, email, name, lang: 'ja', is_operator: false }) as const

const settings = {
  percent_fee: 3.6,
  user_transactions_configuration: { notify_on_webhook_disabled: false },
  subscription_configuration: { failed_charges_to_cancel: 3 },
} as const

/** Every week on the weekday of the newest payout. */
function scheduleOf(to_ms: number) {
  const day = Temporal.PlainDate.from(dateIn(default_zone, new Date(payoutDayBefore(to_ms))))
  const weekly_payout_day = week_days[day.dayOfWeek - 1] ?? 'friday'
  return { period: 'weekly', weekly_payout_day, wait_period: 'P3D' } as const
}

const account = {
  holder_name: 'チャホミドリ',
  bank_name: 'みどり銀行',
  branch_name: '鎌倉支店',
  country: 'JP',
  currency: 'JPY',
  account_number: '1234567',
  routing_number: '001',
  account_type: 'checking',
} as const

async function openStore(tx: Transacting, merchant_id: string, name: string) {
  const { id: store_id } = await createStore(tx, merchant_id, { name })
  const of_store = { id: store_id, mode: 'test' as const, domains: ['localhost', '127.0.0.1'] }
  const built = await createAppToken(tx, { merchant_id, creator_id: merchant_id, store: of_store })
  const store: ShopStore = {
    token_id: built.token.id,
    merchant_id,
    store_id,
    mode: 'test',
    domains: [],
    with_secret: true,
    user: null,
  }
  return { store, secret: built.secret, jwt: await signAppToken(tx, built.token) }
}

interface FillOptions {
  readonly seed: number
  readonly from_ms: number
  readonly to_ms: number
}

async function fill(
  service: Service,
  { merchant_id, online, town }: OpenedShop,
  { seed, from_ms, to_ms }: FillOptions,
): Promise<void> {
  const dice = newDice(seed)
  const receiving = {
    ...service,
    outbound: receivers(newDice(seed), () => agenda.now_ms(), from_ms),
  }
  const agenda = newAgenda(receiving, merchant_id, { from_ms, to_ms })
  try {
    const at_its_time = atTimeOf(receiving, { merchant_id, mode: 'test' })
    const people = inventPeople(dice, 60, new Date(to_ms).getUTCFullYear())
    const shop: DemoShop = {
      ...{ service: at_its_time, merchant_id, online, town, people, dice, agenda },
      ...{ from_ms, to_ms, orders: 0 },
    }
    agenda.at(from_ms + hour_ms, () => subscribeReceivers(shop))
    planSales(shop)
    planOpenSales(shop)
    planSubscriptions(shop)
    planLinks(shop)
    planSessions(shop)
    planDisputes(shop)
    planPayouts(shop)
    await agenda.run()
  } finally {
    agenda.release()
  }
}

const receiver_url = 'https://shop.demo-shop.example/hooks/payments'
const stock_reply = '在庫システムに接続できません'
const stock_url = 'https://stock.demo-shop.example/webhook?tenant=kamakura'

async function subscribeReceivers({ service, online, merchant_id, agenda, from_ms }: DemoShop) {
  const triggers = [
    'charge_finished',
    'refund_finished',
    'subscription_payment',
    'subscription_failure',
  ]
  const { store_id } = online
  await createWebhook(
    service,
    { merchant_id, store_id },
    {
      url: receiver_url,
      active: true,
      triggers: [...triggers, 'dispute_created', 'checkout_completed'],
    },
  )
  agenda.at(from_ms + 60 * day_ms, () =>
    createWebhook(
      service,
      { merchant_id, store_id },
      { url: stock_url, active: true, triggers: ['charge_finished'] },
    ),
  )
}

/** When the shop's own server is down for maintenance, which lasts longer than planned. */
const outage = { from_ms: 96 * day_ms, to_ms: 97.5 * day_ms }

/**
 * The simulated servers of the shop; their addresses do not exist. One has an outage and recovers. The other
 * refuses everything until the service switches it off.
 */
function receivers({ between }: Dice, now_ms: () => number, from_ms: number): Outbound {
  return {
    close: async () => {},
    post: async ({ url }) => {
      const duration_ms = between(35, 190)
      const ok = { status: 200, error: null, retry_after: null, answer: null, duration_ms }
      const since_ms = now_ms() - from_ms
      if (url === stock_url) return { ...ok, status: 500, answer: stock_reply }
      const is_down = since_ms >= outage.from_ms && since_ms < outage.to_ms
      return is_down ? { ...ok, status: 503, answer: 'ただいまメンテナンス中です' } : ok
    },
  }
}

/** From now on the time of the shop is the real one, and its clock can be moved like any other. */
async function startClock(service: Service, merchant_id: string): Promise<void> {
  await service.db
    .updateTable('test_clocks')
    .set({ offset_ms: 0, frozen_at: null, target: null, due_on: null })
    .where('merchant_id', '=', merchant_id)
    .execute()
  await service.clocks.reload(merchant_id)
  service.signals.broadcast('clock', merchant_id)
  service.signals.broadcast('work', '')
}

/** Removes the demo shop as a whole; null: there was none. */
export async function removeDemoShop(service: Service): Promise<{ rows: number } | null> {
  const shop = await findDemoShop(service)
  if (!shop) return null
  const rows = await removeMerchant(service, shop.merchant_id)
  rmSync(shopCredentialsPath(service.config.data_dir), { force: true })
  return { rows }
}

/** A link that signs the owner of the demo shop in; null without a demo shop. */
export async function demoShopLink(
  service: Service,
  base_url: string,
  life_ms: number,
): Promise<string | null> {
  const shop = await findDemoShop(service)
  if (!shop) return null
  return inTransaction(service, async (tx) => {
    const { merchant_id } = shop
    const owner = await tx.db
      .selectFrom('users')
      .select(['merchant_id', 'id'])
      .where('merchant_id', '=', merchant_id)
      .where('email', '=', owner_email)
      .where('disabled_on', 'is', null)
      .executeTakeFirst()
    return owner ? makeConsoleLink(tx, await lockUser(tx, owner), base_url, life_ms) : null
  })
}
