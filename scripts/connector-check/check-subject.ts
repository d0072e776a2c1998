import type { ConnectorKind } from '../../src/providers/connector.ts'
import type { Outcome, Provider } from '../../src/providers/provider.ts'
import type { Credentials, Instrument } from '../../src/providers/provider-operations.ts'
import type { CuttingProxy } from './cutting-proxy.ts'

/** The parts that every check needs. A subject says why it lacks one of them. */
export type Need =
  | 'proxy'
  | 'stand_in'
  | 'signed_requests'
  | 'declines'
  | 'three_ds'
  | 'online'
  | 'konbini'
  | 'bank_transfer'
  | 'match_amounts'
  | 'customs'
  | 'disputes'
  | 'settlements'
  | 'settings_url'
  | 'partial_capture'
  | 'partial_refund'
  | 'notifications'
  | 'our_reference'

/** A payment as the provider itself has recorded it. */
export interface RecordedPayment {
  readonly kind: string
  readonly amount: number
  readonly currency: string
  readonly state: string
  readonly captured: number
  readonly refunded: number
  readonly returned: number
}

/** The provider's side of a check: its record, its customers, its notifications. */
export interface StandIn {
  paymentsOf(charge_id: string): Promise<readonly RecordedPayment[]>
  /** The customer approves or declines on the provider's page. */
  act(provider_reference: string, approved: boolean): Promise<void>
  /** Money arrives. */
  deposit(provider_reference: string, amount: number): Promise<void>
  /** The customer disputes a captured payment. */
  dispute(provider_reference: string, amount: number): Promise<void>
  /** The payment has expired. */
  expire(provider_reference: string): Promise<void>
  /** A notification about a payment, as the provider sends it. */
  notification(
    provider_reference: string,
    callback_name: string,
  ): Promise<{ body: string; headers: Record<string, string> }>
}

/** The subject of the checks: a kind of connector, and its provider. */
export interface CheckSubject {
  readonly kind: ConnectorKind
  /** A double that we wrote from documents proves only that both agree about shapes. */
  readonly proves: 'behaviour' | 'shape'
  /** The provider's address without TLS, for tests that cut the connection; null: not available. */
  readonly upstream: { readonly host: string; readonly port: number } | null
  /** The settings for a provider at this address; null: its own. */
  settings(base_url: string | null): Credentials
  /** The same, with a secret that the provider does not know. */
  readonly wrong_secret: Credentials
  /** The same after a rotation: the provider still signs with the previous key. */
  readonly rotated: Credentials
  readonly cards: {
    readonly approved: string
    /** Each with the code that it must be refused with. */
    readonly declined: Readonly<Record<string, number>>
    readonly challenged: string
    readonly unauthenticated: string
  }
  readonly currencies: readonly string[]
  /** A brand that the customer pays with on its own page, where it is not the usual one. */
  readonly online?: Instrument
  readonly stand_in: StandIn | null
  readonly lacks: Partial<Record<Need, string>>
  stop(): Promise<void>
}

/** The parameters of every check. */
export interface CheckWorld {
  readonly subject: CheckSubject
  /** The provider through the proxy, where there is one. */
  readonly provider: Provider
  readonly credentials: Credentials
  readonly proxy: CuttingProxy
  readonly stand_in: StandIn
  readonly has_stand_in: boolean
  readonly every_byte: boolean
  /** A provider with another clock, such as one of ten minutes ago. */
  openAt(now: () => number): Provider
  /** The log and every outcome: neither may contain a secret. */
  readonly seen: string[]
}

export interface Check {
  readonly capability: string
  readonly title: string
  readonly needs: readonly Need[]
  /** Throws when it fails; may return what is worth knowing. */
  run(world: CheckWorld): Promise<string | undefined>
}

/** Fails a check, in words. */
export function must(is_so: boolean, text: string): asserts is_so {
  if (!is_so) throw new Error(text)
}

/** An outcome must be this one. */
export function mustBe<Name extends (Outcome | { outcome: 'never_received' })['outcome']>(
  found: Outcome | { outcome: 'never_received' },
  name: Name,
  of: string,
): asserts found is Extract<typeof found, { outcome: Name }> {
  const code = found.outcome === 'refused' ? ` with ${found.code}` : ''
  must(found.outcome === name, `${of} is ${found.outcome}${code}, not ${name}`)
}
