import Type from 'typebox'
import { derivedId } from '../../../core/ids.ts'
import type { RouteModule } from '../../route.ts'
import { IssuerToken } from '../../tokens/verify/issuer-token-shape.ts'
import { getCharge } from '../charge.ts'
import { ChargePathSchema } from '../charge-routes.ts'
import {
  Expiry,
  QrImage,
  viewChargeChallenge,
  viewExpiry,
  viewIssuerToken,
  viewQrImage,
} from './issuer-token.ts'

const tags = ['charges']
const from_browser = { access: { without_secret: 'from_domains' } } as const

/** What the customer of a waiting charge needs. */
export const issuerRoutes: RouteModule = (http) => {
  const paths = { issuer_token: 'getIssuerToken', issuerToken: 'getIssuerTokenAlias' } as const
  for (const [name, operationId] of Object.entries(paths)) {
    http.get(
      `/stores/:store_id/charges/:charge_id/${name}`,
      {
        config: from_browser,
        schema: {
          tags,
          summary: 'Read where the customer pays, or what they pay to',
          operationId,
          params: ChargePathSchema,
          response: { 200: IssuerToken },
        },
      },
      async ({ service, caller, params }) =>
        viewIssuerToken(service, await getCharge(service, caller, params)),
    )
  }

  http.get(
    '/stores/:store_id/charges/:charge_id/three_ds/issuer_token',
    {
      config: from_browser,
      schema: {
        tags,
        summary: 'Read the form that takes the cardholder to the 3-D Secure challenge',
        operationId: 'getChargeThreeDsIssuerToken',
        params: ChargePathSchema,
        response: { 200: IssuerToken },
      },
    },
    async ({ service, caller, params }) =>
      viewChargeChallenge(service, await getCharge(service, caller, params)),
  )

  http.get(
    '/stores/:store_id/charges/:charge_id/qr',
    {
      config: from_browser,
      schema: {
        tags,
        summary: 'Read the address of the QR code that the customer scans',
        operationId: 'getChargeQr',
        params: ChargePathSchema,
        response: { 200: QrImage },
      },
    },
    async ({ service, caller, params }) =>
      viewQrImage(service, await getCharge(service, caller, params)),
  )

  http.get(
    '/stores/:store_id/charges/:charge_id/expiry/latest',
    {
      schema: {
        tags,
        summary: 'Read until when a bank transfer or a payment at a till is possible',
        operationId: 'getChargeExpiry',
        params: Type.Object(ChargePathSchema.properties),
        response: { 200: Expiry },
      },
    },
    async ({ service, caller, params }) => {
      const charge = await getCharge(service, caller, params)
      return viewExpiry(service, charge, derivedId(charge.id, 'expiry date'))
    },
  )
}
