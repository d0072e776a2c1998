import type {
  SimulatorOutcome,
  SimulatorTraits,
} from '../../store/tables/payments/simulator-tables.ts'

/** What the simulator makes of a new payment, and how it answers. */
export interface Decision {
  readonly outcome: SimulatorOutcome
  readonly traits: SimulatorTraits
  readonly delay_ms: number
  /** The first call has its effect, but its answer does not arrive. */
  readonly lose_first_response: boolean
}

export const approved: SimulatorOutcome = { outcome: 'approved' }

export function refused(code: number, detail: string): SimulatorOutcome {
  return { outcome: 'refused', code, detail }
}
