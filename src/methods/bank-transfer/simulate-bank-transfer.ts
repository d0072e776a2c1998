import { derivedId } from '../../core/ids.ts'
import type { Authorization } from '../../providers/provider-operations.ts'
import type { SimulatorOutcome } from '../../store/tables/payments/simulator-tables.ts'
import { randomDigits } from '../pieces/random-digits.ts'
import { bank_transfer_facts, test_account } from './bank-transfer-facts.ts'

export function simulateBankTransfer({ instrument, reference }: Authorization): SimulatorOutcome {
  const brand = instrument.kind === 'bank_transfer' ? instrument.brand : ''
  const known = Object.entries(bank_transfer_facts.brands).find(([name]) => name === brand)
  return {
    outcome: 'waiting',
    instructions: {
      kind: 'bank_transfer',
      account_id: derivedId(reference, 'virtual account'),
      bank_code: '0310',
      bank_name: known?.[1].en ?? brand,
      branch_code: randomDigits(3),
      branch_name: test_account.branch.en,
      account_number: randomDigits(7),
      account_holder_name: test_account.holder.en,
    },
  }
}
