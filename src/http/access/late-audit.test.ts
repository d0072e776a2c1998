import type { AddressInfo } from 'node:net'
import { beforeAll, expect, test, vi } from 'vitest'
import { loginToken, newUser } from '../../../test/support/console-users.ts'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { newAdmission } from '../admission/admission.ts'
import { never_late } from '../admission/lateness.ts'
import { buildApp } from '../app.ts'

const world = useWorld()
let merchant: TestMerchant
let pay: Payments

beforeAll(async () => {
  merchant = await world.merchant()
  pay = payments(world, merchant)
})

/** Holds a row until it is released. */
async function lock(table: string, column: string, value: string): Promise<() => Promise<void>> {
  const client = await world.store.pool.connect()
  await client.query('begin')
  await client.query(`select 1 from ${table} where ${column} = $1 for update`, [value])
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

async function waiting(): Promise<number> {
  const { rows } = await world.store.pool.query(`select count(*)::integer as count
    from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return rows[0].count
}

test('a response whose line of the audit log comes after its refusal is dropped', async () => {
  const { email } = await newUser(world, merchant)
  const authorization = await loginToken(world, email)
  const charge = await pay.charge()
  const times = { look_ms: 20, response_ms: 1500, poll_response_ms: 1500, forget_ms: 60_000 }
  const admission = newAdmission(10, never_late, times)
  const health = { accepting: true, findFaults: async () => [] }
  const app = buildApp(world.service, { health, admission })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const path = pay.chargePath(charge.body.id)
  const releaseCharge = await lock('charges', 'id', charge.body.id)
  const sent = fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'PATCH',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{"metadata":{"note":"x"}}',
  })
  await vi.waitFor(async () => expect(await waiting()).toBe(1))
  const releaseAudit = await lock('audit_heads', 'merchant_id', merchant.id)
  await releaseCharge()
  expect((await sent).status).toBe(503)
  expect(await waiting()).toBe(1)
  await releaseAudit()
  const isNoted = async () => {
    const { rows } = await world.store.pool.query(
      `select details ->> 'status' as status from audit_log where merchant_id = $1
       order by number desc limit 1`,
      [merchant.id],
    )
    expect(rows).toEqual([{ status: '200' }])
  }
  await vi.waitFor(isNoted)
  await vi.waitFor(() => expect(admission.inProgress()).toEqual({ running: 0, polling: 0 }))
  await app.close()
})
