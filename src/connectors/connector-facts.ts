import type { Texts } from '../methods/contract/payment-facts.ts'

/** What the console says of a kind of connector. Files of facts import only facts: the console loads them. */
export interface ConnectorFacts {
  readonly name: Texts
  /** Why it should be tried out first: it was never run against the provider itself. */
  readonly caution: Texts | null
  /** Its settings in Japanese; in English their own names and descriptions are shown. */
  readonly settings_ja: Readonly<Record<string, { readonly name: string; readonly hint: string }>>
}
