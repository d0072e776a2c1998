import { Value } from 'typebox/value'
import { sensitive } from '../../src/core/cards/sensitive.ts'
import { Instructions } from '../../src/core/payments/instructions.ts'
import type { SettlementLine } from '../../src/core/payments/settlements.ts'
import type { Notified, ReadNotification } from '../../src/providers/provider.ts'
import {
  follow,
  followUpOf,
  inquire,
  inquiryOf,
  instruments,
  limit,
  onlineOf,
  takePayment,
  takeWaiting,
} from './check-calls.ts'
import { type Check, type CheckWorld, must, mustBe } from './check-subject.ts'

const minute_ms = 60_000
const soon = () => new Date(Date.now() + 60 * minute_ms)

const disputes: Check[] = [
  {
    capability: 'disputes',
    title: 'reported with its amount; the response counts once',
    needs: ['disputes', 'stand_in'],
    run: async (world) => {
      const { provider } = world
      const { operation, outcome } = await takePayment(world, { capture: true })
      const question = inquiryOf('authorize', operation, outcome)
      const find = async () => (await provider.disputes?.(question, limit())) ?? []
      must((await find()).length === 0, 'there is a dispute before one was opened')
      await world.stand_in.dispute(outcome.provider_reference ?? '', 700)
      const [opened] = await find()
      must(opened?.status === 'needs_response', `the dispute is ${opened?.status}`)
      must(opened.amount === 700, `the dispute is of ${opened.amount}, not 700`)
      const evidence = { explanation: 'It was delivered.' }
      const response = {
        ...followUpOf(operation, outcome, 700),
        dispute_reference: opened.reference,
        response: 'evidence' as const,
        evidence: sensitive(evidence),
        files: [],
      }
      for (const which of ['first', 'repeated']) {
        const found = await provider.respondToDispute?.(response, limit())
        must(found?.outcome === 'approved', `the ${which} response is ${found?.outcome}`)
      }
      const [sent] = await find()
      must(sent?.status === 'under_review', `the dispute is ${sent?.status} after its response`)
      must(sent.reference === opened.reference, 'the dispute changes its name')
      const other = { ...response, reference: crypto.randomUUID() }
      const late = await provider.respondToDispute?.(other, limit())
      must(late?.outcome === 'refused', `a second response is ${late?.outcome}`)
      return undefined
    },
  },
  {
    capability: 'disputes',
    title: 'its notification names the payment; who accepts it has ended it',
    needs: ['disputes', 'notifications', 'stand_in'],
    run: async (world) => {
      const { provider, stand_in } = world
      const { operation, outcome } = await takePayment(world, { capture: true })
      const id = outcome.provider_reference ?? ''
      await stand_in.dispute(id, 1000)
      const message = await stand_in.notification(id, provider.callback_name)
      const named = await read(world, message)
      const is_named = named?.some((one) =>
        'resource_id' in one
          ? one.resource_id === operation.charge_id
          : one.provider_reference === id,
      )
      // Another check is about signatures.
      must(named === null || is_named === true, 'the notification does not name the payment')
      const question = inquiryOf('authorize', operation, outcome)
      const find = async () => (await provider.disputes?.(question, limit()))?.[0]
      const response = {
        ...followUpOf(operation, outcome, 1000),
        dispute_reference: (await find())?.reference ?? '',
        response: 'acceptance' as const,
        evidence: sensitive({}),
        files: [],
      }
      for (const which of ['first', 'repeated']) {
        const found = await provider.respondToDispute?.(response, limit())
        must(found?.outcome === 'approved', `the ${which} acceptance is ${found?.outcome}`)
      }
      const { status } = (await find()) ?? {}
      must(status === 'accepted' || status === 'lost', `the dispute is ${status} after that`)
      return undefined
    },
  },
]

