import Type from 'typebox'
import { card_brands } from '../../core/cards/card-number.ts'
import { named } from '../../core/described-schemas.ts'
import { derivedId } from '../../core/ids.ts'
import { payment_types } from '../../core/payment-methods.ts'
import { Id, nullable } from '../../core/schemas.ts'
import { mail_languages } from '../../core/users.ts'
import type { Service } from '../../service.ts'
import type { RouteModule } from '../route.ts'
import { rulesOf } from '../stores/store-rules.ts'

const text = Type.String()
const flag = Type.Boolean()

const PlatformView = named(
  'Platform',
  Type.Object({
    id: Id,
    name: text,
    domain: text,
    supported_payment_types: Type.Array(text),
    supported_card_brands: Type.Array(text),
    configuration: named(
      'PlatformConfiguration',
      Type.Object({
        country: text,
        default_language: text,
        supported_languages: Type.Array(text),
        foreign_cards_enabled: flag,
        refund_percent_limit: nullable(Type.Number()),
        recurring_token_privilege: text,
        payment_defaults: named(
          'PaymentDefaults',
          Type.Object({
            cards_enabled: flag,
            debit_enabled: flag,
            debit_authorization_enabled: flag,
            prepaid_enabled: flag,
            prepaid_authorization_enabled: flag,
            qr_scan_enabled: flag,
            qr_merchant_enabled: flag,
            convenience_enabled: flag,
            paidy_enabled: flag,
            online_enabled: flag,
            bank_transfer_enabled: flag,
          }),
        ),
      }),
    ),
  }),
)

/** The values for a merchant that has set nothing, by the same rules that payments use. */
function viewPlatform({ address }: Service) {
  const rules = rulesOf({}, {})
  const { takes, card_limits } = rules
  const { host } = new URL(address.base_url)
  return {
    id: derivedId(host, 'platform'),
    name: 'Kaikei',
    domain: host,
    supported_payment_types: [...payment_types],
    supported_card_brands: [...card_brands],
    configuration: {
      country: rules.country,
      default_language: 'ja',
      supported_languages: [...mail_languages],
      foreign_cards_enabled: rules.foreign_cards_allowed !== false,
      refund_percent_limit: rules.refund_percent_limit,
      recurring_token_privilege: rules.recurring_type,
      payment_defaults: {
        cards_enabled: takes.card,
        debit_enabled: rules.debit_enabled !== false,
        debit_authorization_enabled: card_limits.debit_holds !== false,
        prepaid_enabled: rules.prepaid_enabled !== false,
        prepaid_authorization_enabled: card_limits.prepaid_holds !== false,
        qr_scan_enabled: takes.qr_scan,
        qr_merchant_enabled: takes.qr_merchant,
        convenience_enabled: takes.konbini,
        paidy_enabled: takes.paidy,
        online_enabled: takes.online,
        bank_transfer_enabled: takes.bank_transfer,
      },
    },
  }
}

export const platformRoutes: RouteModule = (http) => {
  http.get(
    '/platform',
    {
      config: { access: { level: 'public' } },
      schema: {
        tags: ['merchant'],
        summary: 'Read what this service offers, and what holds where nothing is set',
        operationId: 'getPlatform',
        response: { 200: PlatformView },
      },
    },
    async ({ service }) => viewPlatform(service),
  )
}
