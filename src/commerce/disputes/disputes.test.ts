import { expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { paymentFaults } from '../../../test/support/rules/payment-checks.ts'
import { runWords } from '../../../test/support/setup/command-line.ts'
import { withProviders } from '../../../test/support/simulators.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import type { ReportedDispute } from '../../core/payments/disputes.ts'
import { day_ms } from '../../core/time/clock.ts'
import { dispute_rules } from '../../doctor/money-rules/dispute-rules.ts'
import type { Provider } from '../../providers/provider.ts'
import { runAllDue } from '../../worker/worker.ts'
import { recordDispute } from './open-dispute.ts'

// Charges in these tests took 1000 JPY. The simulated bank keeps 1500 for a dispute.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

const card = { data: { card_number: '4000000000000259' } }
const path = (id: string) => `/stores/${shop.store_id}/disputes/${id}`
const dispute = async (body: object = {}, charge?: string) => {
  const id = charge ?? (await pay.settled()).id
  const created = await pay.post(`/test/charges/${id}/disputes`, body)
  expect(created.status, created.text).toBe(201)
  return created.body
}
const submit = (id: string, explanation: string) =>
  pay.patch(path(id), { evidence: { explanation }, submit: true })
const refund = (charge: string, amount: number) =>
  pay.post(`${pay.chargePath(charge)}/refunds`, { amount, currency: 'JPY' })

/** By how much disputes changed what the merchant is owed. */
async function withdrawn(charge_id: string): Promise<number> {
  const { items } = (await pay.get(`${pay.chargePath(charge_id)}/ledgers`)).body
  const own = items.filter(({ kind }: { kind: string }) => kind === 'adjustment')
  return own.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)
}

async function eventsOf(id: string): Promise<string[]> {
  const { rows } = await world.store.pool.query(
    'select name from events where merchant_id = $1 and resource_id = $2 order by sequence',
    [shop.id, id],
  )
  return rows.map(({ name }) => name)
}

async function faults(): Promise<unknown[]> {
  const found = await Promise.all(dispute_rules.map(({ rule }) => rule(world.service.db)))
  return [...found.flat(), ...(await paymentFaults(world))]
}

test.each([
  ['a card', {}, card],
  ['an e-mail', {}, { token: { email: 'x+dispute@example.com' } }],
  ['a card that is captured later', { capture: false }, card],
])('%s disputes its charge a moment after it was paid', async (_, body, options) => {
  const charge = await pay.settled(body, options)
  if (charge.status === 'authorized') await pay.post(`${pay.chargePath(charge.id)}/capture`)
  await pay.work()
  world.clock.advance(2000)
  await pay.work()
  const { items } = (await pay.get(`/disputes?charge_id=${charge.id}`)).body
  expect(items).toMatchObject([
    { status: 'needs_response', amount: 1000, currency: 'JPY', fee_amount: 1500, mode: 'test' },
  ])
  expect(await withdrawn(charge.id)).toBe(-2500)
  expect(await eventsOf(items[0].id)).toEqual(['dispute_created'])
  expect(await faults()).toEqual([])
})

test.each([
  ['winning_evidence', 'won', -1500],
  ['losing_evidence', 'lost', -2500],
])('evidence with %s: the dispute is %s', async (word, status, owed) => {
  const { id, charge_id } = await dispute()
  const sent = await submit(id, `See ${word}.`)
  expect(sent.body).toMatchObject({ status: 'needs_response', pending_response: 'evidence' })
  await pay.work()
  expect((await pay.get(path(id))).body).toMatchObject({
    status: 'under_review',
    pending_response: null,
    evidence: { explanation: `See ${word}.` },
  })
  world.clock.advance(2000)
  await pay.work()
  expect((await pay.get(path(id))).body).toMatchObject({ status })
  expect(await withdrawn(charge_id)).toBe(owed)
  expect(await eventsOf(id)).toEqual(['dispute_created', 'dispute_updated', 'dispute_closed'])
  expect(await faults()).toEqual([])
})

test('without a response the dispute is lost when its time is over, also by the test clock', async () => {
  const { id } = await dispute()
  const auth = shop.as_merchant
  const upcoming = await world.call('GET', '/test/clock/upcoming', {
    auth,
    query: { until: new Date(world.clock.now() + 8 * day_ms).toISOString() },
  })
  expect(upcoming.body.items).toMatchObject([{ kind: 'dispute_deadline', resource_id: id }])
  const moved = await world.call('POST', '/test/clock', { auth, body: { advance: 'P8D' } })
  expect(moved.status, moved.text).toBe(200)
  expect((await pay.get(path(id))).body.status).toBe('lost')
  const late = await submit(id, 'Too late.')
  expect(late).toMatchObject({ status: 409, body: { code: 'DISPUTE_NOT_OPEN' } })
})

