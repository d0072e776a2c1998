import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Payments, payments } from '../../test/support/payments.ts'
import { newReceiver, type Receiver } from '../../test/support/receiver/receiver.ts'
import { simulatorOf, withProviders } from '../../test/support/simulators.ts'
import { newWorld, type TestMerchant, type World } from '../../test/support/world.ts'
import { readTraceparent, writeTraceparent } from '../core/log/trace-context.ts'
import type { CallLimit } from '../providers/provider.ts'
import { runAllDue } from '../worker/worker.ts'
import { openTraces, type Traces } from './open-traces.ts'

// A collector that receives OTLP over HTTP, a shop's server, and two processes of the service.
let collector: Receiver
let shop_server: Receiver
let world: World
let other: World
let shop: TestMerchant
let pay: Payments

beforeAll(async () => {
  collector = await newReceiver()
  shop_server = await newReceiver()
  const endpoint = new URL(collector.url).origin
  world = await newWorld({
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=secret',
      WEBHOOK_TARGETS: 'any',
    },
  })
  other = await world.another()
  shop = await world.merchant()
  pay = payments(world, shop)
  await world.call('POST', `/stores/${shop.store_id}/webhooks`, {
    auth: shop.as_store,
    body: { triggers: ['charge_finished'], url: shop_server.url },
  })
  await runAllDue(world.service)
})
afterAll(async () => {
  await world.close()
  await collector.close()
  await shop_server.close()
})
beforeEach(async () => {
  for (const one of [world, other]) {
    const traces = await openTraces(one.service.config)
    traces?.follow(one.service.signals)
    one.service.observers.traces = traces
  }
  collector.received.length = 0
  shop_server.received.length = 0
})

function tracesOf({ service }: World): Traces {
  if (!service.observers.traces) throw new Error('There are no traces.')
  return service.observers.traces
}

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: object }[]
}

/** Everything that was recorded, as the collector got it. */
async function exported(): Promise<Span[]> {
  await tracesOf(world).close()
  await tracesOf(other).close()
  return collector.received
    .flatMap(({ body }) => body.resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
}

async function charge(headers: Record<string, string> = {}): Promise<string> {
  const transaction_token_id = await pay.tokenId()
  const body = { transaction_token_id, amount: 1000, currency: 'JPY' }
  const created = await world.call('POST', '/charges', { auth: shop.as_store, body, headers })
  expect(created.status).toBe(201)
  return created.body.id
}

test('a trace goes from a request to its provider and to a webhook', async () => {
  const id = await charge()
  await runAllDue(world.service)
  const trace_id = id.replaceAll('-', '')
  const span_id = trace_id.slice(16)
  const spans = (await exported()).filter(({ traceId }) => traceId === trace_id)
  expect(spans.map(({ name }) => name.split(' ').slice(0, 2).join(' ')).sort()).toEqual([
    'POST /charges',
    'POST webhook',
    'authenticate card_simulator',
    'authorize card_simulator',
  ])
  const [request] = spans.filter(({ name }) => name === 'POST /charges')
  expect(request).toMatchObject({ spanId: span_id })
  expect(request?.parentSpanId).toBeUndefined()
  const others = spans.filter((span) => span !== request)
  expect(others.map(({ parentSpanId }) => parentSpanId)).toEqual([span_id, span_id, span_id])
  const delivery = spans.find(({ name }) => name.startsWith('POST webhook'))
  expect(readTraceparent(shop_server.received[0]?.headers.traceparent)).toEqual({
    trace_id,
    span_id: delivery?.spanId,
    sampled: true,
  })
  expect(collector.received[0]?.headers).toMatchObject({ 'x-collector-key': 'secret' })
  expect(collector.received[0]?.path).toBe('/v1/traces')
})

const caller = {
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  span_id: '00f067aa0ba902b7',
  sampled: true,
}

test("a caller's trace is continued, also by another process, and passed on to the provider", async () => {
  const id = await charge({ traceparent: writeTraceparent(caller) })
  const continued = () => tracesOf(other).contextOf(id).trace_id
  await vi.waitFor(() => expect(continued()).toBe(caller.trace_id), 20_000)
  const card = simulatorOf(other.service, 'card')
  const limits: (string | undefined)[] = []
  const authorize: typeof card.authorize = async (operation, limit?: CallLimit) => {
    limits.push(limit?.traceparent)
    return card.authorize(operation)
  }
  await runAllDue(withProviders(other.service, { ...card, authorize }))
  const spans = (await exported()).filter(({ traceId }) => traceId === caller.trace_id)
  expect(spans).toHaveLength(4)
  const request = spans.find(({ name }) => name === 'POST /charges')
  expect(request?.parentSpanId).toBe(caller.span_id)
  const call = spans.find(({ name }) => name.startsWith('authorize'))
  expect(call?.parentSpanId).toBe(request?.spanId)
  expect(limits).toEqual([`00-${caller.trace_id}-${call?.spanId}-01`])
  expect(readTraceparent(shop_server.received[0]?.headers.traceparent)?.trace_id).toBe(
    caller.trace_id,
  )
})

test('a trace that its caller does not record is passed on, and not recorded', async () => {
  await charge({ traceparent: writeTraceparent({ ...caller, sampled: false }) })
  await runAllDue(world.service)
  expect(shop_server.received[0]?.headers.traceparent).toMatch(
    new RegExp(`^00-${caller.trace_id}-[0-9a-f]{16}-00$`),
  )
  expect((await exported()).filter(({ traceId }) => traceId === caller.trace_id)).toEqual([])
})

test('a span of a request has its route and nothing that may be secret', async () => {
  const path = `/stores/${shop.store_id}/charges?limit=10&metadata=4242424242424242`
  const { headers } = await world.call('GET', path, { auth: shop.as_store })
  const request_id = String(headers['x-request-id'])
  const found = (await exported()).find(({ traceId }) => traceId === request_id.replaceAll('-', ''))
  expect(found?.name).toBe('GET /stores/:store_id/charges')
  expect(JSON.stringify(found)).not.toContain('4242')
  expect(JSON.stringify(found)).toContain(request_id)
})

test.each([
  ['', null],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7', null],
  ['00-00000000000000000000000000000000-00f067aa0ba902b7-01', null],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01', null],
  ['ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', null],
  ['00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01', null],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', caller],
  ['cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-03-more', caller],
])('the header %s is read as the standard says', (header, context) => {
  expect(readTraceparent(header)).toEqual(context)
})

test('without a collector nothing is traced', async () => {
  expect(
    await openTraces({ ...world.service.config, otel_exporter_otlp_endpoint: null }),
  ).toBeNull()
  world.service.observers.traces = null
  other.service.observers.traces = null
  await charge({ traceparent: writeTraceparent(caller) })
  await runAllDue(world.service)
  expect(shop_server.received[0]?.headers).not.toHaveProperty('traceparent')
})
