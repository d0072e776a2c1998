import { type PageName, pageUrl, qrImageUrl } from '../../../api/hosted-links.ts'
import type { ChargeError } from '../../../core/payments/charge-errors.ts'
import type { Instructions } from '../../../core/payments/instructions.ts'
import type { Charge } from '../../../payments/charges/charge.ts'
import { now, type Service } from '../../../service.ts'
import type { CheckoutSession } from '../checkout-session.ts'

/** Why an attempt failed, as far as a customer can do something about it. */
const customer_errors = {
  wrong_number: [301],
  card_expired: [302, 303, 304],
  wrong_cvv: [305],
  wrong_code: [322, 324, 325],
  insufficient_funds: [330, 336],
  not_authenticated: [356, 358, 359, 363],
  too_late: [327, 323],
  unavailable: [308, 320, 321, 334, 337, 341, 342, 343, 344, 346, 355],
  /** The bank decided. Only then the customer is sent to it. */
  declined: [306, 307, 314, 315],
  technical: [309, 338, 339],
} as const
type CustomerError = keyof typeof customer_errors | 'refused'

function customerError(error: ChargeError): CustomerError {
  const entries = Object.entries(customer_errors) as [CustomerError, readonly number[]][]
  const found = entries.find(([, codes]) => codes.includes(error.code))
  if (found) return found[0]
  return error.code >= 500 ? 'technical' : 'refused'
}

/** The customer's next step. `url` is a page of ours that continues it. */
export type NextStep =
  | { readonly step: 'choose' }
  | { readonly step: 'failed'; readonly error: CustomerError }
  /** With the time after which the result of an attempt is shown, where it is held back. */
  | { readonly step: 'wait'; readonly wait_ms?: number }
  | { readonly step: 'redirect'; readonly url: string; readonly expires_on: string | null }
  | {
      readonly step: 'three_ds'
      readonly url: string
      /** Where the bank's page is, which our page leads to; null: our page asks the cardholder itself. */
      readonly bank_origin: string | null
      readonly expires_on: string | null
    }
  | {
      readonly step: 'instructions'
      readonly url: string
      readonly expires_on: string | null
      readonly instructions: ShownInstructions
    }
  | { readonly step: 'done' | 'expired' | 'canceled' }

type ShownInstructions =
  | { readonly kind: 'qr'; readonly image_url: string }
  | Extract<Instructions, { kind: 'konbini' }>
  | Omit<Extract<Instructions, { kind: 'bank_transfer' }>, 'account_id'>

type SteppedCharge = Pick<
  Charge,
  'merchant_id' | 'status' | 'page_id' | 'instructions' | 'pending_action' | 'expires_on'
>

/**
 * The next step of a session and of its newest charge. The result of a declined attempt is held back for a
 * while, longer each time: until then the customer waits, and no request is held open.
 */
export function nextStep(
  service: Service,
  session: CheckoutSession,
  charge: SteppedCharge | null,
): NextStep {
  const { status, error, retry_on } = session
  if (status === 'completed') return { step: 'done' }
  if (status === 'expired' || status === 'canceled') return { step: status }
  if (status === 'processing') return (charge && stepOf(service, charge)) ?? { step: 'wait' }
  const wait_ms = (retry_on?.getTime() ?? 0) - service.clock.now()
  if (wait_ms > 0) return { step: 'wait', wait_ms }
  if (session.expires_on <= now(service)) return { step: 'expired' }
  return error ? { step: 'failed', error: customerError(error) } : { step: 'choose' }
}

/** Where a customer acts whose charge waits for them; null: it does not. */
function stepOf(service: Service, charge: SteppedCharge): NextStep | null {
  const { merchant_id, status, page_id, instructions, pending_action } = charge
  if (status !== 'awaiting' || !page_id || !instructions || pending_action) return null
  const name: PageName = { merchant_id, page_id }
  const expires_on = charge.expires_on?.toISOString() ?? null
  const on_page = { url: pageUrl(service, name), expires_on }
  switch (instructions.kind) {
    case 'three_ds': {
      const bank_origin = instructions.form ? new URL(instructions.form.url).origin : null
      return { step: 'three_ds', bank_origin, ...on_page }
    }
    case 'online':
      return { step: 'redirect', ...on_page }
    case 'qr': {
      const shown = { kind: 'qr', image_url: qrImageUrl(service, name) } as const
      return { step: 'instructions', ...on_page, instructions: shown }
    }
    case 'konbini':
      return { step: 'instructions', ...on_page, instructions }
    case 'bank_transfer': {
      const { account_id: _, ...account } = instructions
      return { step: 'instructions', ...on_page, instructions: account }
    }
  }
}
