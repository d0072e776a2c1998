import { capability_policy } from '../../core/limits/retry-policies.ts'
import { currencies } from '../../core/money/currencies.ts'
import { capabilitiesText } from '../../core/payments/account-capabilities.ts'
import type { ReportedDispute } from '../../core/payments/disputes.ts'
import { payment_types } from '../../core/payments/payment-types.ts'
import { systemClock } from '../../core/time/clock.ts'
import type { ConnectorKind, ConnectorParts, ConnectorTest } from '../../providers/connector.ts'
import type { ArrivedDeposit, Capabilities, Inquiry, Provider } from '../../providers/provider.ts'
import type { Credentials } from '../../providers/provider-operations.ts'
import { AcquirerSettings, readSettings } from './acquirer-settings.ts'
import {
  askCapabilities,
  newCapabilityCache,
  takenBy,
  whyNotTaken,
} from './api/acquirer-capabilities.ts'
import { answered, newAcquirerCalls, requireAddress } from './ask-acquirer.ts'
import { readNotification } from './messages/read-notification.ts'
import { readSettlements } from './messages/read-settlements.ts'
import {
  writeApplePayQuestion,
  writeAuthentication,
  writeAuthorization,
  writeContinuation,
  writeCustoms,
  writeDisputeResponse,
  writeFollowUp,
  writeInquiry,
  writePaymentQuestion,
} from './messages/write-requests.ts'

const all_currencies = Object.keys(currencies)

/** The limits of any acquirer. The acquirer itself reports which part of them an account takes. */
const capabilities: Capabilities = {
  modes: ['live'],
  payment_types,
  brands: null,
  currencies: () => all_currencies,
  partial_capture: true,
  multiple_captures: false,
  partial_refund: true,
  refund_window_ms: null,
  void_after_capture: false,
  repeatable: true,
  inquires_by: 'our_reference',
  notifications: true,
  network_transaction_ids: true,
  credentials: true,
}

/** An acquirer behind the HTTP API that `docs/acquirer-api/openapi.json` describes. */
function openHttp(name: string, parts: ConnectorParts): Provider {
  const { ask, perform, inquire } = newAcquirerCalls(name, parts)
  const capabilitiesOf = newCapabilityCache(parts.now)

  const follow =
    (kind: 'capture' | 'void' | 'refund' | 'return_deposit'): Provider['capture'] =>
    (operation, limit) =>
      perform(kind, operation, () => writeFollowUp(operation), limit)

  return {
    name,
    callback_name: name,
    capabilities,
    accountCapabilities: async (credentials, limit) => {
      const address = requireAddress(credentials)
      const signal = limit?.signal ?? AbortSignal.timeout(capability_policy.response_ms)
      const read = await askCapabilities(address, parts.now(), signal)
      if (!read.is_valid) throw new Error(read.problem)
      return takenBy(read.response)
    },
    authenticate: (operation, limit) =>
      perform(
        'authenticate',
        operation,
        () => writeAuthentication(operation),
        limit,
        operation.card,
      ),
    authorize: async (operation, limit) => {
      const { instrument, credentials } = operation
      const address = readSettings(credentials?.reveal())
      if (typeof address === 'string') return { outcome: 'not_taken', reason: address }
      const known = await capabilitiesOf(address)
      const is_refused = known.is_valid && whyNotTaken(known.response, operation) !== null
      // Another process may have heard since that it takes more, and routed the payment here.
      const can = is_refused ? await capabilitiesOf(address, capability_policy.min_pause_ms) : known
      const reason = can.is_valid ? whyNotTaken(can.response, operation) : can.problem
      // The acquirer itself decides which payments it takes: others may still go there.
      if (reason !== null) return { outcome: 'not_taken', reason, is_in_order: can.is_valid }
      const card = instrument.kind === 'card' ? instrument : null
      return perform('authorize', operation, () => writeAuthorization(operation), limit, card)
    },
    applePaySession: async (question, limit) => {
      const write = () => writeApplePayQuestion(question)
      const asked = await ask<{ session: object }>('apple_pay_session', question, write, limit)
      return answered(asked).session
    },
    capture: follow('capture'),
    void: follow('void'),
    refund: follow('refund'),
    returnDeposit: follow('return_deposit'),
    declareCustoms: (operation, limit) =>
      perform('declare_customs', operation, () => writeCustoms(operation), limit),
    inquire: (operation, limit): Promise<Inquiry> =>
      inquire('inquire', operation, () => writeInquiry(operation), limit),
    continue: (operation, limit) =>
      inquire('continue', operation, () => writeContinuation(operation), limit),
    deposits: async (charge, limit) => {
      const question = () => writePaymentQuestion(charge)
      const { deposits } = answered(
        await ask<{ deposits: WireDeposit[] }>('deposits', charge, question, limit),
      )
      return deposits.map((one) => ({ ...one, paid_on: new Date(one.paid_on) }))
    },
    disputes: async (charge, limit) => {
      const address = requireAddress(charge.credentials)
      const can = await capabilitiesOf(address)
      if (!can.is_valid) throw new Error(can.problem)
      if (can.response.disputes !== true) return []
      const question = () => writePaymentQuestion(charge)
      const { disputes } = answered(
        await ask<{ disputes: WireDispute[] }>('disputes', charge, question, limit),
      )
      return disputes.map((one) => ({ ...one, respond_by: new Date(one.respond_by) }))
    },
    respondToDispute: (response, limit) =>
      perform('respond_to_dispute', response, () => writeDisputeResponse(response), limit),
    settlements: (question) => readSettlements(ask, capabilitiesOf, question),
    readNotification: (notification) => readNotification(name, notification),
  }
}

type WireDispute = Omit<ReportedDispute, 'respond_by'> & { readonly respond_by: string }
type WireDeposit = Omit<ArrivedDeposit, 'paid_on'> & { readonly paid_on: string }

async function testHttp(credentials: Credentials, signal: AbortSignal): Promise<ConnectorTest> {
  const address = readSettings(credentials)
  if (typeof address === 'string') return { is_ok: false, problem: address }
  // There is no clock of the database here. An acquirer tolerates minutes.
  const read = await askCapabilities(address, systemClock.now(), signal)
  if (!read.is_valid) return { is_ok: false, problem: read.problem }
  const takes = takenBy(read.response)
  return { is_ok: true, seen: `${read.response.name} takes ${capabilitiesText(takes)}.`, takes }
}

export const http_connector: ConnectorKind = {
  kind: 'http',
  title: 'An acquirer that implements the HTTP API in docs/acquirer-api, in any language.',
  settings: AcquirerSettings,
  open: openHttp,
  test: testHttp,
}
