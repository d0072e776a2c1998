import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import { named } from '../../core/described-schemas.ts'
import { Id, Instant, Label, nullable } from '../../core/schemas.ts'
import type { MerchantTable } from '../../store/tables/tables.ts'
import {
  fillConfiguration,
  MerchantConfiguration,
  MerchantConfigurationPatch,
} from './configuration.ts'

export type Merchant = Selectable<MerchantTable>

const Email = Type.String({ format: 'email' })

export const MerchantView = named(
  'Merchant',
  Type.Object({
    id: Id,
    name: Type.String(),
    email: Type.String(),
    verified: Type.Boolean(),
    verification_data_id: nullable(Id),
    notification_email: nullable(Type.String()),
    finance_notification_email: nullable(Type.String()),
    created_on: Instant,
    updated_on: Instant,
    configuration: MerchantConfiguration,
  }),
)

export const PatchMerchant = named(
  'UpdateMerchant',
  Type.Object({
    name: Type.Optional(Label()),
    notification_email: Type.Optional(nullable(Email)),
    finance_notification_email: Type.Optional(nullable(Email)),
    configuration: Type.Optional(MerchantConfigurationPatch),
  }),
)
export type PatchMerchant = Static<typeof PatchMerchant>

export function viewMerchant(merchant: Merchant) {
  return {
    id: merchant.id,
    name: merchant.name,
    email: merchant.email,
    verified: merchant.verified,
    verification_data_id: merchant.verification_data_id,
    notification_email: merchant.notification_email,
    finance_notification_email: merchant.finance_notification_email,
    created_on: merchant.created_on.toISOString(),
    updated_on: merchant.updated_on.toISOString(),
    configuration: fillConfiguration(MerchantConfiguration, merchant.configuration) as Static<
      typeof MerchantConfiguration
    >,
  }
}
