import { sql } from 'kysely'
import { fail } from '../../core/errors.ts'
import type { MatchAmount, PaymentType } from '../../core/payment-methods.ts'
import type { Service } from '../../service.ts'
import type { StoredConfiguration } from '../../store/tables.ts'
import { effectiveConfiguration } from '../merchants/configuration.ts'

/** How long a payment by deposit is open when its token does not say. */
interface Expiration {
  readonly period: string | null
  readonly time_shift: string | null
}

interface Money {
  amount: number
  currency: string
}

/** What a store's configuration decides about payments, inherited values filled in. */
export interface StoreRules {
  readonly configuration: Readonly<Record<string, unknown>>
  readonly country: string
  readonly recurring_type: 'none' | 'bounded' | 'infinite'
  /** Payment types that are not switched off. */
  readonly takes: Readonly<Record<PaymentType, boolean>>
  readonly direct_card_tokens: boolean | null
  readonly allow_empty_cvv: boolean
  readonly forbidden_card_brands: readonly string[]
  readonly forbidden_qr_scan_gateways: readonly string[]
  readonly debit_enabled: boolean | null
  readonly prepaid_enabled: boolean | null
  readonly foreign_cards_allowed: boolean | null
  readonly only_direct_currency: boolean
  readonly three_ds_skip_enabled: boolean
  readonly minimum_charge_amounts: readonly Money[]
  readonly maximum_charge_amounts: readonly Money[]
  readonly refund_percent_limit: number | null
  readonly match_amount: MatchAmount
  readonly expiration: Readonly<Record<'konbini' | 'bank_transfer', Expiration>>
}

/** Amounts of merchants without a country of their own are kept in this country's currency. */
const home_country = 'JP'

// biome-ignore lint/suspicious/noExplicitAny: the configuration's schema has checked every value
type Checked = any

/**
 * One statement for both halves of the configuration. What was begun in a store goes on when it is
 * deleted, captures and refunds among it; only new payments need it to be there.
 */
export async function storeRules(
  service: Service,
  merchant_id: string,
  store_id: string,
  deleted_too = false,
): Promise<StoreRules> {
  const { rows } = await sql<{ merchant: StoredConfiguration; store: StoredConfiguration }>`
    select m.configuration as merchant, s.configuration as store
    from stores s join merchants m on m.id = s.merchant_id
    where s.merchant_id = ${merchant_id} and s.id = ${store_id}
      and (s.deleted_on is null or ${deleted_too})
  `.execute(service.db)
  const [found] = rows
  if (!found) fail('NOT_FOUND')
  const configuration = effectiveConfiguration(found.merchant, found.store) as Checked
  const card = configuration.card_configuration
  const bank = configuration.bank_transfer_configuration
  return {
    configuration,
    country: configuration.country ?? home_country,
    recurring_type: configuration.recurring_token_configuration.recurring_type ?? 'infinite',
    takes: takenTypes(configuration),
    direct_card_tokens: card.allow_direct_token_creation,
    allow_empty_cvv: card.allow_empty_cvv === true,
    forbidden_card_brands: card.forbidden_card_brands ?? [],
    forbidden_qr_scan_gateways:
      configuration.qr_scan_configuration.forbidden_qr_scan_gateways ?? [],
    debit_enabled: card.debit_enabled,
    prepaid_enabled: card.prepaid_enabled,
    foreign_cards_allowed: card.foreign_cards_allowed,
    only_direct_currency: card.only_direct_currency === true,
    three_ds_skip_enabled: card.three_ds_skip_enabled === true,
    minimum_charge_amounts: configuration.minimum_charge_amounts ?? [],
    maximum_charge_amounts: configuration.maximum_charge_amounts ?? [],
    refund_percent_limit: configuration.security_configuration.refund_percent_limit,
    match_amount: bank.match_amount ?? 'exact',
    expiration: {
      konbini: expirationOf(configuration.convenience_configuration),
      bank_transfer: expirationOf(bank),
    },
  }
}

function takenTypes(configuration: Checked): StoreRules['takes'] {
  const taken = (group: string) => configuration[`${group}_configuration`].enabled !== false
  return {
    card: taken('card'),
    apple_pay: taken('card'),
    qr_scan: taken('qr_scan'),
    qr_merchant: taken('qr_merchant'),
    konbini: taken('convenience'),
    paidy: taken('paidy'),
    online: taken('online'),
    bank_transfer: taken('bank_transfer'),
  }
}

function expirationOf({ expiration, expiration_time_shift: shift }: Checked): Expiration {
  return { period: expiration, time_shift: shift.enabled === true ? shift.value : null }
}
