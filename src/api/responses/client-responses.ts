import { typesWhere } from '../../methods/method-facts.ts'

type Tree = Record<string, unknown>

function isTree(value: unknown): value is Tree {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Fields that are null here but never in the public description; undefined removes the key. */
const of_configuration = {
  flat_fees: [],
  min_transfer_payout: { amount: 0, currency: 'JPY' },
  minimum_charge_amounts: [],
  maximum_charge_amounts: [],
} as const

const of_checkout_info = {
  bank_transfer_configuration: {
    virtual_bank_accounts_threshold: undefined,
    virtual_bank_accounts_fetch_count: undefined,
    default_extension_period: undefined,
    maximum_extension_period: undefined,
    remind_notification_period: undefined,
  },
  installments_configuration: { supported_payment_types: ['card'] },
  subscription_plan_configuration: {
    supported_payment_types: typesWhere(({ repeatable }) => repeatable !== false),
  },
} as const

const of_brand = { card_brand: undefined, qr_brand: undefined, online_brand: undefined } as const

/** An object with other values for some of its nulls. */
function withoutNulls(object: Tree, values: Tree): Tree {
  const entries = Object.entries(object).map(([key, value]) => [
    key,
    value === null && key in values ? values[key] : value,
  ])
  return Object.fromEntries(entries)
}

function adaptCheckoutInfo(info: Tree): Tree {
  const adapted = Object.entries(info).map(([key, value]) => {
    const values = (of_checkout_info as Record<string, Tree>)[key]
    return [key, values && isTree(value) ? withoutNulls(value, values) : value]
  })
  const brands = info.supported_brands as Tree[]
  return {
    ...Object.fromEntries(adapted),
    supported_brands: brands.map((brand) => withoutNulls(brand, of_brand)),
  }
}

/**
 * A card token without 3-D Secure. Generated clients refuse null for its status, and an older one a
 * missing key; `enabled` says that nothing is under way.
 */
function adaptCardData(data: Tree): Tree {
  const { three_ds } = data
  if (!isTree(three_ds) || three_ds.status !== null) return data
  return { ...data, three_ds: { ...three_ds, status: 'pending' } }
}

/** A resource as the public description of the interface has it: values where it allows no null. */
export function adaptResource(resource: unknown): unknown {
  if (!isTree(resource)) return resource
  const { data, configuration } = resource
  if ('supported_brands' in resource) return adaptCheckoutInfo(resource)
  if (isTree(configuration)) {
    return { ...resource, configuration: withoutNulls(configuration, of_configuration) }
  }
  if (!isTree(data)) return resource
  // An event has its resource in the same place as a token its card.
  return { ...resource, data: 'card' in data ? adaptCardData(data) : adaptResource(data) }
}

/** A response: a resource, or a page of them. A list that fits on one page has its total. */
export function adaptResponse(response: unknown, query: unknown): unknown {
  if (!isTree(response) || !Array.isArray(response.items)) return adaptResource(response)
  const { items, has_more } = response
  const is_whole = has_more === false && !(isTree(query) && query.cursor)
  const total = is_whole ? { total_hits: items.length } : {}
  return { ...total, ...response, items: items.map(adaptResource) }
}
