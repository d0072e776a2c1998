import { operation, type Route } from '../../api/routes/operation.ts'
import { withDefaults } from '../configuration/configuration.ts'
import { StoreConfiguration } from '../configuration/configuration-shape.ts'
import { getMerchant, MerchantView, PatchMerchant, viewMerchant } from './merchant.ts'
import { patchMerchant } from './patch-merchant.ts'

export const merchantRoutes: readonly Route[] = [
  operation({
    at: 'GET /me',
    id: 'getMerchant',
    client: 'merchant.get',
    tag: 'merchant',
    summary: 'Get the merchant',
    text: 'The merchant of the token, with its whole configuration.',
    right: 'settings',
    responses: { 200: MerchantView },
    handle: async ({ service, caller }) =>
      viewMerchant(await getMerchant(service, caller.merchant_id)),
  }),

  operation({
    at: 'GET /me/defaults',
    id: 'getDefaultConfiguration',
    client: 'merchant.getDefaults',
    tag: 'merchant',
    summary: 'Get the default settings of the platform',
    text: 'They apply where neither the store nor the merchant has a value. Without a default: null.',
    right: 'settings',
    responses: { 200: StoreConfiguration },
    handle: async () => withDefaults({}),
  }),

  operation({
    at: 'PATCH /me',
    id: 'updateMerchant',
    client: 'merchant.update',
    tag: 'merchant',
    summary: 'Update the merchant',
    text: 'Settings are merged key by key; null resets one.',
    right: 'settings',
    access: { level: 'merchant' },
    body: PatchMerchant,
    responses: { 200: MerchantView },
    handle: async ({ service, caller, body }) =>
      viewMerchant(await patchMerchant(service, caller.merchant_id, body, 'merchant')),
  }),
]
