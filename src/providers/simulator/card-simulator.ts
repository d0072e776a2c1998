import type { Authorization, Provider } from '../provider.ts'
import { needsChallenge, readScenario } from './card-scenarios.ts'
import { type Decision, newSimulator, refused, type SimulatorParts } from './simulator-book.ts'

const currencies = [
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
] as const

/** A card network that exists only here, and the issuers behind it. */
export function newCardSimulator(parts: SimulatorParts): Provider {
  function authorize({ instrument, email, currency }: Authorization): Decision {
    if (instrument.kind !== 'card') throw new Error('The card simulator takes cards.')
    const { compatibility } = parts.config
    const number = instrument.number.reveal()
    const scenario = readScenario({ number, email, compatibility })
    const { refuse_code, refund_fails, void_fails, delay_ms, lose_first_answer } = scenario
    const taken = currencies.some((one) => one === currency)
    const outcome = !taken
      ? refused(308, 'Currency not taken.')
      : refuse_code === null
        ? ({ outcome: 'approved' } as const)
        : refused(refuse_code, 'The test data asked for it.')
    return { outcome, traits: { refund_fails, void_fails }, delay_ms, lose_first_answer }
  }

  return newSimulator(parts, {
    name: 'card_simulator',
    currencies: () => currencies,
    authorize,
    authenticate: ({ card, force }) =>
      force || needsChallenge(card.number.reveal())
        ? { outcome: 'waiting', instructions: { kind: 'three_ds' } }
        : { outcome: 'approved' },
  })
}
