import type { Logger } from 'pino'
import type { TObject } from 'typebox'
import type { AccountCapabilities } from '../core/payments/account-capabilities.ts'
import type { Provider } from './provider.ts'
import type { Credentials } from './provider-operations.ts'

/** What connectors are given by the process that runs them. */
export interface ConnectorParts {
  readonly log: Logger
  /** The time of the database, in milliseconds. */
  now(): number
}

/** A kind of connector: the code that speaks to one provider. `connectors.ts` lists them all. */
export interface ConnectorKind {
  /** As it is named in commands and in the configuration, such as `http`. */
  readonly kind: string
  /** One sentence for lists and screens. */
  readonly title: string
  /**
   * What an installation, merchant or store is configured with: strings only, each with a description;
   * those that are `writeOnly` are hidden while they are typed. All are sealed together, never shown again,
   * and come with every operation as its credentials.
   */
  readonly settings: TObject
  /** The provider behind a connector of this name. It keeps nothing of one merchant. */
  open(name: string, parts: ConnectorParts): Provider
  /** A call without any effect that shows whether the settings are right: what was seen, in one sentence. */
  test(credentials: Credentials, signal: AbortSignal): Promise<ConnectorTest>
}

export type ConnectorTest =
  | {
      readonly is_ok: true
      readonly seen: string
      /** What the account takes, where the provider says so. */
      readonly takes?: AccountCapabilities
    }
  | { readonly is_ok: false; readonly problem: string }
