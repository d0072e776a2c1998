import type {
  ApplePayQuestion,
  Authentication,
  Authorization,
  ChargeOfDeposits,
  Continuation,
  CustomsOperation,
  DisputeResponse,
  FollowUp,
  InquiryOperation,
  Instrument,
  Operation,
  ProviderCard,
  Taken,
} from '../../../providers/provider-operations.ts'

/**
 * The bodies of requests, field by field, so that nothing goes along that the description does not have,
 * such as credentials. Secrets are revealed here only.
 */
function ownerOf({ merchant_id, store_id, mode, charge_id }: Omit<ChargeOfDeposits, keyof Taken>) {
  return { merchant_id, store_id, mode, charge_id }
}

function operationOf(operation: Operation) {
  const { reference, amount, currency } = operation
  return { ...ownerOf(operation), reference, amount, currency }
}

function takenOf(taken: Taken) {
  const { provider_reference, authorization_code, network_transaction_id, provider_data } = taken
  return { provider_reference, authorization_code, network_transaction_id, provider_data }
}

function cardOf({ number, cvv, exp_month, exp_year, cardholder, brand }: ProviderCard) {
  const secrets = { number: number.reveal(), cvv: cvv?.reveal() ?? null }
  return { kind: 'card', ...secrets, exp_month, exp_year, cardholder, brand }
}

function instrumentOf(instrument: Instrument) {
  if (instrument.kind === 'card') return cardOf(instrument)
  if (instrument.kind === 'wallet') return { ...instrument, code: instrument.code.reveal() }
  if (instrument.kind === 'apple_pay') return { ...instrument, token: instrument.token.reveal() }
  return instrument
}

export function writeAuthentication(operation: Authentication): string {
  const { card, force } = operation
  const return_url = operation.returnUrl()
  return JSON.stringify({ ...operationOf(operation), card: cardOf(card), force, return_url })
}

export function writeAuthorization(operation: Authorization): string {
  return JSON.stringify({
    ...operationOf(operation),
    instrument: instrumentOf(operation.instrument),
    capture: operation.capture,
    expires_on: operation.expires_on?.toISOString() ?? null,
    email: operation.email,
    ip_address: operation.ip_address,
    billing: operation.billing,
    descriptor: operation.descriptor,
    descriptor_phone_number: operation.descriptor_phone_number,
    merchant_transaction_id: operation.merchant_transaction_id,
    metadata: operation.metadata,
    initiated_by: operation.initiated_by,
    first_network_transaction_id: operation.first_network_transaction_id,
    three_ds: operation.three_ds,
    return_url: operation.returnUrl(),
  })
}

export function writeFollowUp(operation: FollowUp): string {
  return JSON.stringify({ ...operationOf(operation), ...takenOf(operation) })
}

export function writeCustoms(operation: CustomsOperation): string {
  const { customs, merchant_customs_no, certificate_id, certificate_name } = operation
  return JSON.stringify({
    ...operationOf(operation),
    ...takenOf(operation),
    customs,
    merchant_customs_no,
    certificate_id: certificate_id.reveal(),
    certificate_name: certificate_name.reveal(),
  })
}

export function writeApplePayQuestion(question: ApplePayQuestion): string {
  const { merchant_id, store_id, validation_url, domain, display_name } = question
  return JSON.stringify({ merchant_id, store_id, validation_url, domain, display_name })
}

function inquiryOf(operation: InquiryOperation) {
  const { kind, reference, operation_reference } = operation
  return { kind, ...ownerOf(operation), reference, ...takenOf(operation), operation_reference }
}

export function writeInquiry(operation: InquiryOperation): string {
  return JSON.stringify(inquiryOf(operation))
}

export function writeContinuation(operation: Continuation): string {
  return JSON.stringify({ ...inquiryOf(operation), returned: operation.returned })
}

export function writeDisputeResponse(operation: DisputeResponse): string {
  const { dispute_reference, response, evidence, files } = operation
  return JSON.stringify({
    ...operationOf(operation),
    ...takenOf(operation),
    dispute_reference,
    response,
    evidence: evidence.reveal(),
    files: files.map(({ name, content_type, content }) => ({
      name,
      content_type,
      content: content.reveal().toString('base64'),
    })),
  })
}

/** A question about all that belongs to a payment: its deposits, its disputes. */
export function writePaymentQuestion(charge: ChargeOfDeposits): string {
  return JSON.stringify({ ...ownerOf(charge), ...takenOf(charge) })
}
