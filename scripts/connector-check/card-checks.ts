import { charge_errors } from '../../src/core/payments/charge-errors.ts'
import type { Outcome } from '../../src/providers/provider.ts'
import {
  authenticationOf,
  authorizationOf,
  authorize,
  cardOf,
  type FollowUpKind,
  follow,
  followUpOf,
  inquire,
  inquiryOf,
  limit,
  takePayment,
} from './check-calls.ts'
import { type Check, type CheckWorld, must, mustBe, type Need } from './check-subject.ts'

/** The provider has one payment of this charge, which is as it should be; without a record, nothing is known. */
async function mustHaveOne(world: CheckWorld, charge_id: string, expected: object): Promise<void> {
  if (!world.has_stand_in) return
  const payments = await world.stand_in.paymentsOf(charge_id)
  must(payments.length === 1, `the provider has ${payments.length} payments, not 1`)
  for (const [name, value] of Object.entries(expected)) {
    const found = payments[0]?.[name as keyof (typeof payments)[number]]
    must(found === value, `the provider has ${name} ${found}, not ${value}`)
  }
}

/** Two at the same time and one later: one effect, and the same outcome as often as it is known. */
async function mustRepeat(send: () => Promise<Outcome>): Promise<Outcome> {
  const together = await Promise.all([send(), send()])
  const last = await send()
  mustBe(last, 'approved', 'the repetition')
  for (const one of together) {
    if (one.outcome === 'unknown') continue
    mustBe(one, 'approved', 'the first call')
    const is_same = one.provider_reference === last.provider_reference
    must(is_same, 'the repetition has another name at the provider')
  }
  return last
}

interface Repeated {
  readonly captured: boolean
  readonly amount: number
  readonly expected: object
  readonly needs: readonly Need[]
}

const repeated: Record<FollowUpKind, Repeated> = {
  capture: { captured: false, amount: 1000, expected: { captured: 1000 }, needs: [] },
  void: { captured: false, amount: 1000, expected: { state: 'voided' }, needs: [] },
  // A part: a second refund of the whole would be refused by its amount.
  refund: { captured: true, amount: 400, expected: { refunded: 400 }, needs: ['partial_refund'] },
}

const repetition: Check[] = [
  {
    capability: 'repetition',
    title: 'authorize, three times with one reference: one effect',
    needs: [],
    run: async (world) => {
      const operation = authorizationOf(world)
      await mustRepeat(() => authorize(world, operation))
      await mustHaveOne(world, operation.charge_id, { amount: 1000 })
      return undefined
    },
  },
  ...(Object.keys(repeated) as FollowUpKind[]).map(
    (kind): Check => ({
      capability: 'repetition',
      title: `${kind}, three times with one reference: one effect`,
      needs: repeated[kind].needs,
      run: async (world) => {
        const { captured, amount, expected } = repeated[kind]
        const { operation, outcome } = await takePayment(world, { capture: captured })
        const following = followUpOf(operation, outcome, amount)
        await mustRepeat(() => follow(world, kind, following))
        await mustHaveOne(world, operation.charge_id, expected)
        return undefined
      },
    }),
  ),
]

const limits: Check[] = [
  {
    capability: 'cards',
    title: 'held, captured in part, refunded in parts',
    needs: ['partial_capture', 'partial_refund'],
    run: async (world) => {
      const { operation, outcome } = await takePayment(world)
      const captured = await follow(world, 'capture', followUpOf(operation, outcome, 600))
      mustBe(captured, 'approved', 'the capture')
      for (const amount of [100, 500]) {
        const refunded = await follow(world, 'refund', followUpOf(operation, outcome, amount))
        mustBe(refunded, 'approved', `the refund of ${amount}`)
      }
      await mustHaveOne(world, operation.charge_id, { captured: 600, refunded: 600 })
      return undefined
    },
  },
  {
    capability: 'cards',
    title: 'a capture of more than is held is refused',
    needs: [],
    run: async (world) => {
      const { operation, outcome } = await takePayment(world)
      const found = await follow(world, 'capture', followUpOf(operation, outcome, 1001))
      mustBe(found, 'refused', 'the capture of 1001 of 1000')
      await mustHaveOne(world, operation.charge_id, { captured: 0 })
      return undefined
    },
  },
  {
    capability: 'cards',
    title: 'refunds of more than was captured are refused',
    needs: ['partial_refund'],
    run: async (world) => {
      const { operation, outcome } = await takePayment(world, { capture: true })
      const first = await follow(world, 'refund', followUpOf(operation, outcome, 700))
      mustBe(first, 'approved', 'the refund of 700 of 1000')
      const second = await follow(world, 'refund', followUpOf(operation, outcome, 301))
      mustBe(second, 'refused', 'the refund of 301 of 300')
      await mustHaveOne(world, operation.charge_id, { refunded: 700 })
      return undefined
    },
  },
  {
    capability: 'cards',
    title: 'a void of what was captured is refused, a capture of what was voided too',
    needs: [],
    run: async (world) => {
      const taken = await takePayment(world, { capture: true })
      const late = await follow(world, 'void', followUpOf(taken.operation, taken.outcome))
      if (!world.provider.capabilities.void_after_capture) {
        mustBe(late, 'refused', 'the void of a captured payment')
      }
      const held = await takePayment(world)
      const ended = await follow(world, 'void', followUpOf(held.operation, held.outcome))
      mustBe(ended, 'approved', 'the void')
      const found = await follow(world, 'capture', followUpOf(held.operation, held.outcome))
      mustBe(found, 'refused', 'the capture of a voided payment')
      return undefined
    },
  },
  {
    capability: 'cards',
    title: 'of a capture and a void at the same time, one wins',
    needs: [],
    run: async (world) => {
      const { operation, outcome } = await takePayment(world)
      const both = await Promise.all([
        follow(world, 'capture', followUpOf(operation, outcome)),
        follow(world, 'void', followUpOf(operation, outcome)),
      ])
      const winners = both.filter((one) => one.outcome === 'approved').length
      must(winners === 1, `${winners} of both were approved`)
      return undefined
    },
  },
  {
    capability: 'declines',
    title: 'each card of the table is refused with its code',
    needs: ['declines'],
    run: async (world) => {
      const { declined } = world.subject.cards
      for (const [number, code] of Object.entries(declined)) {
        must(code in charge_errors, `${code} is no code of a charge`)
        const found = await authorize(world, authorizationOf(world, { instrument: cardOf(number) }))
        mustBe(found, 'refused', `the card that ends with ${number.slice(-4)}`)
        const of = `the card that ends with ${number.slice(-4)} is refused with ${found.code}`
        must(found.code === code, `${of}, not ${code}`)
      }
      return `${Object.keys(declined).length} cards`
    },
  },
  {
    capability: 'currencies',
    title: 'amounts are in the smallest unit: JPY, USD, KWD',
    needs: ['stand_in'],
    run: async (world) => {
      const currencies = ['JPY', 'USD', 'KWD'].filter((one) =>
        world.subject.currencies.includes(one),
      )
      for (const currency of currencies) {
        const { operation, outcome } = await takePayment(world, { currency, amount: 1230 })
        const captured = await follow(world, 'capture', followUpOf(operation, outcome, 1230))
        const expected = { amount: 1230, currency, captured: 1230 }
        await mustHaveOne(world, operation.charge_id, expected)
        mustBe(captured, 'approved', `the capture of 1230 ${currency}`)
      }
      return currencies.join(', ')
    },
  },
]

