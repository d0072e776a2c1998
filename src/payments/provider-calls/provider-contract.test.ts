import { expect, test } from 'vitest'
import { card_number, useAcquirer } from '../../../test/support/acquirer/acquirer-world.ts'
import { declined_card, newFakeAcquirer } from '../../../test/support/acquirer/fake-acquirer.ts'
import { setCredentials } from '../../accounts/provider-credentials/provider-credentials.ts'
import { deadlineIn } from '../../core/time/deadline.ts'
import type { CallLimit } from '../../providers/provider.ts'
import type { FollowUp } from '../../providers/provider-operations.ts'
import { runKind } from '../../worker/worker.ts'
import { deleteOldOperations } from './delete-old-operations.ts'
import { nothing_taken, runOperation } from './run-operation.ts'

// Live charges of 1000 JPY, at a provider with its own names that repeats its effect when a request is
// repeated.
const on = useAcquirer()

const operationsOf = (id: string) =>
  on.rows(
    `select kind, attempt, outcome, is_inquiry, provider, provider_reference, code, raw_code,
       raw_message, request_id, finished_on is not null as finished
     from provider_operations where charge_id = $1 order by started_on, kind, attempt`,
    id,
  )

test("the provider's reference of a payment is stored, and sent with every later operation", async () => {
  const { id, status } = await on.settled({ capture: false })
  expect(status).toBe('authorized')
  expect(await on.storedCharge(id)).toMatchObject({
    provider: 'acquirer',
    provider_reference: 'acq_1',
    authorization_code: 'A1B2C3',
    network_transaction_id: 'net_acq_1',
    provider_data: { of: 'acq_1' },
  })
  await on.pay.post(`${on.pay.chargePath(id)}/capture`, { amount: 600, currency: 'JPY' })
  await on.pay.work()
  await on.pay.post(`${on.pay.chargePath(id)}/refunds`, { amount: 200, currency: 'JPY' })
  await on.pay.work()
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 600 })
  expect(on.kindsSent()).toEqual(['authorize', 'capture', 'refund'])
  for (const { kind, operation } of on.acquirer.calls) {
    if (kind !== 'capture' && kind !== 'refund') continue
    expect(operation).toMatchObject({ provider_reference: 'acq_1', provider_data: { of: 'acq_1' } })
  }
})

test('every call is recorded: whose, which, when, and what the provider said in its own words', async () => {
  const { id } = await on.settled({ capture: false })
  await on.pay.post(`${on.pay.chargePath(id)}/cancels`)
  await on.pay.work()
  const call = { attempt: 1, is_inquiry: false, provider: 'acquirer', code: null, finished: true }
  const authenticated = { ...call, kind: 'authenticate', outcome: 'approved' }
  expect(await operationsOf(id)).toMatchObject([
    authenticated,
    { ...call, kind: 'authorize', outcome: 'approved', provider_reference: 'acq_1' },
    { ...call, kind: 'void', outcome: 'approved', provider_reference: 'acq_2' },
  ])
  const declined = await on.settled({}, { card_number: declined_card })
  expect(declined).toMatchObject({ status: 'failed', error: { code: 306 } })
  expect(await operationsOf(declined.id)).toMatchObject([
    authenticated,
    {
      ...call,
      kind: 'authorize',
      outcome: 'refused',
      code: 306,
      raw_code: 'declined',
      raw_message: 'Do not honour',
      request_id: 'req_acq_3',
    },
  ])
})

test('a charge stays with its connector, also when new ones go elsewhere', async () => {
  const { id } = await on.settled({ capture: false })
  const second = newFakeAcquirer({ credentials: false }, 'second')
  on.useProviders(second.provider, on.acquirer.provider)
  await on.pay.post(`${on.pay.chargePath(id)}/capture`, { amount: 1000, currency: 'JPY' })
  await on.pay.work()
  await on.pay.post(`${on.pay.chargePath(id)}/refunds`, { amount: 1000, currency: 'JPY' })
  await on.pay.work()
  expect(on.kindsSent()).toEqual(['authorize', 'capture', 'refund'])
  expect(second.calls).toEqual([])
  const other = await on.settled()
  expect((await on.storedCharge(other.id)).provider).toBe('second')
})

