import { signAppToken } from '../../src/accounts/app-tokens/app-token.ts'
import { createAppToken } from '../../src/accounts/app-tokens/create-app-token.ts'
import { createMerchant } from '../../src/accounts/merchants/create-merchant.ts'
import { createStore } from '../../src/accounts/stores/create-store.ts'
import { createWebhook } from '../../src/accounts/webhooks/create-webhook.ts'
import { max_test_charges } from '../../src/core/limits/limits.ts'
import type { Service } from '../../src/service.ts'
import type { Shop } from '../load/load-requests.ts'

export interface OwnedShop extends Shop {
  merchant_id: string
}

interface ShopOptions {
  /** With real money, which has no quota. */
  live?: boolean
  /** Application tokens of each shop. */
  credentials: number
  /** They belong to the whole merchant, not to the store. */
  of_merchant?: boolean
  /** The receiver of events about finished charges, or of other ones. */
  webhook_url?: string
  webhook_triggers?: string[]
}

const at_once = 8
const max_live_charges = 1_000_000

async function makeShop(service: Service, options: ShopOptions): Promise<OwnedShop> {
  const { live = false } = options
  const wanted = { name: 'Bench', email: 'm@example.com', verified: live }
  const { id: merchant_id } = await createMerchant(service, wanted)
  const { id: store_id } = await createStore(service, merchant_id, { name: 'Bench' })
  const store = { id: store_id, mode: live ? ('live' as const) : ('test' as const), domains: [] }
  const credentials: string[] = []
  for (let created = 0; created < options.credentials; created += 1) {
    const owner = {
      merchant_id,
      creator_id: merchant_id,
      ...(options.of_merchant ? {} : { store }),
    }
    const { token, secret } = await createAppToken(service, owner)
    credentials.push(`Bearer ${secret}.${await signAppToken(service, token)}`)
  }
  if (options.webhook_url) {
    const { webhook_url: url, webhook_triggers: triggers = ['charge_finished'] } = options
    const hook = { url, triggers, active: true }
    await createWebhook(service, { merchant_id, store_id }, hook)
  }
  const charges_left = live ? max_live_charges : max_test_charges
  return { merchant_id, store_id, credentials, charges_left, turn: 0 }
}

/** Merchants with one store each: enough of them that none reaches a limit, with all limits enabled. */
export async function makeShops(
  service: Service,
  count: number,
  options: ShopOptions,
): Promise<OwnedShop[]> {
  const shops: OwnedShop[] = []
  let begun = 0
  const work = async () => {
    while (begun < count) {
      begun += 1
      shops.push(await makeShop(service, options))
    }
  }
  await Promise.all(Array.from({ length: at_once }, work))
  return shops
}
