import type { Caller } from '../../core/access/caller.ts'
import { fail } from '../../core/api/errors.ts'
import { bins } from '../../core/cards/card-bins.ts'
import type { CardTokenData, KnownCardData } from '../../store/tables/payments/token-data.ts'
import type { MethodRules } from '../contract/method-rules.ts'
import type { PaymentMethod, ReadPayment } from '../contract/payment-method.ts'
import { plainName } from '../pieces/brand-names.ts'
import { billing_fields } from '../pieces/input-pieces.ts'
import { CardInput } from './card-input.ts'
import { card_settings } from './card-settings.ts'
import { card_shown } from './card-shown.ts'
import { openCard } from './open-card.ts'
import { type ReadCard, readCard } from './read-card.ts'

/** The form of a cardholder's name. */
export const by_cardholder = ['cardholder', ...Object.keys(billing_fields)]

export const card_method = {
  input: CardInput,
  shown: card_shown,
  settings: card_settings,
  disabled: 'CARD_PROCESSING_DISABLED',
  admit: (caller, { direct_card_tokens }) => {
    if (direct_card_tokens === false && caller.with_secret) {
      fail('DIRECT_CARD_TOKEN_CREATION_DISABLED')
    }
  },
  read: (input, { service }) => sealedCard(readCard(input, service.clock.now())),
  accept: (read, caller, rules) => {
    if (!read.cvv && !rules.allow_empty_cvv) fail('CVV_REQUIRED')
    requireBilling(read.data, rules)
    refuseCard(read.data, caller, rules)
  },
  payer: ({ card }) => ({ name: card.cardholder, brand: card.brand }),
  phone: ({ billing }) => billing.phone_number,
  instrument: openCard,
  sent_as: { instrument: 'card', with_brand: true },
  period: () => null,
  offer: (brand, { allow_empty_cvv, only_direct_currency }) => ({
    card_brand: brand,
    requires_full_name: true,
    requires_cvv: !allow_empty_cvv,
    cvv_auth: true,
    installment_capable: true,
    mcp_capable: !only_direct_currency,
  }),
  customer_fields: ['card_number', 'exp_month', 'exp_year', 'cvv', ...by_cardholder],
  form: { kind: 'card' },
} satisfies PaymentMethod<CardInput, CardTokenData>

/** The number and the security code are sealed; other card data may be shown. */
export function sealedCard({ card, billing, number, cvv }: ReadCard): ReadPayment<CardTokenData> {
  return { data: { card, billing }, number, cvv, is_card: true, confirmed: null }
}

/** An issuer that authenticates may want to know more about the cardholder. */
function requireBilling({ billing }: CardTokenData, { required_billing }: MethodRules): void {
  const missing = required_billing.filter((name) => !billing[name])
  if (missing.length === 0) return
  const reason = 'REQUIRED_VALUE'
  fail('VALIDATION_ERROR', { errors: missing.map((name) => ({ field: `data.${name}`, reason })) })
}

export function refuseCard({ card }: KnownCardData, caller: Caller, rules: MethodRules): void {
  const { card_bin } = card
  if (caller.mode === 'live' && card_bin !== null && card_bin in bins)
    fail('NO_TEST_CARD_IN_LIVE_MODE')
  const { forbidden_card_brands, debit_enabled, prepaid_enabled, foreign_cards_allowed } = rules
  const refused =
    forbidden_card_brands.some((brand) => plainName(brand) === plainName(card.brand)) ||
    (debit_enabled === false && card.card_type === 'debit') ||
    (prepaid_enabled === false && card.category === 'prepaid')
  if (refused) fail('CARD_BRAND_NOT_SUPPORTED')
  if (foreign_cards_allowed === false && card.country !== null && card.country !== rules.country) {
    fail('CARD_COUNTRY_NOT_SUPPORTED')
  }
}
