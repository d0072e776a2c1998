import { findProvider } from '../../src/open-providers.ts'
import type { Provider } from '../../src/providers/provider.ts'
import type { Service } from '../../src/service.ts'

const names = { card: 'card_simulator', customer: 'customer_simulator' } as const
export type SimulatorName = keyof typeof names

/** The simulator of cards, or of everything in which the customer acts. */
export function simulatorOf(service: Service, name: SimulatorName): Provider {
  const found = findProvider(service.providers, names[name])
  if (!found) throw new Error(`There is no ${names[name]}.`)
  return found
}

/** The service with other providers instead of those of the same name; new names are added. */
export function withProviders(service: Service, ...others: readonly Provider[]): Service {
  const kept = service.providers.all.filter(({ name }) => !others.some((one) => one.name === name))
  return { ...service, providers: { ...service.providers, all: [...kept, ...others] } }
}
