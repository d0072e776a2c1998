import Type, { type Static } from 'typebox'
import type { Caller, Mode } from '../../core/caller.ts'
import { named } from '../../core/described-schemas.ts'
import { payment_methods, payment_types } from '../../core/payment-methods.ts'
import { nullable } from '../../core/schemas.ts'
import { routePayment } from '../../providers/providers.ts'
import type { Service } from '../../service.ts'
import { StoreConfiguration, withDefaults } from '../merchants/configuration.ts'
import { plainName } from '../payment-methods/brand-names.ts'
import { methods } from '../payment-methods/method-table.ts'
import { requireStore } from '../stores/store.ts'
import { type StoreRules, storeRules } from '../stores/store-rules.ts'
import { hasLogo, logoUrl } from './brand-logos.ts'

const groups = StoreConfiguration.properties
const flag = Type.Boolean()
const text = Type.String()

const SupportedBrand = named(
  'SupportedBrand',
  Type.Object({
    payment_type: text,
    brand: text,
    card_brand: nullable(text),
    qr_brand: nullable(text),
    online_brand: nullable(text),
    dynamic_info: flag,
    support_auth_capture: flag,
    requires_full_name: flag,
    requires_cvv: flag,
    countries_allowed: nullable(Type.Array(text)),
    supported_currencies: Type.Array(text),
    cvv_auth: flag,
    installment_capable: flag,
    mcp_capable: flag,
    mcp_only: flag,
    logo_url: nullable(text),
  }),
)
type SupportedBrand = Static<typeof SupportedBrand>

const colors = {
  main_background: '#fafafa',
  secondary_background: '#ffffff',
  main_color: '#1f5f8b',
  main_text: '#ffffff',
  primary_text: '#1c1c1c',
  secondary_text: '#5c5c5c',
  base_text: '#1c1c1c',
  body_background: '#ffffff',
}

export const CheckoutInfo = named(
  'CheckoutInfo',
  Type.Object({
    mode: Type.Enum(['test', 'live']),
    recurring_token_privilege: Type.Enum(['none', 'bounded', 'infinite']),
    name: text,
    card_configuration: groups.card_configuration,
    qr_scan_configuration: groups.qr_scan_configuration,
    qr_merchant_configuration: groups.qr_merchant_configuration,
    convenience_configuration: groups.convenience_configuration,
    paidy_configuration: groups.paidy_configuration,
    online_configuration: groups.online_configuration,
    bank_transfer_configuration: groups.bank_transfer_configuration,
    subscription_configuration: groups.subscription_configuration,
    subscription_plan_configuration: groups.subscription_plan_configuration,
    installments_configuration: groups.installments_configuration,
    checkout_configuration: groups.checkout_configuration,
    recurring_card_charge_cvv_confirmation:
      groups.recurring_token_configuration.properties.card_charge_cvv_confirmation,
    paidy_public_key: nullable(text),
    logo_image: nullable(text),
    theme: named(
      'CheckoutTheme',
      Type.Object({
        colors: named(
          'CheckoutColors',
          Type.Object(
            Object.fromEntries(Object.keys(colors).map((name) => [name, text])) as Record<
              keyof typeof colors,
              typeof text
            >,
          ),
        ),
      }),
    ),
    supported_brands: Type.Array(SupportedBrand),
  }),
)
type CheckoutInfo = Static<typeof CheckoutInfo>

/**
 * What a checkout needs to know about a store before a payment: the store's values, else its
 * merchant's, else the defaults. Nothing of it is secret.
 */
export async function getCheckoutInfo(
  service: Service,
  caller: Caller & { store_id: string },
): Promise<CheckoutInfo> {
  const store = await requireStore(service, caller, caller.store_id)
  const rules = await storeRules(service, caller.merchant_id, caller.store_id)
  const mode = caller.mode ?? 'test'
  const configuration = withDefaults(rules.configuration) as Static<typeof StoreConfiguration>
  return {
    ...configuration,
    mode,
    recurring_token_privilege: rules.recurring_type,
    name: store.name,
    recurring_card_charge_cvv_confirmation:
      configuration.recurring_token_configuration.card_charge_cvv_confirmation,
    paidy_public_key: null,
    logo_image: configuration.logo_url,
    theme: { colors },
    supported_brands: supportedBrands(service, rules, mode),
  }
}

function supportedBrands(service: Service, rules: StoreRules, mode: Mode): SupportedBrand[] {
  const forbidden = [...rules.forbidden_card_brands, ...rules.forbidden_qr_scan_gateways]
  const closed = forbidden.map(plainName)
  return payment_types.flatMap((payment_type) => {
    const { brands } = methods[payment_type]
    if (!rules.takes[payment_type]) return []
    return brands.flatMap((brand) => {
      if (closed.includes(plainName(brand))) return []
      const provider = routePayment(service.providers, { mode, payment_type, brand })
      if (!provider) return []
      return {
        payment_type,
        brand,
        card_brand: payment_type === 'card' ? brand : null,
        qr_brand: payment_type.startsWith('qr_') ? brand : null,
        online_brand: payment_type === 'online' ? brand : null,
        dynamic_info: brand === 'alipay_plus_online',
        support_auth_capture: payment_methods[payment_type].holds,
        requires_full_name: payment_type === 'card' || payment_type === 'konbini',
        requires_cvv: payment_type === 'card' && !rules.allow_empty_cvv,
        countries_allowed: null,
        supported_currencies: [...provider.capabilities.currencies({ payment_type, brand })],
        cvv_auth: payment_type === 'card',
        installment_capable: payment_type === 'card',
        mcp_capable: payment_type === 'card' && !rules.only_direct_currency,
        mcp_only: false,
        logo_url: hasLogo(brand) ? logoUrl(service, brand) : null,
      }
    })
  })
}
