import { circuit_policy } from './retry-policies.ts'

/**
 * Circuit breakers of one process: after repeated failures nothing is sent for a while, then one call is
 * tried. Each account at a provider has its own, so that the wrong settings of one merchant stop no other.
 */
export interface Circuits {
  /** Null: the circuit is open, and nothing may be sent. Otherwise the call is made, and its end is noted. */
  begin(provider: string, account: string | null): ((end: CallEnd) => void) | null
  /** Whether a call would be refused now. */
  isOpen(provider: string, account: string | null): boolean
  /** How many accounts of each provider are cut off. */
  open(): ReadonlyMap<string, number>
}

/** `no_proof`: it may have been answered without asking anybody, so it says nothing about the provider. */
export type CallEnd = 'answered' | 'failed' | 'no_proof'

interface Circuit {
  readonly provider: string
  failures: number
  /** When the first of these failures happened. */
  since_ms: number
  opened_ms: number | null
  probed_ms: number | null
}

/** Only accounts that fail are kept, and only the newest of them. */
const max_circuits = 10_000

export function newCircuits(monotonic: () => number): Circuits {
  const circuits = new Map<string, Circuit>()
  const { max_failures, window_ms, open_ms, max_probe_ms } = circuit_policy

  function isShut(circuit: Circuit | undefined): boolean {
    if (!circuit || circuit.opened_ms === null) return false
    const now_ms = monotonic()
    if (now_ms - circuit.opened_ms < open_ms) return true
    return circuit.probed_ms !== null && now_ms - circuit.probed_ms < max_probe_ms
  }

  function noteFailure(key: string, provider: string, is_probe: boolean): void {
    const now_ms = monotonic()
    const found = circuits.get(key)
    const circuit: Circuit = found ?? {
      provider,
      failures: 0,
      since_ms: now_ms,
      opened_ms: null,
      probed_ms: null,
    }
    if (circuit.opened_ms !== null) {
      // Calls that began before it was opened do not keep it open for longer.
      if (!is_probe) return
      circuit.opened_ms = now_ms
      circuit.probed_ms = null
      return
    }
    if (now_ms - circuit.since_ms > window_ms) {
      circuit.failures = 0
      circuit.since_ms = now_ms
    }
    circuit.failures += 1
    if (circuit.failures >= max_failures) circuit.opened_ms = now_ms
    const [oldest] = circuits.keys()
    if (!found && circuits.size >= max_circuits && oldest !== undefined) circuits.delete(oldest)
    circuits.set(key, circuit)
  }

  const keyOf = (provider: string, account: string | null) => `${provider} ${account}`
  return {
    begin: (provider, account) => {
      const key = keyOf(provider, account)
      const found = circuits.get(key)
      if (isShut(found)) return null
      const is_probe = found !== undefined && found.opened_ms !== null
      if (is_probe) found.probed_ms = monotonic()
      return (end) => {
        if (end === 'answered') circuits.delete(key)
        else if (end === 'failed') noteFailure(key, provider, is_probe)
        else if (is_probe) found.probed_ms = null
      }
    },
    isOpen: (provider, account) => isShut(circuits.get(keyOf(provider, account))),
    open: () => {
      const counts = new Map<string, number>()
      for (const { provider, opened_ms } of circuits.values()) {
        if (opened_ms !== null) counts.set(provider, (counts.get(provider) ?? 0) + 1)
      }
      return counts
    },
  }
}
