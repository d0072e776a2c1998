import SDK, {
  ChargeStatus,
  CursorDirection,
  PaymentType,
  ResponseError,
  SubscriptionPeriod,
  TemporaryTokenAlias,
  TransactionTokenType,
  TransferStatus,
  WebHookTrigger,
} from 'univapay-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTransfers } from '../../src/commerce/transfers/create-transfers.ts'
import { moveTransfer } from '../../src/commerce/transfers/move-transfer.ts'
import { startWorker, type Worker } from '../../src/worker/worker.ts'
import { newReceiver, type Receiver } from '../support/receiver/receiver.ts'
import { newWorld, type TestMerchant, type World } from '../support/world.ts'

// A program with the public client library works unchanged: real HTTP, a real worker behind it.
describe.each(['spec', 'clients'])('with COMPATIBILITY=%s the public client library', (setting) => {
  let world: World
  let shop: TestMerchant
  let worker: Worker
  let receiver: Receiver
  let sdk: SDK
  let ticking: NodeJS.Timeout

  beforeAll(async () => {
    world = await newWorld({ settings: { COMPATIBILITY: setting } })
    ticking = setInterval(() => world.clock.advance(200), 20)
    shop = await world.merchant()
    worker = startWorker(world.service)
    receiver = await newReceiver()
    const { url: endpoint } = await world.listen()
    sdk = new SDK({ endpoint, jwt: shop.jwt, secret: shop.secret })
  })
  afterAll(async () => {
    clearInterval(ticking)
    await worker.stop()
    await receiver.close()
    await world.close()
  })

  const token = (
    data: object = {},
    type = TransactionTokenType.ONE_TIME,
    email = 'customer@example.com',
  ) =>
    sdk.transactionTokens.create({
      type,
      paymentType: PaymentType.CARD,
      email,
      data: {
        cardholder: 'TARO YAMADA',
        cardNumber: '4916741415383284',
        expMonth: 12,
        expYear: 2030,
        cvv: '123',
        ...data,
      },
    } as never)

  const charge = async (body: object = {}) => {
    const { id: transactionTokenId } = await token()
    const created = await sdk.charges.create({
      transactionTokenId,
      amount: 1000,
      currency: 'JPY',
      metadata: { order_id: 7, camelCase: 'kept' },
      ...body,
    })
    return sdk.charges.poll(created.storeId, created.id)
  }

  test('makes a token, a charge, and polls it', async () => {
    const created = await token()
    expect(created).toMatchObject({ type: 'one_time', paymentType: 'card', active: true })
    const paid = await charge()
    expect(paid).toMatchObject({
      status: ChargeStatus.SUCCESSFUL,
      requestedAmount: 1000,
      chargedAmount: 1000,
      metadata: { order_id: 7, camelCase: 'kept' },
    })
    const read = await sdk.charges.get(paid.storeId, paid.id)
    expect(read.id).toBe(paid.id)
    expect(typeof read.createdOn).toBe(setting === 'spec' ? 'number' : 'string')
  })

  test('refunds, and changes the metadata of it', async () => {
    const paid = await charge()
    const created = await sdk.refunds.create(paid.storeId, paid.id, {
      amount: 400,
      currency: 'JPY',
    })
    const done = await sdk.refunds.poll(paid.storeId, paid.id, created.id)
    expect(done).toMatchObject({ status: 'successful', amount: 400 })
    const changed = await sdk.refunds.update(paid.storeId, paid.id, created.id, {
      metadata: { seen: true },
    } as never)
    expect(changed.metadata).toEqual({ seen: true })
    expect((await sdk.refunds.list(paid.storeId, paid.id)).items).toHaveLength(1)
  })

  test('authorizes and captures', async () => {
    const held = await charge({ capture: false })
    expect(held.status).toBe(ChargeStatus.AUTHORIZED)
    const money = { amount: 600, currency: 'JPY' }
    await sdk.captures.create(held.storeId, held.id, money)
    const isOver = { successCondition: ({ status }: { status: string }) => status === 'successful' }
    const done = await sdk.charges.poll(
      held.storeId,
      held.id,
      undefined,
      undefined,
      isOver as never,
    )
    expect(done.chargedAmount).toBe(600)
  })

  test('cancels an authorization', async () => {
    const held = await charge({ capture: false })
    const created = await sdk.cancels.create(held.storeId, held.id, {})
    const done = await sdk.cancels.poll(held.storeId, held.id, created.id)
    expect(done.status).toBe('successful')
    expect((await sdk.charges.get(held.storeId, held.id)).status).toBe('canceled')
  })

  test('bills, changes and ends a subscription', async () => {
    const { id: transactionTokenId } = await token({}, TransactionTokenType.SUBSCRIPTION)
    const created = await sdk.subscriptions.create({
      transactionTokenId,
      amount: 500,
      currency: 'JPY',
      period: SubscriptionPeriod.MONTHLY,
    } as never)
    const running = await sdk.subscriptions.poll(created.storeId, created.id)
    expect(running.status).toBe('current')
    const { items: charges } = await sdk.subscriptions.charges(created.storeId, created.id)
    expect(charges).toMatchObject([{ status: 'successful', chargedAmount: 500 }])
    const { items: payments } = await sdk.subscriptions.payments.list(created.storeId, created.id)
    expect(payments.length).toBeGreaterThan(0)
    await sdk.subscriptions.suspend(created.storeId, created.id)
    await sdk.subscriptions.unsuspend(created.storeId, created.id)
    await sdk.subscriptions.delete(created.storeId, created.id)
    expect((await sdk.subscriptions.get(created.storeId, created.id)).status).toBe('canceled')
    const plan = await sdk.subscriptions.simulation({
      amount: 100,
      currency: 'JPY',
      paymentType: PaymentType.CARD,
      period: SubscriptionPeriod.MONTHLY,
    } as never)
    expect(plan).toHaveLength(5)
  })

  test('manages a webhook, and gets the event of a charge', async () => {
    const triggers = [WebHookTrigger.CHARGE_FINISHED]
    const body = { url: receiver.url, triggers, authToken: 'plain-text' }
    const created = await sdk.webHooks.create(body as never, undefined, shop.store_id)
    expect(created).toMatchObject({
      url: receiver.url,
      triggers: ['charge_finished'],
      active: true,
    })
    const paid = await charge()
    await receiver.until(1)
    expect(receiver.received[0]?.body).toMatchObject({
      event: 'charge_finished',
      data: { id: paid.id, status: 'successful' },
    })
    const { authorization } = receiver.received[0]?.headers ?? {}
    expect(authorization).toBe(setting === 'spec' ? 'Bearer plain-text' : 'plain-text')
    await sdk.webHooks.update(created.id, { active: false } as never, undefined, shop.store_id)
    const off = await sdk.webHooks.get(created.id, undefined, undefined, shop.store_id)
    expect(off).toMatchObject({ active: false })
    await sdk.webHooks.delete(created.id, undefined, undefined, shop.store_id)
    const { items } = await sdk.webHooks.list(undefined, undefined, shop.store_id)
    expect(items).toEqual([])
  })

  test('pages through lists', async () => {
    for (let created = 0; created < 12; created += 1)
      await token({}, TransactionTokenType.RECURRING)
    const limit = setting === 'spec' ? 10 : 3
    const seen: string[] = []
    let cursor: string | undefined
    for (let more = true; more; ) {
      const page = await sdk.transactionTokens.list({
        limit,
        cursorDirection: CursorDirection.ASC,
        ...(cursor ? { cursor } : {}),
      })
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.items.at(-1)?.id
      more = page.hasMore
    }
    expect(seen).toHaveLength(12)
    expect(new Set(seen).size).toBe(12)
    expect([...seen].sort()).toEqual(seen)
  })

  test('gets errors it understands: status, code and every field', async () => {
    const wrong = sdk.charges.create({
      transactionTokenId: crypto.randomUUID(),
      amount: -1,
      currency: 'JPY',
    })
    const error = await wrong.catch((caught) => caught)
    expect(error).toBeInstanceOf(ResponseError)
    expect(error.errorResponse).toMatchObject({
      httpCode: 400,
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'amount', reason: expect.any(String) }],
    })
    const missing = await sdk.charges
      .get(shop.store_id, crypto.randomUUID())
      .catch((caught) => caught)
    expect(missing.errorResponse).toMatchObject({ httpCode: 404, code: 'NOT_FOUND' })
    const declined = await sdk.transactionTokens
      .create({
        type: TransactionTokenType.ONE_TIME,
        paymentType: PaymentType.CARD,
        email: 'a@example.com',
        data: {
          cardholder: 'A',
          cardNumber: '4242424242424243',
          expMonth: 1,
          expYear: 2030,
          cvv: '1',
        },
      } as never)
      .catch((caught) => caught)
    expect(declined.errorResponse.errors.map(({ field }: { field: string }) => field)).toContain(
      'data.card_number',
    )
  })

  test('an idempotency key makes a charge once', async () => {
    const { id: transactionTokenId } = await token()
    const auth = { idempotentKey: crypto.randomUUID() }
    const body = { transactionTokenId, amount: 10, currency: 'JPY' }
    const first = await sdk.charges.create(body, auth as never)
    const again = await sdk.charges.create(body, auth as never)
    expect(again.id).toBe(first.id)
  })

  test('reads the merchant and its stores', async () => {
    const auth = shop.as_merchant.replace('Bearer ', '')
    const [secret, ...jwt] = auth.split('.')
    const as_merchant = new SDK({
      endpoint: sdk.api.endpoint,
      jwt: jwt.join('.'),
      secret: String(secret),
    })
    const { id } = await as_merchant.merchants.me()
    expect(id).toBe(shop.id)
    expect((await as_merchant.stores.list()).items.map((store) => store.id)).toEqual([
      shop.store_id,
    ])
    expect((await as_merchant.stores.get(shop.store_id)).id).toBe(shop.store_id)
  })

  test("reads transfers and their ledgers, and keeps the merchant's own documents", async () => {
    await charge({ amount: 4321 })
    world.clock.advance(1000)
    const wanted = { merchant_id: shop.id, started_by: 'operator' }
    const [created] = await createTransfers(world.service, wanted)
    const id = created?.id ?? ''
    await moveTransfer(world.service, id, 'approve', 'looks right')
    const [secret, ...jwt] = shop.as_merchant.replace('Bearer ', '').split('.')
    const { endpoint } = sdk.api
    const merchant = new SDK({ endpoint, jwt: jwt.join('.'), secret: secret ?? '' })
    const { items } = await merchant.transfers.list()
    expect(items).toMatchObject([{ id, status: TransferStatus.APPROVED, currency: 'JPY' }])
    const read = await merchant.transfers.get(id)
    expect(read).toMatchObject({
      amount: created?.amount,
      startedBy: 'operator',
      bankAccountId: null,
    })
    const changes = await merchant.transfers.statusChanges(id)
    expect(changes.items).toMatchObject([{ newStatus: 'approved', reason: 'looks right' }])
    const ledgers = await merchant.ledgers.list(id)
    const sum = ledgers.items.reduce((total, { amount }) => total + amount, 0)
    expect(sum).toBe(created?.amount)
    expect(ledgers.items[0]).toMatchObject({ transferId: id, merchantId: shop.id })

    const told = {
      homepageUrl: 'https://shop.example',
      companyDescription: 'Tea',
      businessType: 'food',
      systemManagerName: 'Hanako',
      companyContactInfo: {
        name: 'A',
        companyName: 'B',
        phoneNumber: { countryCode: '81', localNumber: '312345678' },
        line1: '1-2-3',
        city: 'Minato',
        state: 'Tokyo',
        country: 'JP',
        zip: '1050001',
      },
    }
    await merchant.verification.create(told as never)
    await merchant.verification.update({ businessType: 'tea' })
    expect(await merchant.verification.get()).toMatchObject({ ...told, businessType: 'tea' })
    expect(await sdk.platforms.getConfiguration()).toMatchObject({ name: 'Kaikei' })
  })

  test('gives a token another name for a while', async () => {
    const { id, storeId } = await token({}, TransactionTokenType.RECURRING)
    const aliases = new TemporaryTokenAlias(sdk.api)
    const created = await aliases.create({ transactionTokenId: id })
    const { key = '' } = created as { key?: string }
    expect(await aliases.get(storeId, key)).toMatchObject({ id, storeId })
    const picture = await aliases.get(storeId, key, { media: 'qr' } as never)
    expect(picture).toBeInstanceOf(Blob)
    await aliases.delete(storeId, key)
    await expect(aliases.get(storeId, key)).rejects.toThrow(ResponseError)
  })

  test('creates several subscriptions with one request, and polls it', async () => {
    const subscriptions = []
    for (const customer of ['a', 'b']) {
      const email = `${customer}@example.com`
      const { id: transactionTokenId } = await token({}, TransactionTokenType.RECURRING, email)
      const money = { amount: 500, currency: 'JPY', period: SubscriptionPeriod.MONTHLY }
      subscriptions.push({ transactionTokenId, ...money })
    }
    const created = await sdk.subscriptions.createBatch({
      subscriptions,
      initialChargeMetadata: { campaign: 'spring' },
    } as never)
    expect(created.status).toBe('awaiting')
    const done = await sdk.subscriptions.pollBatch(created.batchId)
    expect(done).toMatchObject({ batchId: created.batchId, status: 'successful' })
    const [first = '', second = ''] = done.subscriptionIds ?? []
    expect((await sdk.subscriptions.poll(shop.store_id, first)).status).toBe('current')
    const { items } = await sdk.subscriptions.charges(shop.store_id, second)
    expect(items).toMatchObject([{ metadata: { campaign: 'spring' } }])
    // The store may be left out here.
    const none = undefined as never
    expect((await sdk.subscriptions.suspend(none, first)).status).toBe('suspended')
    expect((await sdk.subscriptions.unsuspend(none, first)).status).toBe('unpaid')
    const other = await token({}, TransactionTokenType.RECURRING, 'c@example.com')
    const renewed = await sdk.transactionTokens.renew(none, other.id, none)
    expect(renewed.storeId).toBe(shop.store_id)
    const transactionTokenId = renewed.id
    const changed = await sdk.subscriptions.updateToken(none, first, { transactionTokenId })
    expect(changed.transactionTokenId).toBe(transactionTokenId)
  })
})
