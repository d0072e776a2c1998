import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type ExampleAcquirer,
  startExampleAcquirer,
} from '../../../scripts/connector-check/http-subject.ts'
import { setCredentials } from '../../../src/accounts/provider-credentials/provider-credentials.ts'
import { connectorSource } from '../../../src/commerce/reconciliation/connector-source.ts'
import { readReport, reconcile } from '../../../src/commerce/reconciliation/reconcile.ts'
import { http_connector } from '../../../src/connectors/http/http-connector.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { useAcquirer } from '../../support/acquirer/acquirer-world.ts'

// Live payments of 1000 JPY through the whole service and the `http` connector, at the example acquirer.
const on = useAcquirer()
let acquirer: ExampleAcquirer
let provider: Provider

beforeAll(async () => {
  acquirer = await startExampleAcquirer()
})
afterAll(() => acquirer.stop())
beforeEach(async () => {
  const { service } = on.world
  await acquirer.control('/controls/clock', { now_ms: on.world.clock.now() })
  const parts = { log: service.log, now: () => on.world.clock.now() }
  provider = http_connector.open('example', parts)
  on.useProviders(provider)
  const owner = { merchant_id: on.shop.id, store_id: null }
  await setCredentials(service, 'example', owner, acquirer.settings)
})

interface Recorded {
  readonly id: string
  readonly kind: string
  readonly amount: number
  readonly captured: number
  readonly refunded: number
  readonly disputes: readonly { status: string; responses: number }[]
}

interface Message {
  readonly body: string
  readonly headers: Record<string, string>
}

async function recordOf(charge_id: string): Promise<Recorded[]> {
  const found = await acquirer.control(`/book?charge_id=${charge_id}`)
  // Cards are authenticated first.
  const { payments } = found as { payments: Recorded[] }
  return payments.filter(({ kind }) => kind === 'authorize')
}

test('a charge is authorized, captured in part and refunded; both records agree', async () => {
  const { id, status } = await on.settled({ capture: false })
  expect(status).toBe('authorized')
  await on.pay.post(`${on.pay.chargePath(id)}/capture`, { amount: 600, currency: 'JPY' })
  await on.pay.work()
  await on.pay.post(`${on.pay.chargePath(id)}/refunds`, { amount: 200, currency: 'JPY' })
  await on.pay.work()
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 600 })
  expect(await recordOf(id)).toMatchObject([{ amount: 1000, captured: 600, refunded: 200 }])
  expect(await on.storedCharge(id)).toMatchObject({ provider: 'example' })
})

test('a decline has the code of the acquirer, and no record has the card number', async () => {
  const declined = '4539990000000517'
  await acquirer.control('/controls/faults', { faults: ['leaks_number'] })
  const { id, status, error } = await on.settled({}, { card_number: declined })
  expect([status, error.code]).toEqual(['failed', 330])
  const leaked = '4539990000000053'
  const other = await on.settled({}, { card_number: leaked })
  await acquirer.control('/controls/faults', { faults: [] })
  const rows = await on.rows('select * from provider_operations where merchant_id = $1', on.shop.id)
  expect(rows.map(({ raw_code }) => raw_code).toSorted()).toEqual(['00', '00', '05', '51'])
  const seen = JSON.stringify([rows, other, await on.storedCharge(id)]) + on.world.log.join('')
  expect(seen).toContain('Do not honour: [hidden]')
  expect(seen).not.toContain(leaked)
})

test('a customer pays on the page of the acquirer; its notification makes the service look', async () => {
  const data = { brand: 'alipay_online', call_method: 'http_get' }
  const id = await on.pay.waiting('online', data)
  const [payment] = await recordOf(id)
  await acquirer.control('/controls/act', { payment: payment?.id, approved: true })
  const path = `/callbacks/example/${on.shop.id}`
  const asked = { payment: payment?.id, path: '/callbacks/example' }
  const message = (await acquirer.control('/controls/notification', asked)) as Message
  const forged = { ...message.headers, 'kaikei-signature': '0'.repeat(64) }
  const refused = await on.world.call('POST', path, { body: message.body, headers: forged })
  expect(refused.status).toBe(401)
  const taken = await on.world.call('POST', path, message)
  expect(taken.status).toBe(204)
  await on.pay.work()
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
})