const waiting: Check[] = [
  {
    capability: 'waiting payments',
    title: 'a page of a brand: the customer pays, declines, or is ended',
    needs: ['online', 'stand_in'],
    run: async (world) => {
      for (const approved of [true, false]) {
        const { operation, outcome, id } = await takeWaiting(world, onlineOf(world), soon())
        must(Value.Check(Instructions, outcome.instructions), 'the instructions are malformed')
        const before = await inquire(world, inquiryOf('authorize', operation, outcome))
        mustBe(before, 'waiting', 'the payment before the customer acts')
        await world.stand_in.act(id, approved)
        const found = await inquire(world, inquiryOf('authorize', operation, outcome))
        mustBe(found, approved ? 'approved' : 'refused', 'the payment after the customer acted')
      }
      const { operation, outcome, id } = await takeWaiting(world, onlineOf(world), soon())
      const ended = await follow(world, 'void', followUpOf(operation, outcome))
      mustBe(ended, 'approved', 'the end of the payment')
      await world.stand_in.act(id, true)
      const late = await inquire(world, inquiryOf('authorize', operation, outcome))
      mustBe(late, 'refused', 'the payment that was ended')
      return undefined
    },
  },
  {
    capability: 'expiry',
    title: 'nothing can be paid after the expiry',
    needs: ['online', 'stand_in'],
    run: async (world) => {
      const { operation, outcome, id } = await takeWaiting(world, onlineOf(world), soon())
      await world.stand_in.expire(id)
      await world.stand_in.act(id, true)
      const found = await inquire(world, inquiryOf('authorize', operation, outcome))
      must(found.outcome !== 'approved', 'the payment was approved after its expiry')
      return undefined
    },
  },
  ...(['konbini', 'bank_transfer'] as const).map(
    (kind): Check => ({
      capability: 'waiting payments',
      title: `${kind}: instructions, deposits`,
      needs: [kind, 'stand_in'],
      run: async (world) => {
        const { operation, outcome, id } = await takeWaiting(world, instruments[kind], soon())
        must(Value.Check(Instructions, outcome.instructions), 'the instructions are malformed')
        const question = inquiryOf('authorize', operation, outcome)
        const none = await world.provider.deposits(question, limit())
        must(none.length === 0, 'there are deposits before anything was paid')
        // Convenience stores collect the exact amount.
        const parts = kind === 'konbini' ? [1000] : [300, 700]
        for (const part of parts) await world.stand_in.deposit(id, part)
        const amounts = (await world.provider.deposits(question, limit())).map((one) => one.amount)
        must(
          amounts.join() === parts.join(),
          `the deposits are ${amounts.join()}, not ${parts.join()}`,
        )
        const paid = await inquire(world, question)
        must(paid.outcome !== 'approved', 'the payment is approved beside its deposits')
        return undefined
      },
    }),
  ),
  {
    capability: 'waiting payments',
    title: 'bank_transfer: also where only the exact amount pays',
    needs: ['bank_transfer', 'match_amounts', 'stand_in'],
    run: async (world) => {
      const { operation, outcome, id } = await takeWaiting(
        world,
        instruments.bank_transfer,
        soon(),
        'exact',
      )
      await world.stand_in.deposit(id, 300)
      // The money is returned while the payment continues.
      const returned = await world.provider.returnDeposit(
        followUpOf(operation, outcome, 300),
        limit(),
      )
      mustBe(returned, 'approved', 'the return of what is too little')
      const found = await inquire(world, inquiryOf('authorize', operation, outcome))
      mustBe(found, 'waiting', 'the payment after that')
      return undefined
    },
  },
  {
    capability: 'waiting payments',
    title: 'deposits keep their names, and are returned once after the end',
    needs: ['bank_transfer', 'stand_in'],
    run: async (world) => {
      const { provider } = world
      const { operation, outcome, id } = await takeWaiting(world, instruments.bank_transfer, soon())
      await world.stand_in.deposit(id, 300)
      await world.stand_in.deposit(id, 200)
      const question = inquiryOf('authorize', operation, outcome)
      const names = async () =>
        (await provider.deposits(question, limit())).map(({ reference }) => reference).join()
      const [before, after] = [await names(), await names()]
      must(before === after, 'a deposit changes its name')
      mustBe(await follow(world, 'void', followUpOf(operation, outcome)), 'approved', 'the end')
      const returned = followUpOf(operation, outcome, 500)
      for (const which of ['first', 'repeated']) {
        const found = await provider.returnDeposit(returned, limit())
        mustBe(found, 'approved', `the ${which} return`)
      }
      const more = await provider.returnDeposit(followUpOf(operation, outcome, 1), limit())
      mustBe(more, 'refused', 'the return of more than has arrived')
      return undefined
    },
  },
  ...disputes,
  {
    capability: 'settlements',
    title: 'every payment and refund has one line, which keeps its name',
    needs: ['settlements'],
    run: async (world) => {
      const { provider } = world
      const since = new Date(Date.now() - minute_ms)
      /** A line names an operation as we do or as the provider does; a payment also by its capture. */
      const expected: { kind: string; amount: number; names: (string | undefined)[] }[] = []
      for (let created = 0; created < 4; created += 1) {
        const is_captured = created % 2 === 0
        const { operation, outcome } = await takePayment(world, { capture: is_captured })
        const names = [operation.reference, outcome.provider_reference]
        if (!is_captured) {
          const capture = followUpOf(operation, outcome)
          const captured = await follow(world, 'capture', capture)
          mustBe(captured, 'approved', 'the capture')
          names.push(capture.reference, captured.provider_reference)
        }
        const refund = followUpOf(operation, outcome, 300)
        const refunded = await follow(world, 'refund', refund)
        mustBe(refunded, 'approved', 'the refund')
        expected.push({ kind: 'payment', amount: 1000, names })
        const of_refund = [refund.reference, refunded.provider_reference]
        expected.push({ kind: 'refund', amount: -300, names: of_refund })
      }
      const credentials = sensitive(world.credentials)
      const read = async () => {
        const lines: SettlementLine[] = []
        for await (const line of provider.settlements?.({ since, credentials }) ?? []) {
          lines.push(line)
        }
        return lines
      }
      const lines = await read()
      for (const { kind, amount, names } of expected) {
        const { length: count } = lines.filter(
          (line) => line.kind === kind && line.amount === amount && names.includes(line.reference),
        )
        must(count === 1, `there are ${count} lines of "${kind} ${amount} ${names[0]}"`)
      }
      const named = new Set((await read()).map(({ line_id }) => line_id))
      must(
        lines.every(({ line_id }) => named.has(line_id)),
        'a line changes its name',
      )
      return `${lines.length} lines`
    },
  },
  {
    capability: 'customs',
    title: 'a declaration, and its repetition',
    needs: ['customs'],
    run: async (world) => {
      const { operation, outcome } = await takePayment(world, { capture: true })
      const declaration = {
        ...followUpOf(operation, outcome),
        customs: 'NINGBO',
        merchant_customs_no: '3100123456',
        certificate_id: sensitive('110101199003070134'),
        certificate_name: sensitive('Taro Yamada'),
      } as const
      const first = await world.provider.declareCustoms(declaration, limit())
      mustBe(first, 'approved', 'the declaration')
      const again = await world.provider.declareCustoms(declaration, limit())
      mustBe(again, 'approved', 'the repeated declaration')
      const is_same = first.provider_reference === again.provider_reference
      must(is_same, 'the repetition has another name at the provider')
      return undefined
    },
  },
]

