import { minute_ms } from '../../core/time/clock.ts'
import { onlyFor, type Service } from '../../service.ts'
import { nextDue, test_queues } from '../test-clock/move-clock.ts'

/** An event at a time of the shop. Acts may plan later ones. */
export type Act = () => Promise<unknown>

/** The time of the demo shop while it is filled: this process alone moves it, from act to act. */
export interface Agenda {
  /** Plans an act; one after the end does not happen. */
  at(time_ms: number, act: Act): void
  now_ms(): number
  run(): Promise<void>
}

/** A deleted security code is nothing that a customer or the shop sees: the clock does not stop for it. */
const stops = test_queues.filter((table) => table !== 'transaction_tokens')

/** The delay of a simulated provider or receiver: due work happens this much later. */
const response_ms = 900

/**
 * Due work of the shop is done in its order between the acts, at its own time: as when a test clock is
 * moved, but without writing each step of the clock to the database.
 */
export function newAgenda(
  service: Service,
  merchant_id: string,
  { from_ms, to_ms }: { from_ms: number; to_ms: number },
): Agenda & { release(): void } {
  const held = service.clocks.hold(merchant_id, from_ms)
  const shop = onlyFor(service, merchant_id)
  let planned: { time_ms: number; act: Act }[] = []

  async function workAt(due_ms: number): Promise<void> {
    held.moveTo(Math.max(due_ms, held.now_ms) + response_ms)
    await service.runDue(shop)
  }
  async function workUntil(time_ms: number): Promise<void> {
    for (;;) {
      const next = await nextDue(service, merchant_id, new Date(time_ms - response_ms), stops)
      if (!next) break
      await workAt(next.getTime())
    }
    held.moveTo(Math.max(time_ms, held.now_ms))
  }

  return {
    at: (time_ms, act) => {
      if (time_ms > to_ms - minute_ms) return
      planned.push({ time_ms, act })
    },
    now_ms: () => held.now_ms,
    run: async () => {
      while (planned.length > 0) {
        planned.sort((a, b) => a.time_ms - b.time_ms)
        const [first, ...others] = planned
        planned = others
        if (!first) break
        await workUntil(Math.max(first.time_ms, held.now_ms))
        await first.act()
        await workAt(held.now_ms)
      }
      await workUntil(to_ms)
    },
    release: held.release,
  }
}
