import { method_facts } from '../../../../src/methods/method-facts.ts'
import { useRead } from '../../api/api-hooks.ts'
import type { Charge, Dispute, Refund, TransactionToken } from '../../api/call-api.ts'

export interface ChargePath {
  readonly store_id: string
  readonly charge_id: string
}

const refresh_ms = 3_000

/** The queries that a change of a payment makes stale. */
export const stale_with_payment = ['charges', 'refunds', 'ledgers', 'history', 'disputes'] as const

/** All that the screen of a payment shows. Other people and the provider change it meanwhile. */
export function usePayment(path: ChargePath) {
  const { store_id, charge_id } = path
  const options = { store_id }
  const live = { refresh_ms }
  const charge = useRead((api) => api.charges.get(charge_id, {}, options), live)
  const refunds = useRead((api) => api.refunds.list(charge_id, { limit: 100 }, options), live)
  const disputes = useRead((api) => api.disputes.list({ charge_id, limit: 100 }, options), live)
  const token_id = charge.data?.transaction_token_id
  const token = useRead((api) => api.tokens.get(token_id ?? '', {}, options), {
    enabled: token_id !== undefined,
  })
  const parts = [...(refunds.data?.items ?? []), ...(disputes.data?.items ?? [])]
  const changed_on = [charge.data, ...parts].map((one) => one?.updated_on)
  const ledgers = useRead(
    (api) => api.ledgers.listChargeLedgers(charge_id, { limit: 100 }, options),
    { keep: true, again_when: changed_on },
  )
  const timeline = useRead((api) => api.charges.getTimeline(charge_id, options), {
    keep: true,
    refresh_ms,
    again_when: changed_on,
  })
  const connections = useRead((api) => api.charges.getConnections(charge_id, options), {
    keep: true,
    again_when: changed_on,
  })
  return { charge, refunds, disputes, token, ledgers, timeline, connections }
}

export interface Sums {
  readonly amount: number
  readonly currency: string
  readonly refunded: number
  readonly refund_pending: number
  /** The refundable amount. */
  readonly rest: number
}

/** A pending refund or a disputed amount cannot be refunded again: the server refuses it. */
export function sumsOf(
  charge: Charge,
  refunds: readonly Refund[],
  disputes: readonly Dispute[] = [],
): Sums {
  const amount = charge.charged_amount ?? charge.requested_amount
  const currency = charge.charged_currency ?? charge.requested_currency
  const sum = (wanted: string) =>
    refunds.filter(({ status }) => status === wanted).reduce((all, one) => all + one.amount, 0)
  const refunded = sum('successful')
  const refund_pending = sum('pending')
  const disputed = disputes
    .filter(({ status }) => status !== 'won')
    .reduce((all, one) => all + one.amount, 0)
  const rest = amount - refunded - refund_pending - disputed
  return { amount, currency, refunded, refund_pending, rest }
}

type WhyNot =
  | 'capture_done'
  | 'capture_state'
  | 'refund_state'
  | 'refund_method'
  | 'refund_all'
  | 'cancel_successful'
  | 'cancel_state'

/** For each action null when it is possible, otherwise why it is not. The server has the last word. */
export function possibleActions(
  { status }: Charge,
  { rest }: Sums,
  token: TransactionToken | undefined,
): Record<'capture' | 'refund' | 'cancel', WhyNot | null> {
  const is_successful = status === 'successful'
  const is_refundable = !token || method_facts[token.payment_type].refundable
  const is_cancelable = status === 'authorized' || status === 'awaiting'
  return {
    capture: status === 'authorized' ? null : is_successful ? 'capture_done' : 'capture_state',
    refund: !is_successful
      ? 'refund_state'
      : !is_refundable
        ? 'refund_method'
        : rest <= 0
          ? 'refund_all'
          : null,
    cancel: is_cancelable ? null : is_successful ? 'cancel_successful' : 'cancel_state',
  }
}

export function shownStatus({ status }: Charge, { refunded, amount }: Sums): string {
  if (status !== 'successful' || refunded === 0) return status
  return refunded >= amount ? 'refunded' : 'refunded_in_part'
}
