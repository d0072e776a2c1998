import { fail } from '../../core/api/errors.ts'
import { emit } from '../../events/emit.ts'
import { inTransaction, now, type Service } from '../../service.ts'
import { patchConfiguration } from '../configuration/configuration.ts'
import { MerchantConfiguration } from '../configuration/configuration-shape.ts'
import { type Merchant, type PatchMerchant, viewMerchant } from './merchant.ts'

export async function patchMerchant(
  service: Service,
  merchant_id: string,
  patch: PatchMerchant & { verified?: true },
  by: 'merchant' | 'operator',
): Promise<Merchant> {
  return inTransaction(service, async (tx) => {
    const before = await tx.db
      .selectFrom('merchants')
      .selectAll()
      .where('id', '=', merchant_id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!before) fail('NOT_FOUND')
    const { name, notification_email, finance_notification_email, configuration } = patch
    const merchant = await tx.db
      .updateTable('merchants')
      .set({
        updated_on: now(tx),
        ...(name === undefined ? {} : { name }),
        ...(by === 'operator' && patch.verified ? { verified: true } : {}),
        ...(notification_email === undefined ? {} : { notification_email }),
        ...(finance_notification_email === undefined ? {} : { finance_notification_email }),
        configuration: JSON.stringify(
          patchConfiguration(MerchantConfiguration, before.configuration, configuration, by),
        ),
      })
      .where('id', '=', merchant_id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const data = viewMerchant(merchant)
    await emit(tx, 'merchant_updated', { merchant_id, resource_id: merchant_id, data })
    return merchant
  })
}
