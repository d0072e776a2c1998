import type { Logger } from 'pino'
import type { TObject } from 'typebox'
import type { AccountCapabilities } from '../core/payments/account-capabilities.ts'
import type { Provider } from './provider.ts'
import type { Credentials } from './provider-operations.ts'

/** The services that connectors get from their process. */
export interface ConnectorParts {
  readonly log: Logger
  /** The time of the database, in milliseconds. */
  now(): number
}

/** A kind of connector: the code that speaks to one provider. `connectors.ts` lists them all. */
export interface ConnectorKind {
  /** The name in commands and in the configuration, such as `http`. */
  readonly kind: string
  /** One sentence for lists and screens. */
  readonly title: string
  /**
   * The settings of an installation, merchant or store: strings only, each with a description; the
   * `writeOnly` ones are hidden while they are typed. All are sealed together, never shown again, and come
   * with every operation as its credentials.
   */
  readonly settings: TObject
  /** The provider behind a connector of this name. It keeps nothing of one merchant. */
  open(name: string, parts: ConnectorParts): Provider
  /** A call without any effect that shows whether the settings are right: the result in one sentence. */
  test(credentials: Credentials, signal: AbortSignal): Promise<ConnectorTest>
}

export type ConnectorTest =
  | {
      readonly is_ok: true
      readonly seen: string
      /** The limits of the account, where the provider reports them. */
      readonly takes?: AccountCapabilities
    }
  | { readonly is_ok: false; readonly problem: string }
