import type { TSchema } from 'typebox'
import { DisputesRequest, DisputesResponse, RespondToDisputeRequest } from './acquirer-disputes.ts'
import {
  ApplePaySessionRequest,
  AuthenticateRequest,
  AuthorizeRequest,
  ContinueRequest,
  DeclareCustomsRequest,
  DepositsRequest,
  FollowUpRequest,
  InquireRequest,
  operation_kinds,
} from './acquirer-requests.ts'
import {
  ApplePaySessionResponse,
  CapabilitiesResponse,
  DepositsResponse,
  InquiryResponse,
  OutcomeResponse,
} from './acquirer-responses.ts'
import { SettlementsRequest, SettlementsResponse } from './acquirer-settlements.ts'

interface AcquirerOperation {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: string
  readonly request: TSchema | null
  readonly response: TSchema
}

const post = (
  path: string,
  summary: string,
  request: TSchema,
  response: TSchema = OutcomeResponse,
) => ({ method: 'POST', path, summary, request, response }) as const

/** Everything an acquirer is called with. The connector and the published description read this table. */
export const acquirer_operations = {
  capabilities: {
    method: 'GET',
    path: '/v1/capabilities',
    summary: 'Say what you take. It has no effect and is called to test the settings',
    request: null,
    response: CapabilitiesResponse,
  },
  authenticate: post(
    '/v1/authenticate',
    'Authenticate a cardholder by 3-D Secure',
    AuthenticateRequest,
  ),
  authorize: post('/v1/authorize', 'Hold the amount, or take it at once', AuthorizeRequest),
  apple_pay_session: post(
    '/v1/apple-pay-session',
    'Request a merchant session from Apple, where your instruments name `apple_pay`',
    ApplePaySessionRequest,
    ApplePaySessionResponse,
  ),
  capture: post(
    '/v1/capture',
    'Take a held amount, or a part of it; the rest is released',
    FollowUpRequest,
  ),
  void: post(
    '/v1/void',
    'Release a held amount, or end a payment that waits for its customer',
    FollowUpRequest,
  ),
  refund: post('/v1/refund', 'Send a captured amount back, or a part of it', FollowUpRequest),
  return_deposit: post(
    '/v1/return-deposit',
    'Send a deposit, or a part of it, back to its payer',
    FollowUpRequest,
  ),
  declare_customs: post(
    '/v1/declare-customs',
    'Declare a payment to customs; another reference replaces the declaration',
    DeclareCustomsRequest,
  ),
  inquire: post('/v1/inquire', 'Say what became of an operation', InquireRequest, InquiryResponse),
  continue: post(
    '/v1/continue',
    'Go on after the customer came back from your page',
    ContinueRequest,
  ),
  deposits: post(
    '/v1/deposits',
    'List the money that has arrived for a payment',
    DepositsRequest,
    DepositsResponse,
  ),
  disputes: post(
    '/v1/disputes',
    'List the disputes of a payment, where your capabilities say that you have them',
    DisputesRequest,
    DisputesResponse,
  ),
  settlements: post(
    '/v1/settlements',
    'List what you have settled, where your capabilities say that you can; page by page',
    SettlementsRequest,
    SettlementsResponse,
  ),
  respond_to_dispute: post(
    '/v1/respond-to-dispute',
    'Send the evidence of the merchant to the bank, or give in',
    RespondToDisputeRequest,
  ),
} as const satisfies Record<string, AcquirerOperation>

export type AcquirerOperationName = keyof typeof acquirer_operations

/** Whether it has an effect, which its reference names; the others are questions. */
export function isRepeatable(name: string): boolean {
  return name === 'respond_to_dispute' || operation_kinds.some((kind) => kind === name)
}
