import { fail } from '../../core/errors.ts'
import type { Service } from '../../service.ts'
import type { RouteModule } from '../route.ts'
import { type Merchant, MerchantView, PatchMerchant, viewMerchant } from './merchant.ts'
import { patchMerchant } from './patch-merchant.ts'

const tags = ['merchant']

async function getMerchant(service: Service, merchant_id: string): Promise<Merchant> {
  const merchant = await service.db
    .selectFrom('merchants')
    .selectAll()
    .where('id', '=', merchant_id)
    .executeTakeFirst()
  return merchant ?? fail('NOT_FOUND')
}

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