test('a charge whose provider is not configured any more waits for it', async () => {
  const { id } = await on.settled({ capture: false })
  on.useProviders()
  await on.pay.post(`${on.pay.chargePath(id)}/capture`, { amount: 1000, currency: 'JPY' })
  await on.minutes(3)
  expect((await on.chargeNow(id)).status).toBe('authorized')
  expect(on.world.log.join('')).toContain('the provider of a payment is not configured')
  on.useProviders(on.acquirer.provider)
  await on.minutes(2)
  expect((await on.chargeNow(id)).status).toBe('successful')
})

/** How each operation begins, and how often the acquirer has done it in the end. */
const lost = [
  [
    'authorize',
    async () => (await on.pay.charge({}, { data: { card_number } })).body.id,
    'successful',
  ],
  [
    'capture',
    async () => {
      const { id } = await on.settled({ capture: false })
      await on.pay.post(`${on.pay.chargePath(id)}/capture`, { amount: 1000, currency: 'JPY' })
      return id
    },
    'successful',
  ],
  [
    'void',
    async () => {
      const { id } = await on.settled({ capture: false })
      await on.pay.post(`${on.pay.chargePath(id)}/cancels`)
      return id
    },
    'canceled',
  ],
  [
    'refund',
    async () => {
      const { id } = await on.settled()
      await on.pay.post(`${on.pay.chargePath(id)}/refunds`, { amount: 400, currency: 'JPY' })
      return id
    },
    'successful',
  ],
] as const

test.each(lost)(
  'the answer to %s is lost: it is inquired, not done again',
  async (kind, begin, end) => {
    const id: string = await begin()
    on.acquirer.lose(kind)
    await on.pay.work()
    await on.minutes(2)
    expect((await on.chargeNow(id)).status).toBe(end)
    expect(on.acquirer.payments.filter((one) => one.kind === kind)).toHaveLength(1)
    const found = (await operationsOf(id)).filter((one) => one.kind === kind)
    expect(found).toMatchObject([
      { outcome: 'unknown', is_inquiry: false },
      { outcome: 'approved', is_inquiry: true },
    ])
  },
)

test('a call that was recorded and never answered is known as begun', async () => {
  const { id } = await on.settled()
  const [charge] = await on.rows('select * from charges where id = $1', id)
  const reference = '6f9619ff-8b86-4011-b42d-00cf4fc964fd'
  const operation = { ...charge, charge_id: id, reference, amount: 1, currency: 'JPY' }
  const died = new Error('The process died.')
  const dying = {
    ...on.world.service,
    failpoint: () => {
      throw died
    },
  }
  const attempt = { provider: on.acquirer.provider, row: charge, deadline: deadlineIn(1000) }
  const send = async () => ({ outcome: 'approved' }) as const
  const call = { kind: 'refund', operation, taken: nothing_taken, send } as const
  await expect(runOperation(dying, attempt, call)).rejects.toThrow(died)
  expect(await operationsOf(id)).toContainEqual(
    expect.objectContaining({ kind: 'refund', outcome: null, finished: false }),
  )
})

test('all calls of one claim share a deadline, and a call that is too late is given up', async () => {
  const { id } = await on.settled()
  const charge = await on.storedCharge(id)
  const operation = { ...charge, charge_id: id, amount: 1, currency: 'JPY', credentials: null }
  const attempt = { provider: on.acquirer.provider, row: charge, deadline: deadlineIn(50) }
  const given_up: boolean[] = []
  const call = (reference: string) => ({
    kind: 'refund' as const,
    operation: { ...operation, reference } as FollowUp,
    taken: nothing_taken,
    send: ({ signal }: CallLimit) =>
      new Promise<never>(() => signal.addEventListener('abort', () => given_up.push(true))),
  })
  const references = [
    '6f9619ff-8b86-4011-b42d-00cf4fc964ff',
    '6f9619ff-8b86-4011-b42d-00cf4fc964fe',
  ]
  for (const reference of references) {
    const outcome = await runOperation(on.world.service, attempt, call(reference))
    expect(outcome).toMatchObject({ outcome: 'unknown' })
  }
  expect(given_up).toEqual([true])
})

