import type { Inquiry, Outcome, Provider } from '../../../src/providers/provider.ts'
import type { Operation } from '../../../src/providers/provider-operations.ts'

/** The calls that have an effect. */
export type Kind = 'authorize' | 'capture' | 'void' | 'refund'
/**
 * The fate of one call: whether the provider gets it, and whether its response is invalid or missing.
 */
export const faults = ['lost before', 'lost after', 'reset before', 'reset after'] as const
type Fault = (typeof faults)[number]

/** A connection to a provider that breaks as a test wants it. */
export interface Line {
  provider: Provider
  /** Every call that was made, including those that did not arrive. */
  sent: { kind: Kind; reference: string }[]
  /** The next call of a kind fails. */
  next: Map<Kind, Fault>
  /** The result of inquiries; null: the truth. */
  inquiries: 'silent' | 'reset' | null
  /** A call of this kind waits here before it continues. */
  held: Map<Kind, Promise<void>>
}

export const unanswered: Outcome = { outcome: 'unknown', ask_again_ms: 1000 }

export function newLine(inner: Provider): Line {
  const of: Line = {
    provider: inner,
    sent: [],
    next: new Map(),
    inquiries: null,
    held: new Map(),
  }
  const through =
    <T extends Operation>(kind: Kind, call: (operation: T) => Promise<Outcome>) =>
    async (operation: T): Promise<Outcome> => {
      of.sent.push({ kind, reference: operation.reference })
      const fault = of.next.get(kind)
      of.next.delete(kind)
      const held = of.held.get(kind)
      of.held.delete(kind)
      await held
      const outcome = fault?.endsWith('before') ? unanswered : await call(operation)
      if (fault?.startsWith('reset')) throw new Error('The connection was reset.')
      return fault ? unanswered : outcome
    }
  of.provider = {
    ...inner,
    authorize: through('authorize', inner.authorize),
    capture: through('capture', inner.capture),
    void: through('void', inner.void),
    refund: through('refund', inner.refund),
    inquire: async (operation): Promise<Inquiry> => {
      if (of.inquiries === 'reset') throw new Error('The connection was reset.')
      return of.inquiries === 'silent' ? unanswered : inner.inquire(operation)
    },
  }
  return of
}
