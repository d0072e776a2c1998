import type { CallMethod } from '../../core/payments/call-methods.ts'
import { type BrandFacts, type MethodFacts, once, wallet } from '../contract/payment-facts.ts'
import { across_borders, alipay, d_barai, pay_pay, we_chat } from '../pieces/wallet-names.ts'

export const os_types = ['android', 'ios'] as const

interface OnlineBrand extends BrandFacts {
  readonly call_methods: readonly CallMethod[]
  /** Call methods that need the field. */
  readonly user_identifier_for: readonly CallMethod[]
  readonly os_type_for: readonly CallMethod[]
  readonly ip_address_for: readonly CallMethod[]
}

const plain = { user_identifier_for: [], os_type_for: [], ip_address_for: [] } as const

export const online_brands = {
  alipay_online: {
    ...alipay,
    ...plain,
    call_methods: ['http_get', 'sdk', 'app'],
    redirects: true,
    currencies: across_borders,
  },
  alipay_plus_online: {
    ...wallet('Alipay+', { color: '#1266d6' }),
    ...plain,
    call_methods: ['http_get', 'http_get_mobile', 'sdk', 'app'],
    os_type_for: ['http_get_mobile', 'app'],
    redirects: true,
    currencies: across_borders,
  },
  pay_pay_online: { ...pay_pay, ...plain, call_methods: ['http_post'], redirects: true },
  we_chat_online: {
    ...we_chat,
    ...plain,
    call_methods: ['http_get', 'sdk', 'app', 'web'],
    user_identifier_for: ['sdk', 'web'],
    ip_address_for: ['web', 'http_get'],
    currencies: across_borders,
    merchant_transaction_id: true,
  },
  d_barai_online: { ...d_barai, ...plain, call_methods: ['http_post'] },
} as const satisfies Record<string, OnlineBrand>

export const online_facts = {
  ...once,
  name: { en: 'Online wallet', ja: 'オンライン決済' },
  email: 'optional',
  brands: online_brands,
  // Wallets behind a gateway, of which `POST /checkout_info/gateways/{gateway}` speaks.
  other_names: {
    gcash: wallet('GCash', { color: '#0061d5' }),
    tng: wallet("Touch 'n Go eWallet", { word: 'TNG', color: '#0b57a4' }),
  },
} as const satisfies MethodFacts
