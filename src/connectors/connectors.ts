import type { ConnectorKind } from '../providers/connector.ts'
import { http_connector } from './http/http-connector.ts'
import { stripe_connector } from './stripe/stripe-connector.ts'

/** Every kind of connector. A live payment goes to a connector of one of these kinds. */
export const connector_kinds: readonly ConnectorKind[] = [http_connector, stripe_connector]

export function findKind(kind: string): ConnectorKind | null {
  return connector_kinds.find((one) => one.kind === kind) ?? null
}
