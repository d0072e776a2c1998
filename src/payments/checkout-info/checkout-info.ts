import Type, { type Static } from 'typebox'
import { withDefaults } from '../../accounts/configuration/configuration.ts'
import { StoreConfiguration } from '../../accounts/configuration/configuration-shape.ts'
import { requireStore } from '../../accounts/stores/store.ts'
import type { Caller } from '../../core/access/caller.ts'
import { common, ModeName } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { nullable } from '../../core/api/schemas.ts'
import { payment_types } from '../../core/payments/payment-types.ts'
import { namesOf, tableOf } from '../../core/table-names.ts'
import { brandsOf, method_facts } from '../../methods/method-facts.ts'
import { type MethodGroups, methodOf, methods } from '../../methods/method-table.ts'
import { plainName } from '../../methods/pieces/brand-names.ts'
import type { Service } from '../../service.ts'
import { type Offer, offerOf } from '../routing/live-offer.ts'
import { type StoreRules, storeRules } from '../store-rules/store-rules.ts'
import { hasLogo, logoUrl } from './brand-logos.ts'

const groups = StoreConfiguration.properties
const flag = Type.Boolean()
const text = Type.String()

const SupportedBrand = named(
  'SupportedBrand',
  Type.Object({
    payment_type: common.payment_type,
    brand: described(text, 'The brand.'),
    card_brand: described(Type.Optional(nullable(text)), 'The same for a card; otherwise null.'),
    qr_brand: described(Type.Optional(nullable(text)), 'The same for a QR code; otherwise null.'),
    online_brand: described(
      Type.Optional(nullable(text)),
      'The same for an online brand; otherwise null.',
    ),
    dynamic_info: described(
      flag,
      'Whether `POST /checkout_info/gateways/{gateway}` has more information about the brand.',
    ),
    support_auth_capture: described(
      flag,
      'Whether a charge can be authorized first and captured later.',
    ),
    requires_full_name: described(flag, 'Whether the name of the customer is needed.'),
    requires_cvv: described(flag, 'Whether the security code is needed.'),
    countries_allowed: described(nullable(Type.Array(text)), 'Always null: every country.'),
    supported_currencies: described(
      Type.Array(text),
      'The currencies that are charged without conversion.',
    ),
    cvv_auth: described(flag, 'Whether the security code can be checked when a token is created.'),
    installment_capable: described(flag, 'Whether the card company can split the payment.'),
    mcp_capable: described(flag, 'Whether amounts in other currencies are converted.'),
    mcp_only: described(flag, 'Whether all amounts are converted: always false.'),
    logo_url: described(nullable(text), 'The URL of a logo; null without one.'),
  }),
  'A brand that the store accepts.',
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

/** The settings of the payment methods, in their order. */
const shown_groups = Object.fromEntries(
  payment_types.map((type) => {
    const name = `${methods[type].settings.group}_configuration`
    return [name, groups[name as keyof MethodGroups]]
  }),
) as unknown as MethodGroups

export const CheckoutInfo = named(
  'CheckoutInfo',
  Type.Object({
    mode: described(ModeName, 'The mode of the application token.'),
    recurring_token_privilege: described(
      Type.Enum(['none', 'bounded', 'infinite']),
      'The recurring tokens that can be created: none, only with a `usage_limit`, or all.',
    ),
    name: described(text, 'The name of the store.'),
    ...shown_groups,
    subscription_configuration: groups.subscription_configuration,
    subscription_plan_configuration: groups.subscription_plan_configuration,
    installments_configuration: groups.installments_configuration,
    checkout_configuration: groups.checkout_configuration,
    recurring_card_charge_cvv_confirmation: described(
      groups.recurring_token_configuration.properties.card_charge_cvv_confirmation,
      "The rule for requesting a stored card's security code again.",
    ),
    paidy_public_key: described(nullable(text), 'Always null.'),
    logo_image: described(nullable(text), 'The URL of the logo of the store; null without one.'),
    theme: described(
      named(
        'CheckoutTheme',
        Type.Object({
          colors: described(
            named(
              'CheckoutColors',
              Type.Object(
                tableOf(namesOf(colors), (name) =>
                  Type.String({ description: `The colour \`${name}\`.` }),
                ),
              ),
              'The colours of a checkout page.',
            ),
            'Its colours, each as a hexadecimal code.',
          ),
        }),
        'The appearance of the checkout page.',
      ),
      'The appearance of the checkout page.',
    ),
    supported_brands: described(Type.Array(SupportedBrand), 'Every brand that the store accepts.'),
  }),
  'Facts about the store for a checkout page. Switches have their effective values.',
)
type CheckoutInfo = Static<typeof CheckoutInfo>

/**
 * The facts about a store that a checkout needs before a payment: the store's values, else its merchant's,
 * else the defaults. Nothing of it is secret.
 */
export async function getCheckoutInfo(
  service: Service,
  caller: Caller & { store_id: string },
): Promise<CheckoutInfo> {
  const store = await requireStore(service, caller, caller.store_id)
  const rules = await storeRules(service, caller.merchant_id, caller.store_id)
  const mode = caller.mode ?? 'test'
  const configuration = withDefaults(rules.configuration)
  const main_color = configuration.checkout_configuration.main_color ?? colors.main_color
  return {
    ...configuration,
    mode,
    recurring_token_privilege: rules.recurring_type,
    name: store.name,
    recurring_card_charge_cvv_confirmation:
      configuration.recurring_token_configuration.card_charge_cvv_confirmation,
    paidy_public_key: null,
    logo_image: configuration.logo_url,
    theme: { colors: { ...colors, main_color } },
    supported_brands: supportedBrands(service, rules, await offerOf(service, caller, mode)),
  }
}

/** The brands that the store has switched on, and that a provider or connector takes. */
export function supportedBrands(
  service: Service,
  rules: StoreRules,
  offer: Offer,
): SupportedBrand[] {
  const forbidden = [...rules.forbidden_card_brands, ...rules.forbidden_qr_scan_gateways]
  const closed = forbidden.map(plainName)
  return payment_types.flatMap((payment_type) => {
    if (!rules.takes[payment_type]) return []
    return brandsOf(payment_type).flatMap((brand) => {
      if (closed.includes(plainName(brand))) return []
      const currencies = offer({ payment_type, brand })
      if (!currencies) return []
      return {
        payment_type,
        brand,
        card_brand: null,
        qr_brand: null,
        online_brand: null,
        dynamic_info: false,
        support_auth_capture: method_facts[payment_type].holds,
        requires_full_name: false,
        requires_cvv: false,
        countries_allowed: null,
        supported_currencies: [...currencies],
        cvv_auth: false,
        installment_capable: false,
        mcp_capable: false,
        mcp_only: false,
        ...methodOf(payment_type).offer?.(brand, rules),
        logo_url: hasLogo(brand) ? logoUrl(service, brand) : null,
      }
    })
  })
}
