import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { expect } from 'vitest'
import { payments } from '../payments.ts'
import { payouts } from '../payouts.ts'
import type { Receiver } from '../receiver/receiver.ts'
import type { World } from '../world.ts'

/** One of everything that the rules of `doctor` cover, each in a healthy state. */
export async function makeEverything(world: World, receiver: Receiver): Promise<void> {
  const shop = await world.merchant()
  const pay = payments(world, shop)
  const hook = { url: receiver.url, triggers: ['charge_finished', 'refund_finished'] }
  expect((await pay.post(`/stores/${shop.store_id}/webhooks`, hook)).status).toBe(201)
  const { id } = await pay.settled()
  const money = { amount: 400, currency: 'JPY' }
  expect((await pay.post(`${pay.chargePath(id)}/refunds`, money)).status).toBe(201)
  const held = await pay.settled({ capture: false })
  expect(held.status).toBe('authorized')
  const canceled = await pay.settled({ capture: false })
  expect((await pay.post(`${pay.chargePath(canceled.id)}/cancels`)).status).toBe(201)
  const disputed = await pay.settled()
  expect((await pay.post(`/test/charges/${disputed.id}/disputes`)).status).toBe(201)
  const transfer = { brand: 'aozora_bank', match_amount: 'maximum' }
  const waiting = await pay.waiting('bank_transfer', transfer)
  expect((await pay.post(`/test/charges/${waiting}/deposits`, { amount: 400 })).status).toBe(201)
  const person = { certificate_id: '330821198809085211', certificate_name: 'Zhang' }
  const declaration = { customs: 'SHANGHAI_ZS', merchant_customs_no: '1', ...person }
  const declared = `${pay.chargePath(await pay.paidOnline())}/customs`
  expect((await pay.post(declared, { declaration })).status).toBe(201)
  await pay.work()
  const out = payouts(world, shop)
  await out.move((await out.onlyTransfer()).id, 'approve', 'process', 'pay')
  await pay.tokenId({ type: 'recurring' })
  await pay.work()
}

/** The clock of the world is in the past; future due times are moved after today here. */
export async function bringToToday(world: World): Promise<void> {
  const { db } = world.service
  await sql`update charges set due_on = now() + interval '1 day', updated_on = now()
    where due_on is not null`.execute(db)
  await sql`update charges set expires_on = now() + interval '1 day' where status = 'awaiting'`.execute(
    db,
  )
  await sql`update disputes set respond_by = now() + interval '1 day',
    due_on = now() + interval '1 day'`.execute(db)
  await sql`update transaction_tokens set cvv = ${cvvOf(0)}, wipe_on = now() + interval '5 minutes',
    due_on = now() + interval '5 minutes' where cvv is not null`.execute(db)
  rmSync(join(world.service.config.data_dir, 'cvv-keys'), { recursive: true })
}

/** A security code that seems to have been sealed this many minutes ago. */
export function cvvOf(minutes: number): RawBuilder<Buffer> {
  return sql`decode(lpad(to_hex(floor(extract(epoch from now() -
    ${minutes} * interval '1 minute') / 10)::bigint), 8, '0'), 'hex') || '\\x00000000'::bytea`
}