test('a dispute that the acquirer tells of is opened, and the response of the merchant reaches it once', async () => {
  const { id } = await on.settled()
  const [payment] = await recordOf(id)
  await acquirer.control('/controls/dispute', { payment: payment?.id, amount: 300 })
  const asked = { payment: payment?.id, path: '/callbacks/example' }
  const message = (await acquirer.control('/controls/notification', asked)) as Message
  const path = `/callbacks/example/${on.shop.id}`
  expect((await on.world.call('POST', path, message)).status).toBe(204)
  await on.pay.work()
  const { body } = await on.pay.get(`/disputes?charge_id=${id}`)
  expect(body.items).toMatchObject([{ status: 'needs_response', amount: 300, fee_amount: 15 }])
  const dispute = `/stores/${body.items[0].store_id}/disputes/${body.items[0].id}`
  const evidence = { explanation: 'It was delivered.' }
  await on.pay.patch(dispute, { evidence, submit: true })
  await on.pay.work()
  expect((await on.pay.get(dispute)).body).toMatchObject({ status: 'under_review', error: null })
  const [sent] = await recordOf(id)
  expect(sent?.disputes).toMatchObject([{ status: 'under_review', responses: 1 }])
})

/** A process that dies after it has stored its first lines. */
const dying = () => ({
  ...on.world.service,
  failpoint: (name: string) => {
    if (name === 'after reconciliation lines') throw new Error('killed')
  },
})

test('the acquirer delivers its settlements: each line agrees with the ledger, once', async () => {
  const { service } = on.world
  const settle = async (by = service) =>
    readReport(service, await reconcile(by, await connectorSource(service, provider)))
  // What other tests have left at the acquirer is settled too.
  await settle()
  const { id } = await on.settled({ capture: false })
  await on.pay.post(`${on.pay.chargePath(id)}/capture`, { amount: 600, currency: 'JPY' })
  await on.pay.work()
  await on.pay.post(`${on.pay.chargePath(id)}/refunds`, { amount: 200, currency: 'JPY' })
  await on.pay.work()
  for (let more = 0; more < 5; more += 1) await on.settled()
  await expect(settle(dying())).rejects.toThrow('killed')
  const { run, matched, counts, fees } = await settle()
  const nothing_wrong = { amount_differs: 0, missing_here: 0, missing_there: 0 }
  expect({ matched, counts, fees }).toEqual({
    matched: 7,
    counts: nothing_wrong,
    fees: [{ currency: 'JPY', amount: 5 * 30 + 18 }],
  })
  const again = await settle()
  expect([again.matched, again.counts]).toEqual([0, nothing_wrong])
  expect(again.already_known).toBeGreaterThanOrEqual(7)
  const runs = await on.rows('select status from reconciliation_runs')
  expect(runs.map(({ status }) => status)).toEqual(['finished', 'finished', 'finished'])
  const events = await on.rows('select name, data from events where resource_id = $1', run.id)
  const total = { currency: 'JPY', settled_amount: 5400, fee_amount: 168, matched: 7 }
  expect(events).toMatchObject([
    { name: 'reconciliation_finished', data: { provider: 'example', totals: [total] } },
  ])
})

test('a deposit that goes back is found in the settlement by the reference of its return', async () => {
  const { service } = on.world
  const settle = async () =>
    readReport(service, await reconcile(service, await connectorSource(service, provider)))
  const id = await on.pay.waiting('bank_transfer', { brand: 'aozora_bank' })
  const [payment] = await recordOf(id)
  await on.pay.post(`${on.pay.chargePath(id)}/cancels`)
  await on.pay.work()
  await acquirer.control('/controls/deposit', { payment: payment?.id, amount: 1000 })
  const asked = { payment: payment?.id, path: '/callbacks/example' }
  const message = (await acquirer.control('/controls/notification', asked)) as Message
  await on.world.call('POST', `/callbacks/example/${on.shop.id}`, message)
  await on.pay.work()
  await on.pay.work()
  const rows = await on.rows('select status from deposits where charge_id = $1', id)
  expect(rows).toEqual([{ status: 'returned' }])
  const { findings } = await settle()
  expect(findings.map(({ kind }) => kind)).not.toContain('return')
})
