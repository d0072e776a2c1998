import { createServer } from 'node:net'
import { sensitive } from '../../src/core/cards/sensitive.ts'
import {
  authorizationOf,
  authorize,
  type FollowUpKind,
  findLost,
  follow,
  followUpOf,
  inquire,
  inquiryOf,
  takePayment,
} from './check-calls.ts'
import { type Check, type CheckWorld, must, mustBe } from './check-subject.ts'

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function authorizeAt(world: CheckWorld, base_url: string) {
  const credentials = sensitive(world.subject.settings(base_url))
  return authorize(world, authorizationOf(world, { credentials }))
}

const reachability: Check[] = [
  {
    capability: 'settings',
    title: 'the test call accepts the right settings and names what is wrong with others',
    needs: [],
    run: async ({ subject, credentials }) => {
      const signal = AbortSignal.timeout(30_000)
      const right = await subject.kind.test(credentials, signal)
      must(right.is_ok, right.is_ok ? '' : `the right settings are refused: ${right.problem}`)
      const none = await subject.kind.test({}, signal)
      must(!none.is_ok && none.problem !== '', 'empty settings are accepted')
      return right.seen
    },
  },
  {
    capability: 'connection',
    title: 'nothing listens, or TLS fails: certainly not taken',
    needs: ['settings_url', 'proxy'],
    run: async (world) => {
      const nothing = await authorizeAt(world, `http://127.0.0.1:${await closedPort()}`)
      mustBe(nothing, 'not_taken', 'a payment that reached nothing')
      const without_tls = await authorizeAt(world, world.proxy.url.replace('http:', 'https:'))
      mustBe(without_tls, 'not_taken', 'a payment without a TLS connection')
      return undefined
    },
  },
  {
    capability: 'connection',
    title: 'no answer in time: unknown',
    needs: ['proxy'],
    run: async (world) => {
      await takePayment(world)
      world.proxy.cut({ hold: true })
      const ending = new AbortController()
      const { provider, proxy } = world
      const call = provider.authorize(authorizationOf(world), { signal: ending.signal })
      await proxy.arrived()
      ending.abort()
      mustBe(await call, 'unknown', 'a payment without an answer')
      return undefined
    },
  },
]