const late_ms = 10 * minute_ms

/** Reads a notification as the service does when it arrives. */
async function read(
  { provider, credentials }: CheckWorld,
  { body, headers }: { body: string; headers: Record<string, string> },
  changes: { now_ms?: number; credentials?: CheckWorld['credentials'] } = {},
): Promise<ReadNotification> {
  return provider.readNotification({
    body: Buffer.from(body),
    headers,
    now_ms: changes.now_ms ?? Date.now(),
    credentials: sensitive(changes.credentials ?? credentials),
  })
}

function mustName(found: readonly Notified[] | null, id: string, charge_id: string, of: string) {
  must(found !== null, `${of} is refused`)
  const is_named = found.some((one) =>
    'provider_reference' in one ? one.provider_reference === id : one.resource_id === charge_id,
  )
  must(is_named, `${of} does not name its payment`)
}

const notifications: Check[] = [
  {
    capability: 'notifications',
    title: 'verified: also repeated, in another order, and signed with the key before',
    needs: ['notifications', 'stand_in'],
    run: async (world) => {
      const { stand_in, provider, subject } = world
      const first = await takePayment(world)
      const second = await takePayment(world)
      const sent = await Promise.all(
        [first, second].map(async ({ operation, outcome }) => {
          const id = outcome.provider_reference ?? ''
          const message = await stand_in.notification(id, provider.callback_name)
          return { id, charge_id: operation.charge_id, message }
        }),
      )
      for (const { id, charge_id, message } of [...sent.toReversed(), ...sent]) {
        mustName(await read(world, message), id, charge_id, 'a notification')
        const rotated = await read(world, message, { credentials: subject.rotated })
        mustName(rotated, id, charge_id, 'a notification with the key before')
      }
      return undefined
    },
  },
  {
    capability: 'notifications',
    title: 'forged, changed, or ten minutes old: refused',
    needs: ['notifications', 'stand_in'],
    run: async (world) => {
      const { outcome } = await takePayment(world)
      const id = outcome.provider_reference ?? ''
      const message = await world.stand_in.notification(id, world.provider.callback_name)
      const changed = { ...message, body: `${message.body} ` }
      const now_ms = Date.now()
      const cases = {
        'a changed body': await read(world, changed),
        'another secret': await read(world, message, { credentials: world.subject.wrong_secret }),
        'no signature': await read(world, { ...message, headers: {} }),
        'one from before': await read(world, message, { now_ms: now_ms + late_ms }),
        'one from later': await read(world, message, { now_ms: now_ms - late_ms }),
      }
      for (const [name, found] of Object.entries(cases)) must(found === null, `${name} is accepted`)
      return `${Object.keys(cases).length} cases`
    },
  },
]

export const waiting_checks: readonly Check[] = [...waiting, ...notifications]
