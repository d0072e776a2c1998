import type { Authorization } from '../../providers/provider-operations.ts'
import type { SimulatorOutcome } from '../../store/tables/payments/simulator-tables.ts'

/** The last characters of a scanned code or a wallet's token select the outcome. */
export const wallet_scenarios = [
  { ending: 'declined', code: 340, effect: 'the wallet declines' },
  { ending: 'insufficient', code: 330, effect: 'insufficient funds' },
  { ending: 'expired', code: 323, effect: 'the code has expired' },
  { ending: 'used', code: 324, effect: 'the code was used already' },
] as const

/** A wallet pays immediately, without its owner. */
export function decideWallet({ instrument }: Authorization): SimulatorOutcome {
  const code = instrument.kind === 'wallet' ? instrument.code.reveal().toLowerCase() : ''
  const found = wallet_scenarios.find(({ ending }) => code.endsWith(ending))
  if (!found) return { outcome: 'approved' }
  return { outcome: 'refused', code: found.code, detail: 'The test data asked for it.' }
}
