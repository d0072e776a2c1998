import type { CallLimit } from '../../src/providers/provider.ts'
import type { Authorization } from '../../src/providers/provider-operations.ts'
import { simulatorOf } from '../support/simulators.ts'
import type { World } from '../support/world.ts'

const watched = new WeakMap<object, (cvv: string | null) => void>()

/** The security codes that a machine sends to the provider of cards, from now on; null: without one. */
export function cvvsSent({ service }: World): (string | null)[] {
  const sent: (string | null)[] = []
  const card = simulatorOf(service, 'card')
  const is_watched = watched.has(card)
  watched.set(card, (cvv) => sent.push(cvv))
  if (is_watched) return sent
  const { authorize } = card
  const note = ({ instrument }: Authorization) => {
    if (instrument.kind === 'card') watched.get(card)?.(instrument.cvv?.reveal() ?? null)
  }
  Object.assign(card, {
    // Every charge is sent, and none is decided without a call.
    decide: () => null,
    authorize: (operation: Authorization, limit: CallLimit) => {
      note(operation)
      return authorize(operation, limit)
    },
  })
  return sent
}