test('an accepted dispute ends, and takes no other response', async () => {
  const { id, charge_id } = await dispute()
  expect((await pay.post(`${path(id)}/accept`)).body.pending_response).toBe('acceptance')
  expect((await submit(id, 'After all.')).status).toBe(409)
  expect((await pay.post(`${path(id)}/accept`)).status).toBe(409)
  await pay.work()
  expect((await pay.get(path(id))).body.status).toBe('accepted')
  expect(await withdrawn(charge_id)).toBe(-2500)
  expect(await eventsOf(id)).toEqual(['dispute_created', 'dispute_closed'])
})

test('no money goes back twice: disputes and refunds share what was charged', async () => {
  const { id: charge_id } = await pay.settled()
  expect((await refund(charge_id, 300)).status).toBe(201)
  await pay.work()
  const first = await dispute({ amount: 200 }, charge_id)
  expect(await refund(charge_id, 501)).toMatchObject({
    status: 400,
    body: { code: 'CHARGE_DISPUTED', message: expect.stringContaining('at most 500') },
  })
  const rest = await dispute({}, charge_id)
  expect(rest.amount).toBe(500)
  const none = await pay.post(`/test/charges/${charge_id}/disputes`)
  expect(none).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  expect((await refund(charge_id, 1)).body.code).toBe('CHARGE_DISPUTED')
  const won = await pay.post(`/test/disputes/${first.id}/complete`, { outcome: 'won' })
  expect(won.body.status).toBe('won')
  expect((await refund(charge_id, 200)).status).toBe(201)
  await pay.work()
  expect(await faults()).toEqual([])
})

test('concurrent refunds and reports of one dispute leave each yen in one place', async () => {
  const charge = await pay.settled()
  const report: ReportedDispute = {
    reference: 'dp_1',
    status: 'needs_response',
    reason: 'duplicate',
    amount: 700,
    fee_amount: 10,
    currency: 'JPY',
    respond_by: new Date(world.clock.now() + day_ms),
  }
  const key = { merchant_id: shop.id, id: charge.id }
  const reported = (status: ReportedDispute['status']) =>
    recordDispute(world.service, key, { ...report, status })
  await Promise.all([
    ...Array.from({ length: 4 }, () => reported('needs_response')),
    ...Array.from({ length: 4 }, () => refund(charge.id, 400)),
  ])
  await pay.work()
  // Reordered, late and repeated: nothing leads back.
  for (const status of ['won', 'under_review', 'lost', 'needs_response', 'won'] as const) {
    await reported(status)
  }
  const { items } = (await pay.get(`/disputes?charge_id=${charge.id}`)).body
  expect(items).toMatchObject([{ status: 'won', provider_reference: 'dp_1' }])
  expect(await withdrawn(charge.id)).toBe(-10)
  expect(await eventsOf(items[0].id)).toEqual(['dispute_created', 'dispute_closed'])
  expect(await faults()).toEqual([])
})

/** The worker, with simulators that are changed. */
const workWith = (change: Partial<Provider>) => {
  const { service } = world
  const all = service.providers.all.map((one): Provider => ({ ...one, ...change }))
  return runAllDue(withProviders(service, ...all))
}

test('a response whose outcome was lost is found out, and not sent to a dispute that has moved', async () => {
  const { id } = await dispute()
  await submit(id, 'Delivered.')
  const simulator = world.service.providers.all[0] as Provider
  let calls = 0
  await workWith({
    respondToDispute: async (response) => {
      calls += 1
      await simulator.respondToDispute?.(response)
      throw new Error('The connection was lost.')
    },
  })
  expect((await pay.get(path(id))).body).toMatchObject({ pending_response: 'evidence' })
  world.clock.advance(60_000)
  await pay.work()
  expect((await pay.get(path(id))).body).toMatchObject({ status: 'under_review' })
  expect(calls).toBe(1)
})

test('a refused response can be sent again; without a provider for it none is taken', async () => {
  const { id } = await dispute()
  await submit(id, 'Delivered.')
  await workWith({
    respondToDispute: async () => ({ outcome: 'refused', code: 310, detail: 'Too short.' }),
  })
  expect((await pay.get(path(id))).body).toMatchObject({
    status: 'needs_response',
    pending_response: null,
    error: { code: 310, detail: 'Too short.' },
  })
  expect((await submit(id, 'Delivered on Monday.')).status).toBe(200)
  await pay.work()
  expect((await pay.get(path(id))).body).toMatchObject({ status: 'under_review', error: null })
})

