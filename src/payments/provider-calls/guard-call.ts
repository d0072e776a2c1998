import type { CallEnd } from '../../core/limits/circuits.ts'
import type { CallLimit, Outcome } from '../../providers/provider.ts'
import type { Service } from '../../service.ts'
import type { Charge } from '../../store/tables/rows.ts'

type Send = (limit: CallLimit) => Promise<Outcome>

/**
 * A call of a new live payment, which is not made while the circuit of its account is open. Its outcome
 * opens or closes the circuit. Follow-ups are not guarded: they cannot go anywhere else.
 */
export function guarded(
  { providers }: Service,
  provider: string,
  kind: 'authenticate' | 'authorize',
  { mode, provider_credentials_id: account }: Charge,
  send: Send,
): Send {
  if (mode !== 'live') return send
  return async (limit) => {
    const end = providers.circuits.begin(provider, account)
    if (!end) return circuit_open
    let ended: CallEnd = 'failed'
    try {
      const outcome = await Promise.race([send(limit), untilAborted(limit.signal)])
      ended = endOf(kind, outcome)
      return outcome
    } finally {
      end(ended)
    }
  }
}

function endOf(kind: 'authenticate' | 'authorize', outcome: Outcome): CallEnd {
  if (outcome.outcome === 'unknown') return 'failed'
  if (outcome.outcome === 'not_taken') return outcome.is_in_order ? 'no_proof' : 'failed'
  // A connector may be satisfied with a card without asking its issuer.
  return kind === 'authorize' ? 'answered' : 'no_proof'
}

const circuit_open = {
  outcome: 'not_taken',
  reason: 'Nothing was sent: the connector did not answer before, and its circuit is open.',
} as const

/** A connector may not notice that its answer is not waited for any more. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The call was aborted.')), {
      once: true,
    })
  })
}