const ok = 'HTTP/1.1 200 OK\r\nconnection: close\r\n'
const withLength = (head: string, body: string) =>
  `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/** Answers that are none. Each of them says something like an approval. */
const no_responses: Record<string, string> = {
  'a page': withLength(ok, '<html>approved</html>'),
  'an empty answer': withLength(ok, ''),
  'half of an answer': `${ok}content-length: 100\r\n\r\n{"outcome":"approved"`,
  'another word': withLength(ok, '{"outcome":"Approved","status":"succeeded!"}'),
  'an unknown field': withLength(ok, '{"outcome":"approved","approved_amount":1}'),
  'status 500': withLength(ok.replace('200 OK', '500 Oops'), '{"outcome":"approved"}'),
  'not HTTP': 'approved\r\n\r\n',
  'two mebibytes': withLength(ok, `{"outcome":"approved","raw_message":"${'x'.repeat(2 ** 21)}"}`),
}

const kinds: readonly FollowUpKind[] = ['capture', 'void', 'refund']

const lost: Check[] = [
  {
    capability: 'lost answers',
    title: 'an answer that is none is never an approval',
    needs: ['proxy'],
    run: async (world) => {
      await takePayment(world)
      for (const [name, response] of Object.entries(no_responses)) {
        world.proxy.cut({ response })
        mustBe(await authorize(world, authorizationOf(world)), 'unknown', name)
      }
      return `${Object.keys(no_responses).length} answers`
    },
  },
  {
    capability: 'lost answers',
    title: 'authorize, capture, void, refund: a lost answer is found by inquiring',
    needs: ['proxy'],
    run: async (world) => {
      const operation = authorizationOf(world)
      await takePayment(world)
      world.proxy.cut({ response_bytes: 0 })
      mustBe(await authorize(world, operation), 'unknown', 'the authorization')
      world.proxy.cut({})
      const found = await findLost(world, inquiryOf('authorize', operation), () =>
        authorize(world, operation),
      )
      mustBe(found, 'approved', 'the inquiry of the authorization')
      for (const kind of kinds) {
        const payment = await takePayment(world, { capture: kind === 'refund' })
        const following = followUpOf(payment.operation, payment.outcome)
        world.proxy.cut({ response_bytes: 0 })
        mustBe(await follow(world, kind, following), 'unknown', `the ${kind}`)
        world.proxy.cut({})
        const inquiry = inquiryOf(kind, following, payment.outcome)
        const asked = await findLost(world, inquiry, () => follow(world, kind, following))
        mustBe(asked, 'approved', `the inquiry of the ${kind}`)
      }
      return undefined
    },
  },
  {
    capability: 'lost answers',
    title: 'an operation that never arrived is not known',
    needs: ['our_reference'],
    run: async (world) => {
      const found = await inquire(world, inquiryOf('authorize', authorizationOf(world)))
      mustBe(found, 'never_received', 'the inquiry')
      return undefined
    },
  },
]

/** Some positions of a message, or all of them: the first bytes, the last ones, and some between. */
function positionsOf(length: number, every_byte: boolean): number[] {
  if (every_byte) return Array.from({ length }, (_, at) => at)
  const between = [0.1, 0.3, 0.5, 0.7, 0.9].map((part) => Math.floor(length * part))
  return [0, 1, 15, ...between, length - 2, length - 1]
}

/** Cuts a payment at a byte, then does what the service does: inquire, and send again what never arrived. */
async function cutAt(world: CheckWorld, side: 'request' | 'response', at: number): Promise<void> {
  const operation = authorizationOf(world)
  world.proxy.cut(side === 'request' ? { request_bytes: at } : { response_bytes: at })
  const cut = await authorize(world, operation)
  world.proxy.cut({})
  mustBe(cut, 'unknown', `the payment cut at byte ${at}`)
  const inquiry = inquiryOf('authorize', operation)
  const asked = await findLost(world, inquiry, () => authorize(world, operation))
  const end = asked.outcome === 'never_received' ? await authorize(world, operation) : asked
  mustBe(end, 'approved', `the payment cut at byte ${at}, in the end,`)
  if (!world.has_stand_in) return
  const { length } = await world.stand_in.paymentsOf(operation.charge_id)
  must(length === 1, `cut at byte ${at}, the provider has ${length} payments`)
}

const cuts = (['request', 'response'] as const).map(
  (side): Check => ({
    capability: 'cut connections',
    title: `the ${side} is cut at a byte: unknown, and one effect in the end`,
    needs: ['proxy'],
    run: async (world) => {
      await takePayment(world)
      world.proxy.cut({})
      await takePayment(world)
      const length = world.proxy.passed()[side]
      const positions = positionsOf(length, world.every_byte)
      for (const at of positions) await cutAt(world, side, at)
      return `${positions.length} of ${length} positions`
    },
  }),
)

const ten_minutes_ms = 600_000

const signatures: Check[] = [
  {
    capability: 'signed requests',
    title: 'a request with a wrong secret has no effect',
    needs: ['signed_requests'],
    run: async (world) => {
      const { subject } = world
      const tested = await subject.kind.test(subject.wrong_secret, AbortSignal.timeout(30_000))
      must(!tested.is_ok, 'the test call with a wrong secret succeeds')
      // The capabilities are known, so that the payment itself is sent.
      await takePayment(world)
      const credentials = sensitive(subject.wrong_secret)
      await mustHaveNoEffect(world, world.provider, credentials)
      return undefined
    },
  },
  {
    capability: 'signed requests',
    title: 'a request of ten minutes ago has no effect',
    needs: ['signed_requests'],
    run: async (world) => {
      let age_ms = 0
      const provider = world.openAt(() => Date.now() - age_ms)
      // The capabilities are known, so that the payment itself is sent.
      await takePayment({ ...world, provider })
      age_ms = ten_minutes_ms
      await mustHaveNoEffect(world, provider, sensitive(world.credentials))
      return undefined
    },
  },
]

async function mustHaveNoEffect(
  world: CheckWorld,
  provider: CheckWorld['provider'],
  credentials: ReturnType<typeof authorizationOf>['credentials'],
): Promise<void> {
  const operation = authorizationOf(world, { credentials })
  const outcome = await provider.authorize(operation, { signal: AbortSignal.timeout(30_000) })
  must(outcome.outcome !== 'approved', 'the payment is approved')
  if (!world.has_stand_in) return
  const { length } = await world.stand_in.paymentsOf(operation.charge_id)
  must(length === 0, 'the provider has the payment')
}

/** Everything before this has used cards: it comes last. */
const secrecy: Check[] = [
  {
    capability: 'secrets',
    title: 'the provider repeats no card number and no secret',
    needs: ['proxy'],
    run: async (world) => {
      mustHideSecrets(world, world.proxy.responses.join(''), 'an answer of the provider')
      return undefined
    },
  },
  {
    capability: 'secrets',
    title: 'outcomes and logs have no card number and no secret',
    needs: [],
    run: async (world) => {
      mustHideSecrets(world, world.seen.join('\n'), 'an outcome or a log')
      return `${world.seen.length} texts`
    },
  },
]

function mustHideSecrets({ subject, credentials }: CheckWorld, text: string, of: string): void {
  const { approved, challenged, unauthenticated, declined } = subject.cards
  const numbers = [approved, challenged, unauthenticated, ...Object.keys(declined)]
  for (const number of numbers.filter((one) => one !== '')) {
    must(
      !text.includes(number),
      `${of} contains the card number that ends with ${number.slice(-4)}`,
    )
  }
  const secrets = Object.entries(credentials).filter(([name]) => /secret|api_key/.test(name))
  for (const [name, secret] of secrets) must(!text.includes(secret), `${of} contains ${name}`)
}

export const connection_checks: readonly Check[] = [
  ...reachability,
  ...lost,
  ...cuts,
  ...signatures,
]
export const secrecy_checks: readonly Check[] = secrecy
