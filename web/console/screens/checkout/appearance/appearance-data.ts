import { useRead } from '../../../api/api-hooks.ts'
import type { MerchantConfiguration, StoreConfiguration } from '../../../api/call-api.ts'
import { useStoreChoice } from '../../../frame/store-choice.tsx'

/** The configuration of customers' pages, in the order of the form. */
export const appearance_groups = {
  look: ['logo_url', 'main_color'],
  contact: ['contact_email', 'contact_phone', 'contact_url'],
  legal: ['commercial_disclosure_url', 'privacy_url', 'terms_url'],
} as const
export type AppearanceGroup = keyof typeof appearance_groups
export type AppearanceField = (typeof appearance_groups)[AppearanceGroup][number]
export type AppearanceValues = Readonly<Record<AppearanceField, string>>

export const appearance_fields: readonly AppearanceField[] = Object.values(appearance_groups).flat()

/** The path of a field in the API, also in its errors. */
export function pathOf(field: AppearanceField): string {
  return field === 'logo_url'
    ? 'configuration.logo_url'
    : `configuration.checkout_configuration.${field}`
}

type Configuration = Pick<
  MerchantConfiguration | StoreConfiguration,
  'logo_url' | 'checkout_configuration'
>

function valuesOf({ logo_url, checkout_configuration }: Configuration): AppearanceValues {
  const all: Record<string, unknown> = { ...checkout_configuration, logo_url }
  const entries = appearance_fields.map((field) => [field, String(all[field] ?? '')])
  return Object.fromEntries(entries) as AppearanceValues
}

const none = Object.fromEntries(appearance_fields.map((field) => [field, ''])) as AppearanceValues

/** The values of the chosen store, and what it inherits; without a store those of the merchant. */
export function useAppearance() {
  const { store_id } = useStoreChoice()
  const owner = useRead((api) => api.merchant.get())
  const store = useRead((api) => api.stores.get(store_id ?? ''), {
    enabled: store_id !== null,
  })
  const retry = () => {
    void owner.refetch()
    if (store_id) void store.refetch()
  }
  const of_merchant = owner.data && valuesOf(owner.data.configuration)
  const of_store = store.data && valuesOf(store.data.configuration)
  const [own, inherited] = store_id ? [of_store, of_merchant] : [of_merchant, none]
  return { own, inherited, error: owner.error ?? store.error, retry }
}

/** The change of a configuration: an empty field is inherited, or has its default. */
export function bodyOf(values: AppearanceValues) {
  const { logo_url, ...others } = Object.fromEntries(
    appearance_fields.map((field) => [field, values[field].trim() || null]),
  )
  return { configuration: { logo_url: logo_url ?? null, checkout_configuration: others } }
}

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text)
}
