import { expect } from 'vitest'
import type { Provider } from '../../../src/providers/provider.ts'
import type { Service } from '../../../src/service.ts'
import { runAllDue } from '../../../src/worker/worker.ts'
import { bank, till } from '../deposits-seen.ts'
import { simulatorOf, withProviders } from '../simulators.ts'
import { type Fleet, newFleet, type Request, tally } from './payment-fleet.ts'

export type WaitingKind = 'konbini' | 'bank_transfer' | 'online' | 'card'

const data_of: Record<WaitingKind, object> = {
  konbini: till,
  bank_transfer: { ...bank, match_amount: 'disabled' },
  online: { brand: 'alipay_online', call_method: 'http_get' },
  card: {
    cardholder: 'Taro Yamada',
    card_number: '4000000000003220',
    exp_month: '12',
    exp_year: '2030',
    cvv: '123',
  },
}

/** Three processes, and charges on them that wait for their customers. */
export interface WaitingFleet extends Fleet {
  rows(query: string, ...values: unknown[]): Promise<Record<string, never>[]>
  /** Charges of 1000 JPY that wait, created at the same instant. */
  waiting(kind: WaitingKind, count: number, data?: object, body?: object): Promise<string[]>
  /** How many of the charges had each outcome. */
  endsOf(ids: string[]): Promise<Record<string, number>>
  /** Moves the clock to the last instant of the charges, which is the first of their expiry. */
  toTheEndOf(ids: string[]): Promise<void>
  /** Requests and workers start together; then everything that was started is finished. */
  storm(requests: Request[], response: RegExp): Promise<void>
  settle(): Promise<void>
  /** One process handles what is due, with a provider that is changed in one way. */
  runOver(
    name: 'card' | 'customer',
    change: (inner: Provider) => Partial<Provider>,
    run?: (service: Service) => Promise<unknown>,
  ): Promise<void>
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

export const post = (path: string, body: object = {}): Request => ({ method: 'POST', path, body })

export async function newWaitingFleet(): Promise<WaitingFleet> {
  const fleet = await newFleet()
  const rows = async (query: string, ...values: unknown[]) =>
    (await fleet.world.store.pool.query(query, values)).rows

  async function endsOf(ids: string[]): Promise<Record<string, number>> {
    const found = await rows(
      `select concat_ws(' ', status, error ->> 'code') as status, count(*)::integer as count
       from charges where id = any($1::uuid[]) group by 1 order by 1`,
      ids,
    )
    return Object.fromEntries(found.map(({ status, count }) => [status, count]))
  }

  async function waiting(
    kind: WaitingKind,
    count: number,
    data: object = {},
    body: object = {},
  ): Promise<string[]> {
    const email = 'customer@example.com'
    const token = { payment_type: kind, email, data: { ...data_of[kind], ...data } }
    const tokens = await fleet.together(times(count, () => post('/tokens', token)))
    expect(tally(tokens)).toEqual({ 201: count })
    const asked = tokens.map((created) => ({
      transaction_token_id: created.body.id,
      amount: 1000,
      currency: 'JPY',
      ...body,
    }))
    const charges = await fleet.together(asked.map((one) => post('/charges', one)))
    expect(tally(charges)).toEqual({ 201: count })
    await fleet.workTogether()
    await fleet.workTogether()
    const ids: string[] = charges.map((created) => created.body.id)
    expect(await endsOf(ids)).toEqual({ awaiting: count })
    return ids
  }

  async function toTheEndOf(ids: string[]): Promise<void> {
    const last = 'select max(expires_on) as on from charges where id = any($1::uuid[])'
    const [found] = await rows(last, ids)
    fleet.world.clock.advance(found.on.getTime() - fleet.world.clock.now())
  }

  /** Includes what was postponed for a moment, or lost its process. */
  async function settle(): Promise<void> {
    for (const ms of [0, 2000, 31_000]) {
      fleet.world.clock.advance(ms)
      await fleet.workTogether()
    }
  }

  async function storm(requests: Request[], response: RegExp): Promise<void> {
    const responses = fleet.together(requests)
    const [answered] = await Promise.all([responses, fleet.workTogether(), fleet.workTogether()])
    await settle()
    for (const { status, text } of answered) expect(`${status} ${text}`).toMatch(response)
  }

  async function runOver(
    name: 'card' | 'customer',
    change: (inner: Provider) => Partial<Provider>,
    run: (service: Service) => Promise<unknown> = runAllDue,
  ): Promise<void> {
    const { service } = fleet.world
    const inner = simulatorOf(service, name)
    await run(withProviders(service, { ...inner, ...change(inner) }))
  }

  // The fleet changes its shop from test to test, so it is extended and not copied.
  return Object.assign(fleet, { rows, endsOf, waiting, toTheEndOf, settle, storm, runOver })
}

/** Blocks a call in the middle until a test has done something else. */
export interface Gate {
  /** Called at the blocking point; resolves when it is released. */
  pass(): Promise<void>
  readonly reached: Promise<void>
  open(): void
}

export function newGate(): Gate {
  let open = () => {}
  let reach = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  return {
    reached,
    open: () => open(),
    pass: () => {
      reach()
      return opened
    },
  }
}
