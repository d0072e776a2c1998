import type { Config } from '../../config.ts'
import type { Authorization } from '../../providers/provider-operations.ts'
import { readScenario } from './card-scenarios.ts'
import { approved, type Decision, refused } from './decision.ts'

export const card_currencies: readonly string[] = [
  'JPY',
  'USD',
  'EUR',
  'GBP',
  'KRW',
  'TWD',
  'HKD',
  'SGD',
  'THB',
  'CNY',
  'AUD',
  'CAD',
  'NZD',
  'CHF',
]

/** A card network that exists only here, and the issuers behind it. */
export function decideCard(
  { email, currency }: Pick<Authorization, 'email' | 'currency'>,
  number: string,
  compatibility: Config['compatibility'],
): Decision {
  const scenario = readScenario({ number, email, compatibility })
  const { refuse_code, refund_fails, void_fails, disputed, delay_ms, lose_first_response } =
    scenario
  const outcome = !card_currencies.includes(currency)
    ? refused(308, 'Currency not taken.')
    : refuse_code === null
      ? approved
      : refused(refuse_code, 'The test data asked for it.')
  const traits = { refund_fails, void_fails, ...(disputed ? { disputed } : {}) }
  return { outcome, traits, delay_ms, lose_first_response }
}
