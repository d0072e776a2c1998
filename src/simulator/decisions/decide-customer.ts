import type { Config } from '../../config.ts'
import { payment_types } from '../../core/payments/payment-types.ts'
import { factsOfBrand, method_facts } from '../../methods/method-facts.ts'
import { methodOf, methods } from '../../methods/method-table.ts'
import type {
  Authorization,
  Instrument,
  ProviderCard,
} from '../../providers/provider-operations.ts'
import type { SimulatorOutcome } from '../../store/tables/payments/simulator-tables.ts'
import { readScenario } from './card-scenarios.ts'
import { type Decision, refused } from './decision.ts'

type CustomerInstrument = Exclude<Instrument, ProviderCard>

const home_currencies = ['JPY'] as const

/** A payment type has a brand only once; brands of the same name take the same. */
export function brandCurrencies(brand: string | null): readonly string[] {
  const found = Object.values(method_facts).flatMap(({ brands }) =>
    brand !== null && Object.hasOwn(brands, brand) ? (brands[brand]?.currencies ?? []) : [],
  )
  return found.length > 0 ? found : home_currencies
}

/** The rule of the method whose instrument it is: an acquirer does not learn more of a payment either. */
function ruleOf(instrument: CustomerInstrument) {
  const brand = 'brand' in instrument ? instrument.brand : null
  const of_kind = payment_types.filter(
    (type) => methods[type].sent_as?.instrument === instrument.kind,
  )
  const of_brand = of_kind.filter((type) => factsOfBrand(type, brand) !== null)
  return [...of_brand, ...of_kind].flatMap((type) => methodOf(type).simulate ?? [])[0]
}

/** Everything in which the customer acts: wallets, pages of brands, codes, convenience stores, transfers. */
export function decideCustomer(
  operation: Authorization,
  instrument: CustomerInstrument,
  compatibility: Config['compatibility'],
): Decision {
  const scenario = readScenario({ number: '', email: operation.email, compatibility })
  const { refuse_code, delay_ms, lose_first_response, disputed } = scenario
  const outcome =
    refuse_code === null
      ? decide(operation, instrument)
      : refused(refuse_code, 'The test data asked for it.')
  return { outcome, traits: disputed ? { disputed } : {}, delay_ms, lose_first_response }
}

function decide(operation: Authorization, instrument: CustomerInstrument): SimulatorOutcome {
  const brand = 'brand' in instrument ? instrument.brand : null
  if (!brandCurrencies(brand).includes(operation.currency)) {
    return refused(308, 'Currency not taken.')
  }
  const simulate = ruleOf(instrument)
  return simulate ? simulate(operation) : refused(308, 'Instrument not taken.')
}
