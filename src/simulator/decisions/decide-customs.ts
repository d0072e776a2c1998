import { derivedId } from '../../core/ids.ts'
import { second_ms } from '../../core/time/clock.ts'
import type { CustomsOperation } from '../../providers/provider-operations.ts'
import type { SimulatorOutcome } from '../../store/tables/payments/simulator-tables.ts'

const slow_ms = 10 * second_ms
const failing = 'FAIL'
const slow = 'SLOW'

/** How the number of the customer's certificate begins decides what becomes of a declaration. */
export const customs_scenarios = [
  {
    scenario: `\`certificate_id\` that begins with \`${failing}\``,
    effect: 'Declaration fails with 601',
  },
  {
    scenario: `\`certificate_id\` that begins with \`${slow}\``,
    effect: `Customs take ${slow_ms / second_ms} seconds to answer`,
  },
] as const

export function decideCustoms({ certificate_id, reference }: CustomsOperation): {
  outcome: SimulatorOutcome
  delay_ms: number
} {
  const number = certificate_id.reveal()
  return {
    outcome: number.startsWith(failing)
      ? {
          outcome: 'refused',
          code: 601,
          detail: 'The test data asked for it.',
          customs: { state: 'FAIL' },
        }
      : {
          outcome: 'approved',
          customs: {
            state: 'SUCCESS',
            certificate_check_result: 'SAME',
            verify_department: 'OTHERS',
            verify_department_trade_id: derivedId(reference, 'customs'),
          },
        },
    delay_ms: number.startsWith(slow) ? slow_ms : 0,
  }
}
