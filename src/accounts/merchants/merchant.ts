import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, Label, nullable } from '../../core/api/schemas.ts'
import type { Service } from '../../service.ts'
import type { MerchantTable } from '../../store/tables/tables.ts'
import { fillConfiguration, MerchantConfigurationPatch } from '../configuration/configuration.ts'
import { MerchantConfiguration } from '../configuration/configuration-shape.ts'

export type Merchant = Selectable<MerchantTable>

const Email = Type.String({ format: 'email' })

export const MerchantView = named(
  'Merchant',
  Type.Object({
    id: described(Id, 'The id of the merchant.'),
    name: described(Type.String(), 'The name of the merchant.'),
    email: described(Type.String(), 'The e-mail of the merchant. The operator sets it.'),
    verified: described(
      Type.Boolean(),
      'Whether the operator has verified the merchant. Live mode needs it.',
    ),
    verification_data_id: described(
      nullable(Id),
      'The verification that the merchant has sent; null without one.',
    ),
    notification_email: described(
      nullable(Type.String()),
      'The address for mails about the service; null: `email`.',
    ),
    finance_notification_email: described(
      nullable(Type.String()),
      'The address for mails about payouts. It is stored and has no effect yet.',
    ),
    created_on: common.created_on,
    updated_on: common.updated_on,
    configuration: described(
      MerchantConfiguration,
      'The settings of the merchant, which its stores inherit; null where nothing is set.',
    ),
  }),
  'The owner of stores.',
)

export const PatchMerchant = named(
  'UpdateMerchant',
  Type.Object({
    name: described(Type.Optional(Label()), 'The name of the merchant, 1 to 255 characters.'),
    notification_email: described(
      Type.Optional(nullable(Email)),
      'The address for mails about the service; null: `email`.',
    ),
    finance_notification_email: described(
      Type.Optional(nullable(Email)),
      'The address for mails about payouts. It is stored and has no effect yet.',
    ),
    configuration: described(
      Type.Optional(MerchantConfigurationPatch),
      'Settings to change; null resets one. Fees, payouts and privileges are set by the operator.',
    ),
  }),
  'Changes to the merchant. Absent fields stay unchanged.',
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
    configuration: fillConfiguration(MerchantConfiguration, merchant.configuration),
  }
}

export async function getMerchant({ db }: Service, merchant_id: string): Promise<Merchant> {
  const merchants = db.selectFrom('merchants').selectAll()
  return (await merchants.where('id', '=', merchant_id).executeTakeFirst()) ?? fail('NOT_FOUND')
}