/** A provider asks the cardholder when we request authentication, or during the payment that follows. */
async function askCardholder(world: CheckWorld, number: string) {
  const { provider, seen } = world
  const first = authenticationOf(world, number)
  const found = await provider.authenticate(first, limit())
  seen.push(JSON.stringify(found))
  if (found.outcome !== 'approved') return { found, first, payment: null }
  must(found.three_ds !== undefined, 'the approval has no result of 3-D Secure')
  const { three_ds } = found
  const payment = authorizationOf(world, { instrument: cardOf(number), three_ds })
  return { found: await authorize(world, payment), first, payment }
}

const three_ds: Check[] = [
  {
    capability: '3-D Secure',
    title: 'without a challenge: the result comes at once and goes with the payment',
    needs: ['three_ds'],
    run: async (world) => {
      const { approved, unauthenticated } = world.subject.cards
      mustBe((await askCardholder(world, approved)).found, 'approved', 'the payment')
      mustBe((await askCardholder(world, unauthenticated)).found, 'refused', 'the card that fails')
      return undefined
    },
  },
  {
    capability: '3-D Secure',
    title: 'with a challenge: passed, declined, abandoned',
    needs: ['three_ds', 'stand_in'],
    run: async (world) => {
      const { provider, subject, stand_in } = world
      const ask = async () => {
        const { found, first, payment } = await askCardholder(world, subject.cards.challenged)
        mustBe(found, 'waiting', 'the authentication')
        must(found.instructions.kind === 'three_ds', 'the instructions are not of 3-D Secure')
        return { operation: first, payment, found, id: found.provider_reference ?? '' }
      }
      for (const approved of [true, false]) {
        const { operation, payment, found, id } = await ask()
        await stand_in.act(id, approved)
        const inquiry = inquiryOf('authenticate', operation, found)
        const goOn = provider.continue
        const end = goOn
          ? await goOn({ ...inquiry, returned: { payment: id } }, limit())
          : await provider.inquire(inquiry, limit())
        mustBe(end, approved ? 'approved' : 'refused', 'the challenge')
        if (end.outcome !== 'approved') continue
        must(end.three_ds !== undefined, 'the approval has no result of 3-D Secure')
        const going_on = { ...(payment ?? authorizationOf(world)), three_ds: end.three_ds }
        mustBe(await authorize(world, going_on), 'approved', 'the payment after the challenge')
        await mustHaveOne(world, going_on.charge_id, { amount: 1000 })
      }
      const { operation, found, id } = await ask()
      const ended = await provider.void(followUpOf(operation, found), limit())
      mustBe(ended, 'approved', 'the end of an abandoned challenge')
      await stand_in.act(id, true)
      const late = await provider.inquire(inquiryOf('authenticate', operation, found), limit())
      must(late.outcome !== 'approved', 'an abandoned challenge was passed afterwards')
      return undefined
    },
  },
]

const expiry: Check[] = [
  {
    capability: 'expiry',
    title: 'a held amount that expired cannot be captured',
    needs: ['stand_in'],
    run: async (world) => {
      const { operation, outcome } = await takePayment(world)
      await world.stand_in.expire(outcome.provider_reference ?? '')
      const following = followUpOf(operation, outcome)
      mustBe(await follow(world, 'capture', following), 'refused', 'the late capture')
      const found = await inquire(world, inquiryOf('capture', following, outcome))
      mustBe(found, 'refused', 'the inquiry of the late capture')
      return undefined
    },
  },
]

export const card_checks: readonly Check[] = [...limits, ...repetition, ...three_ds, ...expiry]
