import type { ConnectorFacts } from './connector-facts.ts'
import { http_connector_facts } from './http/http-connector-facts.ts'
import { stripe_connector_facts } from './stripe/stripe-connector-facts.ts'

const facts_by_kind: Readonly<Record<string, ConnectorFacts>> = {
  http: http_connector_facts,
  stripe: stripe_connector_facts,
}

/** The console's name of a kind; null: its identifier is shown. */
export function factsOfKind(kind: string): ConnectorFacts | null {
  return Object.hasOwn(facts_by_kind, kind) ? (facts_by_kind[kind] ?? null) : null
}

/** A setting has the same meaning in every kind that has it. */
export const connector_settings_ja: ConnectorFacts['settings_ja'] = Object.assign(
  {},
  ...Object.values(facts_by_kind).map(({ settings_ja }) => settings_ja),
)
