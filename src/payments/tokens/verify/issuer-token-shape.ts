import Type from 'typebox'
import { pageUrl } from '../../../api/hosted-links.ts'
import { common } from '../../../core/api/common-fields.ts'
import { described, named, textOf } from '../../../core/api/described-schemas.ts'
import { fail, type Reason } from '../../../core/api/errors.ts'
import { AnyObject, Id, nullable } from '../../../core/api/schemas.ts'
import { call_methods } from '../../../core/payments/call-methods.ts'
import type { ProviderForm } from '../../../core/payments/instructions.ts'
import type { Service } from '../../../service.ts'

const text = nullable(Type.String())
const Payload = nullable(AnyObject)

/** The customer's destination or instructions; a bank transfer has its account instead. */
export const IssuerToken = named(
  'IssuerToken',
  Type.Object({
    payment_type: common.payment_type,
    issuer_token: described(
      Type.Optional(text),
      'The URL of the page where the customer pays, or the token of an SDK.',
    ),
    call_method: Type.Optional(
      described(
        nullable(textOf('CallMethod', call_methods, 'How a page or an app of a brand is called.')),
        'The use of the issuer token: open the page, post to it, or pass the token to the SDK or app.',
      ),
    ),
    payload: described(
      Type.Optional(Payload),
      "The fields to post with `http_post`, or the customer's instructions, such as a " +
        'payment code; null if there are none.',
    ),
    content_type: described(
      Type.Optional(Type.String()),
      'The content type of the form to post. For 3-D Secure only.',
    ),
    account_id: described(Type.Optional(Id), 'Bank transfer: the id of the virtual account.'),
    bank_code: described(
      Type.Optional(Type.String()),
      'Bank transfer: the four-digit code of the bank.',
    ),
    bank_name: described(Type.Optional(Type.String()), 'Bank transfer: the name of the bank.'),
    branch_code: described(
      Type.Optional(Type.String()),
      'Bank transfer: the three-digit code of the branch.',
    ),
    branch_name: described(Type.Optional(Type.String()), 'Bank transfer: the name of the branch.'),
    account_number: described(
      Type.Optional(Type.String()),
      'Bank transfer: the number of the virtual account.',
    ),
    account_holder_name: described(
      Type.Optional(Type.String()),
      'Bank transfer: the name of the account holder.',
    ),
  }),
  'The payment page, or the payment instructions.',
)

export function refuseIssuerToken(reason: Reason, message: string): never {
  fail('VALIDATION_ERROR', { message, errors: [{ field: 'charge_id', reason }] })
}

/** The customer's browser goes to the provider itself. */
export function formToken({ url, method, fields }: ProviderForm) {
  return { issuer_token: url, call_method: `http_${method}`, payload: fields }
}

/** A form that the customer's browser posts to the page of the challenge, or to the cardholder's bank. */
export function viewThreeDsIssuerToken(
  service: Service,
  resource: { id: string; merchant_id: string; page_id: string | null },
  resource_type: 'charge' | 'transaction_token',
  form: ProviderForm | null,
) {
  const { id: resource_id, merchant_id, page_id } = resource
  if (page_id === null) refuseIssuerToken('ISSUER_TOKEN_EMPTY', 'There is no challenge.')
  const of_page = {
    issuer_token: pageUrl(service, { merchant_id, page_id }),
    call_method: 'http_post',
    payload: { resource_id, resource_type },
  }
  return {
    payment_type: 'card',
    ...(form ? formToken(form) : of_page),
    content_type: 'application/x-www-form-urlencoded; charset=UTF-8',
  }
}
