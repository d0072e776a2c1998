import type { RouteModule } from '../route.ts'
import { getMerchant, MerchantView, PatchMerchant, viewMerchant } from './merchant.ts'
import { patchMerchant } from './patch-merchant.ts'

const tags = ['merchant']

export const merchantRoutes: RouteModule = (http) => {
  http.get(
    '/me',
    {
      schema: {
        tags,
        summary: 'Read the merchant',
        operationId: 'getMerchant',
        response: { 200: MerchantView },
      },
    },
    async ({ service, caller }) => viewMerchant(await getMerchant(service, caller.merchant_id)),
  )

  http.patch(
    '/me',
    {
      config: { access: { level: 'merchant' } },
      schema: {
        tags,
        summary: 'Change the merchant',
        operationId: 'updateMerchant',
        body: PatchMerchant,
        response: { 200: MerchantView },
      },
    },
    async ({ service, caller, body }) =>
      viewMerchant(await patchMerchant(service, caller.merchant_id, body, 'merchant')),
  )
}
