import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { mail_languages } from '../../core/access/users.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { Id, nullable } from '../../core/api/schemas.ts'
import { card_brands } from '../../core/cards/card-number.ts'
import { derivedId } from '../../core/ids.ts'
import { payment_types } from '../../core/payments/payment-types.ts'
import { methods } from '../../methods/method-table.ts'
import type { Service } from '../../service.ts'
import { rulesOf } from './store-rules.ts'

const text = Type.String()
const flag = Type.Boolean()

/** Methods with settings of their own; cards have more than a switch. */
const switches = payment_types.flatMap((type) => {
  const { group, accepted } = methods[type].settings
  return group === 'card' ? [] : { type, field: `${group}_enabled`, accepted }
})

const PlatformView = named(
  'Platform',
  Type.Object({
    id: described(Id, 'The id of the service.'),
    name: described(text, 'The name of the service.'),
    domain: described(text, 'The host of its public address.'),
    supported_payment_types: described(Type.Array(text), 'The payment types that it offers.'),
    supported_card_brands: described(Type.Array(text), 'The card networks that it accepts.'),
    configuration: described(
      named(
        'PlatformConfiguration',
        Type.Object({
          country: described(text, 'The country of merchants that have set none.'),
          default_language: described(text, 'The language of mails where none is set.'),
          supported_languages: described(Type.Array(text), 'The languages of mails and pages.'),
          foreign_cards_enabled: described(
            flag,
            'Whether cards of issuers in other countries are accepted.',
          ),
          refund_percent_limit: described(
            nullable(Type.Number()),
            'The refundable part of a charge, in percent; null: all of it.',
          ),
          recurring_token_privilege: described(
            text,
            'Which recurring tokens can be created: `none`, `bounded` (with a `usage_limit`) ' +
              'or `infinite`.',
          ),
          payment_defaults: described(
            named(
              'PaymentDefaults',
              Type.Object({
                cards_enabled: described(flag, 'Whether cards are accepted.'),
                debit_enabled: described(flag, 'Whether debit cards are accepted.'),
                debit_authorization_enabled: described(
                  flag,
                  'Whether debit cards can be authorized without capture.',
                ),
                prepaid_enabled: described(flag, 'Whether prepaid cards are accepted.'),
                prepaid_authorization_enabled: described(
                  flag,
                  'Whether prepaid cards can be authorized without capture.',
                ),
                ...Object.fromEntries(
                  switches.map(({ field, accepted }) => [field, described(flag, accepted)]),
                ),
              }),
              'Which payment methods are switched on.',
            ),
            'Which payment methods are switched on.',
          ),
        }),
        'The defaults for a merchant without settings.',
      ),
      'The defaults for a merchant without settings.',
    ),
  }),
  'The offers of this service.',
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
        ...Object.fromEntries(switches.map(({ field, type }) => [field, takes[type]])),
      },
    },
  }
}

export const platformRoutes: readonly Route[] = [
  operation({
    at: 'GET /platform',
    id: 'getPlatform',
    client: 'merchant.getPlatform',
    tag: 'merchant',
    summary: 'Get the offers and defaults of this service',
    text:
      'Its payment types and card brands, and the defaults for merchants without settings. ' +
      'It needs no credentials.',
    right: 'public',
    responses: { 200: PlatformView },
    handle: async ({ service }) => viewPlatform(service),
  }),
]
