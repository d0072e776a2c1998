import { operation, type Route } from '../../../api/routes/operation.ts'
import { derivedId } from '../../../core/ids.ts'
import { IssuerToken } from '../../tokens/verify/issuer-token-shape.ts'
import { getCharge } from '../charge.ts'
import {
  Expiry,
  QrImage,
  viewChargeChallenge,
  viewExpiry,
  viewIssuerToken,
  viewQrImage,
} from './issuer-token.ts'

const issuer_token_text =
  'Only an `awaiting` charge has an issuer token. An online brand has a URL or the ' +
  'token of an SDK; a bank transfer has the account that the customer transfers to.'

/** The instructions for the customer of a waiting charge. */
export const issuerRoutes: readonly Route[] = [
  ...(
    [
      ['issuer_token', 'getIssuerToken', 'charges.getIssuerToken'],
      ['issuerToken', 'getIssuerTokenAlias', null],
    ] as const
  ).map(([name, id, client]) =>
    operation({
      at: `GET /stores/:store_id/charges/:charge_id/${name}`,
      id,
      client,
      tag: 'charges',
      summary: 'Get the payment page or instructions',
      text: issuer_token_text,
      right: 'payments',
      access: { without_secret: 'from_domains' },
      responses: { 200: IssuerToken },
      handle: async ({ service, caller, params }) =>
        viewIssuerToken(service, await getCharge(service, caller, params)),
    }),
  ),

  operation({
    at: 'GET /stores/:store_id/charges/:charge_id/three_ds/issuer_token',
    id: 'getChargeThreeDsIssuerToken',
    client: 'charges.getThreeDsIssuerToken',
    tag: 'charges',
    summary: 'Get the 3-D Secure challenge form of a charge',
    text:
      'The address and the fields of the form that sends the customer to their bank, while ' +
      'the charge is `awaiting`.',
    right: 'payments',
    access: { without_secret: 'from_domains' },
    responses: { 200: IssuerToken },
    handle: async ({ service, caller, params }) =>
      viewChargeChallenge(service, await getCharge(service, caller, params)),
  }),

  operation({
    at: 'GET /stores/:store_id/charges/:charge_id/qr',
    id: 'getChargeQr',
    client: 'charges.getQr',
    tag: 'charges',
    summary: 'Get the address of the QR code',
    text:
      'For a charge of the type `qr_merchant`: the customer scans the code at this address ' +
      'with their wallet.',
    right: 'payments',
    access: { without_secret: 'from_domains' },
    responses: { 200: QrImage },
    handle: async ({ service, caller, params }) =>
      viewQrImage(service, await getCharge(service, caller, params)),
  }),

  operation({
    at: 'GET /stores/:store_id/charges/:charge_id/expiry/latest',
    id: 'getChargeExpiry',
    client: 'charges.getExpiry',
    tag: 'charges',
    summary: 'Get the payment deadline',
    text: 'For payments at convenience stores and bank transfers.',
    right: 'payments',
    responses: { 200: Expiry },
    handle: async ({ service, caller, params }) => {
      const charge = await getCharge(service, caller, params)
      return viewExpiry(service, charge, derivedId(charge.id, 'expiry date'))
    },
  }),
]
