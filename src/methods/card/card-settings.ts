import Type from 'typebox'
import { described, named } from '../../core/api/described-schemas.ts'
import { nullable } from '../../core/api/schemas.ts'
import {
  currency,
  flag,
  money_amount,
  texts,
  without_effect,
} from '../../core/api/setting-values.ts'
import { settingsOf } from '../contract/payment-method.ts'

export const card_settings = settingsOf(
  'card',
  'CardConfiguration',
  { about: 'Which cards are accepted, and how.', accepted: 'Whether cards are accepted.' },
  {
    debit_enabled: flag('Whether debit cards are accepted. Default: true.'),
    prepaid_enabled: flag('Whether prepaid cards are accepted. Default: true.'),
    debit_authorization_enabled: flag(
      'Whether debit cards can be authorized without capture. Default: true.',
    ),
    prepaid_authorization_enabled: flag(
      'Whether prepaid cards can be authorized without capture. Default: true.',
    ),
    foreign_cards_allowed: flag(
      'Whether cards of issuers in other countries are accepted. Default: true.',
    ),
    fail_on_new_email: flag(
      'Whether a card is refused with another e-mail than it was first used with. Default: false.',
    ),
    allow_empty_cvv: flag('Whether the security code may be absent. Default: false.'),
    only_direct_currency: flag(
      'Whether charges fail instead of being converted to another currency. Default: false.',
    ),
    three_ds_required: flag('Whether every cardholder is authenticated. Default: false.'),
    three_ds_address_required: flag('Whether cards need a billing address. Default: false.'),
    three_ds_phone_number_required: flag('Whether cards need a phone number. Default: false.'),
    three_ds_skip_enabled: flag(
      'Whether `three_ds_mode: skip` is allowed. Default: false. The operator sets it.',
    ),
    allow_direct_token_creation: flag(
      'Whether card tokens can be created with the secret, not only from pages. Default: true.',
    ),
    forbidden_card_brands: texts('Card networks that are refused.'),
    allowed_countries_by_ip: nullable(
      Type.Array(Type.String({ format: 'country' }), { description: without_effect }),
    ),
    card_limit: described(
      nullable(
        named(
          'CardLimit',
          Type.Object({
            amount: money_amount,
            currency,
            duration: Type.String({
              format: 'duration',
              description: 'The time in which charges are added up, as an ISO-8601 duration.',
            }),
          }),
          'How much one card can be charged in a time.',
        ),
      ),
      'How much one card can be charged in a time; null: no limit.',
    ),
  },
  {
    debit_enabled: true,
    prepaid_enabled: true,
    debit_authorization_enabled: true,
    prepaid_authorization_enabled: true,
    foreign_cards_allowed: true,
    fail_on_new_email: false,
    allow_empty_cvv: false,
    only_direct_currency: false,
    three_ds_required: false,
    three_ds_address_required: false,
    three_ds_phone_number_required: false,
    three_ds_skip_enabled: false,
    allow_direct_token_creation: true,
    forbidden_card_brands: [],
  },
)