test('an operation that the provider does not support is refused before the call', async () => {
  on.use({ partial_capture: false, partial_refund: false })
  const { id } = await on.settled({ capture: false })
  await on.pay.post(`${on.pay.chargePath(id)}/capture`, { amount: 600, currency: 'JPY' })
  await on.pay.work()
  expect(await on.chargeNow(id)).toMatchObject({ status: 'failed', error: { code: 317 } })
  expect(on.kindsSent()).toEqual(['authorize', 'void'])
  const whole = await on.settled()
  const part = await on.pay.post(`${on.pay.chargePath(whole.id)}/refunds`, {
    amount: 1,
    currency: 'JPY',
  })
  await on.pay.work()
  const refunded = await on.pay.get(`${on.pay.chargePath(whole.id)}/refunds/${part.body.id}`)
  expect(refunded.body).toMatchObject({ status: 'failed', error: { code: 318 } })
  expect(on.kindsSent()).toEqual(['authorize', 'void', 'authorize'])
})

test('a refund after the window of the provider is refused, with the reason', async () => {
  on.use({ refund_window_ms: 3_600_000 })
  const { id } = await on.settled()
  on.world.clock.advance(3_700_000)
  const refund = await on.pay.post(`${on.pay.chargePath(id)}/refunds`, {
    amount: 1,
    currency: 'JPY',
  })
  await on.pay.work()
  const { body } = await on.pay.get(`${on.pay.chargePath(id)}/refunds/${refund.body.id}`)
  expect(body).toMatchObject({ status: 'failed', error: { code: 329 } })
  expect(body.error.detail).toContain('limited time')
  expect(on.kindsSent()).toEqual(['authorize'])
})

