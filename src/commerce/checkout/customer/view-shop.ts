import { withDefaults } from '../../../accounts/configuration/configuration.ts'
import { default_zone } from '../../../core/time/schedule.ts'
import { storeRules } from '../../../payments/store-rules/store-rules.ts'
import type { Service } from '../../../service.ts'

/** The shop's details on a page. */
export async function viewShop(
  service: Service,
  { merchant_id, store_id }: { merchant_id: string; store_id: string },
) {
  const [rules, store] = await Promise.all([
    storeRules(service, merchant_id, store_id, true),
    service.db
      .selectFrom('stores')
      .select('name')
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', store_id)
      .executeTakeFirst(),
  ])
  const configuration = withDefaults(rules.configuration)
  const { ec_email: _, ec_products: __, ...shown } = configuration.checkout_configuration
  const { logo_url, display_time_zone } = configuration
  const time_zone = display_time_zone ?? default_zone
  return { name: store?.name ?? '', logo_url, time_zone, ...shown }
}