test('evidence is bounded, checked and sealed; lists and events do not have it', async () => {
  const { id } = await dispute()
  const nothing = await pay.patch(path(id), { submit: true })
  expect(nothing.body.errors).toMatchObject([{ field: 'evidence', reason: 'REQUIRED_VALUE' }])
  const long = { delivery: 'x'.repeat(5001), product: 7 }
  const refused = await pay.patch(path(id), { evidence: long })
  expect(refused.status).toBe(400)
  const fields = refused.body.errors.map(({ field }: { field: string }) => field)
  expect(fields.sort()).toEqual(['evidence.delivery', 'evidence.product'])
  await pay.patch(path(id), { evidence: { delivery: 'Parcel 12', product: 'Tea' } })
  const stored = await pay.patch(path(id), { evidence: { product: null } })
  expect(stored.body.evidence).toEqual({ delivery: 'Parcel 12' })

  const file = (body: object) =>
    pay.post(`${path(id)}/files`, {
      ...{ name: 'a.txt', content_type: 'text/plain' },
      content: Buffer.from('winning_evidence').toString('base64'),
      ...body,
    })
  for (const wrong of [
    { content_type: 'text/html' },
    { content_type: 'image/png' },
    { content: 'not Base64' },
    { content: 'AAAA' },
    { name: '' },
  ]) {
    expect((await file(wrong)).status, JSON.stringify(wrong).slice(0, 60)).toBe(400)
  }
  const ofBytes = (bytes: number) => ({ content: Buffer.alloc(bytes, 'a').toString('base64') })
  const megabyte = 1024 * 1024
  const too_large = await file(ofBytes(5 * megabyte + 1))
  expect(too_large).toMatchObject({ status: 400, body: { errors: [{ field: 'content' }] } })
  expect(too_large.text).toContain('must have at most 5120 KB; received 5121 KB')
  expect((await file(ofBytes(6 * megabyte))).status).toBe(413)
  expect(
    (await pay.patch(path(id), { evidence: { product: 'x'.repeat(257 * 1024) } })).status,
  ).toBe(413)
  const largest = await file(ofBytes(5 * megabyte))
  expect(largest.status).toBe(201)
  const { id: file_id } = largest.body.files[0]
  await world.call('DELETE', `${path(id)}/files/${file_id}`, { auth: shop.as_store })
  for (let place = 1; place <= 5; place += 1) expect((await file({})).status).toBe(201)
  expect(await file({})).toMatchObject({ status: 400, body: { code: 'RESOURCE_LIMIT_REACHED' } })
  const { files } = (await pay.get(path(id))).body
  const one = `${path(id)}/files/${files[0].id}`
  expect((await pay.get(one)).body.content).toBe(Buffer.from('winning_evidence').toString('base64'))
  const { status } = await world.call('DELETE', one, { auth: shop.as_store })
  expect(status).toBe(204)
  expect((await pay.get(one)).status).toBe(404)

  const { rows } = await world.store.pool.query(
    `select evidence, (select content from dispute_files where dispute_id = d.id limit 1)
     from disputes d where id = $1`,
    [id],
  )
  expect(`${rows[0].evidence} ${rows[0].content}`).not.toMatch(/Parcel|winning/)
  expect((await pay.get('/disputes')).body.items[0].evidence).toBeNull()
  await pay.patch(path(id), { submit: true })
  await pay.work()
  const reported = await world.store.pool.query('select data from events where resource_id = $1', [
    id,
  ])
  expect(JSON.stringify(reported.rows)).not.toContain('Parcel')
  world.clock.advance(2000)
  await pay.work()
  expect((await pay.get(path(id))).body.status).toBe('won')
})

/** The database and the keys of the world, for a command. */
function databaseSettings(): Record<string, string> {
  const { database_url, signing_keys, vault_keys, fingerprint_keys } = world.service.config
  return {
    DATABASE_URL: database_url ?? '',
    SIGNING_KEYS: signing_keys ?? '',
    VAULT_KEYS: vault_keys ?? '',
    FINGERPRINT_KEYS: fingerprint_keys ?? '',
  }
}

test('the list has filters, and pages by key', async () => {
  const created = []
  for (const reason of ['duplicate', 'general', 'duplicate'])
    created.push(await dispute({ reason }))
  const ids = async (query: string) =>
    (await pay.get(`/stores/${shop.store_id}/disputes?${query}`)).body.items.map(
      ({ id }: { id: string }) => id,
    )
  const [first, second, third] = created.map(({ id }) => id)
  expect(await ids('')).toEqual([third, second, first])
  expect(await ids('reason=duplicate')).toEqual([third, first])
  expect(await ids(`charge_id=${created[1].charge_id}`)).toEqual([second])
  expect(await ids('status=won')).toEqual([])
  expect(await ids(`cursor=${second}&cursor_direction=asc`)).toEqual([third])
  expect(await ids(`to=${created[1].created_on}`)).toEqual([first])
  expect((await pay.get('/disputes?status=open')).status).toBe(400)
  const settings = { DATA_DIR: world.service.config.data_dir, ...databaseSettings() }
  const listed = await runWords(['disputes', 'list', shop.id], settings)
  expect(JSON.parse(listed.output).map(({ id }: { id: string }) => id)).toEqual([
    third,
    second,
    first,
  ])
  const shown = await runWords(['disputes', 'show', shop.id, first], settings)
  expect(JSON.parse(shown.output)).toMatchObject({ id: first, reason: 'duplicate', evidence: null })
})
