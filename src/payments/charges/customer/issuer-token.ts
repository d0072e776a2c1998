import Type from 'typebox'
import { type PageName, pageUrl, qrImageUrl } from '../../../api/hosted-links.ts'
import { common } from '../../../core/api/common-fields.ts'
import { described, named } from '../../../core/api/described-schemas.ts'
import { Id, Instant, nullable } from '../../../core/api/schemas.ts'
import type { Instructions } from '../../../core/payments/instructions.ts'
import type { Service, Transacting } from '../../../service.ts'
import {
  formToken,
  refuseIssuerToken,
  viewThreeDsIssuerToken,
} from '../../tokens/verify/issuer-token-shape.ts'
import type { Charge } from '../charge.ts'
import { showExpiry } from './show-expiry.ts'

const text = nullable(Type.String())

export const QrImage = named(
  'QrImage',
  Type.Object({
    ready: described(
      Type.Boolean(),
      'Whether the charge awaits the customer and its code can be scanned.',
    ),
    qr_image_url: described(
      text,
      'The URL of the QR code as a picture; null while it is not ready.',
    ),
  }),
  'The QR code that the customer of a charge scans.',
)

export const Expiry = named(
  'ChargeExpiry',
  Type.Object({
    id: described(Id, 'The id of the expiry.'),
    charge_id: common.charge_id,
    expiration_date: described(Instant, 'The payment deadline.'),
    extension_count: described(Type.Integer(), 'The number of extensions: always 0.'),
    created_on: common.created_on,
    updated_on: common.updated_on,
  }),
  'The payment deadline of a charge.',
)

/** The page of a charge that waits for its customer. */
function pageOf({ merchant_id, page_id, status }: Charge): PageName {
  if (status !== 'awaiting' || page_id === null) {
    refuseIssuerToken('INVALID_CHARGE_STATUS', 'The charge does not wait for its customer.')
  }
  return { merchant_id, page_id }
}

/** How the customer is sent to the brand, or the account they transfer to. */
export async function viewIssuerToken(service: Service, charge: Charge) {
  const page = pageOf(charge)
  const { instructions, payment_type } = charge
  const issuer_token = pageUrl(service, page)
  switch (instructions?.kind) {
    case 'online':
      return { payment_type, ...onlineToken(service, charge, page, instructions) }
    case 'bank_transfer': {
      const { kind: _, ...account } = instructions
      return { payment_type, issuer_token, call_method: 'http_get', payload: null, ...account }
    }
    case 'konbini': {
      const { payment_code, company_code, confirmation_code, barcode } = instructions
      const expires_on = await showExpiry(service, charge)
      const payload = {
        payment_code,
        ...(company_code === undefined ? {} : { company_code }),
        ...(confirmation_code === undefined ? {} : { confirmation_code }),
        ...(barcode === undefined ? {} : { barcode }),
        expires_on,
      }
      return { payment_type, issuer_token, call_method: 'http_get', payload }
    }
    case 'qr':
      return { payment_type, issuer_token, call_method: 'http_get', payload: null }
    default:
      return refuseIssuerToken('ISSUER_TOKEN_EMPTY', 'This charge has no issuer token.')
  }
}

/** A request that is posted to a page names its owner; the page itself is found by its address alone. */
function formOf(charge: Charge): Record<string, string> {
  return { resource_id: charge.id, resource_type: 'charge' }
}

function onlineToken(
  service: Service,
  charge: Charge,
  page: PageName,
  { sdk_token, form }: Extract<Instructions, { kind: 'online' }>,
): { issuer_token: string; call_method: string; payload: Record<string, string> | null } {
  if (form) return formToken(form)
  const url = pageUrl(service, page)
  const wanted = charge.call_method ?? 'http_get'
  // The mobile form differs in the page, not in how it is called.
  const call_method = wanted === 'http_get_mobile' ? 'http_get' : wanted
  if (sdk_token !== null) {
    return { issuer_token: sdk_token, call_method, payload: { test_page_url: url } }
  }
  return {
    issuer_token: url,
    call_method,
    payload: call_method === 'http_post' ? formOf(charge) : null,
  }
}

export function viewChargeChallenge(service: Service, charge: Charge) {
  pageOf(charge)
  if (charge.instructions?.kind !== 'three_ds') {
    refuseIssuerToken('ISSUER_TOKEN_EMPTY', 'This charge does not wait for 3-D Secure.')
  }
  return viewThreeDsIssuerToken(service, charge, 'charge', charge.instructions.form ?? null)
}

export function viewQrImage(service: Service, charge: Charge) {
  if (charge.payment_type !== 'qr_merchant') {
    refuseIssuerToken('NOT_QR_CHARGE', 'Only a charge by a displayed QR code has an image of it.')
  }
  const { status, page_id, merchant_id } = charge
  const ready = status === 'awaiting' && page_id !== null
  return { ready, qr_image_url: ready ? qrImageUrl(service, { merchant_id, page_id }) : null }
}

export async function viewExpiry(service: Service, charge: Charge, id: string) {
  const expiration_date = charge.match_amount && (await showExpiry(service, charge))
  if (!expiration_date) {
    refuseIssuerToken(
      'ISSUER_TOKEN_EMPTY',
      'Only a payment by transfer or at a till has an expiry.',
    )
  }
  return {
    id,
    charge_id: charge.id,
    expiration_date,
    extension_count: 0,
    created_on: charge.created_on.toISOString(),
    updated_on: charge.created_on.toISOString(),
  }
}

/** The instructions are also read from the token: some programs look only there. */
export async function showInToken(tx: Transacting, charge: Charge): Promise<void> {
  const shown = shownOf(tx, charge)
  if (shown === null) return
  const token = await tx.db
    .selectFrom('transaction_tokens')
    .select('data')
    .where('merchant_id', '=', charge.merchant_id)
    .where('id', '=', charge.transaction_token_id)
    .forUpdate()
    .executeTakeFirst()
  if (!token) return
  await tx.db
    .updateTable('transaction_tokens')
    .set({ data: JSON.stringify({ ...token.data, ...shown }) })
    .where('merchant_id', '=', charge.merchant_id)
    .where('id', '=', charge.transaction_token_id)
    .execute()
}

function shownOf(service: Service, charge: Charge): object | null {
  const page = pageOf(charge)
  const { instructions } = charge
  switch (instructions?.kind) {
    case 'online': {
      const { issuer_token, payload } = onlineToken(service, charge, page, instructions)
      return { issuer_token, issuer_token_payload: payload }
    }
    case 'qr':
      return { qr_image_url: qrImageUrl(service, page) }
    case 'bank_transfer': {
      const { kind: _, ...account } = instructions
      return account
    }
    default:
      return null
  }
}