test('credentials are sealed, those of a store win, and no log shows them', async () => {
  const { service } = on.world
  const owner = { merchant_id: on.shop.id, store_id: null }
  await setCredentials(service, 'acquirer', owner, { key: 'key-of-the-merchant' })
  const { id } = await on.settled()
  await setCredentials(service, 'acquirer', owner, { key: 'new-key-of-the-merchant' })
  await setCredentials(
    service,
    'acquirer',
    { ...owner, store_id: on.shop.store_id },
    { key: 'own' },
  )
  await on.settled()
  await setCredentials(service, 'acquirer', { ...owner, store_id: on.shop.id }, { key: 'others' })
  const used = on.acquirer.calls.map(({ operation }) =>
    (operation as FollowUp).credentials?.reveal(),
  )
  expect(used).toEqual([{ key: 'key-of-the-merchant' }, { key: 'own' }])
  // A payment stays with its account, whose password may have changed.
  await on.pay.post(`${on.pay.chargePath(id)}/refunds`, { amount: 1, currency: 'JPY' })
  await on.pay.work()
  const refund = on.acquirer.calls.at(-1)?.operation as FollowUp
  expect(refund.credentials?.reveal()).toEqual({ key: 'new-key-of-the-merchant' })
  const stored = JSON.stringify(await on.rows('select * from provider_credentials'))
  const texts = (await on.rows('select credentials from provider_credentials')).map(
    ({ credentials }) => credentials.toString('latin1'),
  )
  expect(`${stored} ${texts} ${on.world.log.join('')}`).not.toMatch(/key-of-the-merchant|own"/)
})

test('a merchant without credentials cannot pay there; a payment that has lost them waits', async () => {
  const remove = async () => {
    await on.rows('delete from provider_credentials where merchant_id = $1', on.shop.id)
    on.world.service.signals.broadcast('routing', on.shop.id)
  }
  const { id } = await on.settled()
  const path = `${on.pay.chargePath(id)}/refunds`
  const refund = await on.pay.post(path, { amount: 1, currency: 'JPY' })
  await remove()
  await on.minutes(2)
  expect((await on.pay.get(`${path}/${refund.body.id}`)).body.status).toBe('pending')
  expect(await on.settled()).toMatchObject({ status: 'error', error: { code: 504 } })
  expect(on.kindsSent()).toEqual(['authorize'])
})

test('a reference from the capture is sent with the refund', async () => {
  const { capture } = on.acquirer.provider
  const data = { of: 'acq_1', capture: 'cap_1' }
  Object.assign(on.acquirer.provider, {
    capture: async (...call: Parameters<typeof capture>) => ({ ...(await capture(...call)), data }),
  })
  const { id } = await on.settled({ capture: false })
  await on.pay.post(`${on.pay.chargePath(id)}/capture`, { amount: 1000, currency: 'JPY' })
  await on.pay.work()
  await on.pay.post(`${on.pay.chargePath(id)}/refunds`, { amount: 1, currency: 'JPY' })
  await on.pay.work()
  expect(on.acquirer.calls.at(-1)).toMatchObject({
    kind: 'refund',
    operation: { provider_reference: 'acq_1', provider_data: data },
  })
})

const external = {
  authentication_value: 'AAAA',
  eci: '05',
  ds_transaction_id: 'ds-2',
  server_transaction_id: 'server-2',
  message_version: '2.1.0',
  transaction_status: 'Y',
}

test('an authorization carries everything that an acquirer needs', async () => {
  const created = await on.pay.post('/tokens', {
    payment_type: 'card',
    email: 'customer@example.com',
    ip_address: '192.0.2.7',
    data: {
      cardholder: 'Taro Yamada',
      card_number,
      exp_month: '12',
      exp_year: '2030',
      cvv: '123',
      line1: '1-2-3',
      city: 'Chiyoda',
      country: 'JP',
      zip: '1000001',
    },
  })
  await on.pay.post('/charges', {
    transaction_token_id: created.body.id,
    amount: 1000,
    currency: 'JPY',
    descriptor: 'SHOP*ORDER',
    metadata: { order: '7' },
    three_ds: external,
  })
  await on.pay.work()
  expect(on.acquirer.calls[0]?.operation).toMatchObject({
    store_id: on.shop.store_id,
    email: 'customer@example.com',
    ip_address: '192.0.2.7',
    billing: { line1: '1-2-3', city: 'Chiyoda', country: 'JP', zip: '1000001' },
    descriptor: 'SHOP*ORDER',
    metadata: { order: '7' },
    initiated_by: 'customer',
    first_network_transaction_id: null,
    three_ds: {
      eci: '05',
      authentication_value: 'AAAA',
      transaction_id: 'ds-2',
      version: '2.1.0',
    },
  })
})

test('with a stored card, the merchant initiates what comes after the first payment', async () => {
  const transaction_token_id = await on.pay.tokenId({ type: 'recurring' }, { card_number })
  for (let n = 0; n < 2; n += 1) {
    on.world.clock.advance(60_000)
    await on.pay.post('/charges', { transaction_token_id, amount: 1000, currency: 'JPY' })
    await on.pay.work()
  }
  expect(on.acquirer.calls.map(({ operation }) => operation)).toMatchObject([
    { initiated_by: 'customer', first_network_transaction_id: null },
    { initiated_by: 'merchant', first_network_transaction_id: 'net_acq_1' },
  ])
})

test('a first payment without a network transaction id is the first all the same', async () => {
  const transaction_token_id = await on.pay.tokenId({ type: 'recurring' }, { card_number })
  for (let n = 0; n < 2; n += 1) {
    on.world.clock.advance(60_000)
    await on.pay.post('/charges', { transaction_token_id, amount: 1000, currency: 'JPY' })
    await on.pay.work()
    await on.rows('update charges set network_transaction_id = null where id is not null')
  }
  expect(on.acquirer.calls.at(-1)?.operation).toMatchObject({
    initiated_by: 'merchant',
    first_network_transaction_id: null,
  })
})

test('records of operations are deleted after their retention', async () => {
  const { id } = await on.settled()
  const { provider_operations_days: days } = on.world.service.config
  on.world.clock.advance(days * 86_400_000 - 60_000)
  await runKind(on.world.service, 'old_provider_operations')
  expect(await operationsOf(id)).toHaveLength(2)
  on.world.clock.advance(120_000)
  expect(await deleteOldOperations(on.world.service, 1000)).toBeGreaterThan(0)
  expect(await operationsOf(id)).toEqual([])
})
