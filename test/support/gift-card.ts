import Type, { type Static } from 'typebox'
import { described, named } from '../../src/core/api/described-schemas.ts'
import { Label } from '../../src/core/api/schemas.ts'
import { sensitive } from '../../src/core/cards/sensitive.ts'
import { openNumber } from '../../src/methods/card/open-card.ts'
import { type MethodFacts, once, wallet } from '../../src/methods/contract/payment-facts.ts'
import {
  nothing_sealed,
  type PaymentMethod,
  settingsOf,
} from '../../src/methods/contract/payment-method.ts'
import { accepts, type SettingWords } from '../../src/methods/contract/setting-facts.ts'
import { addMethod } from '../../src/methods/method-table.ts'

// A payment method that only tests have: everything about it is in this module. Importing it adds the method.

const gift_card_facts: MethodFacts = {
  ...once,
  name: { en: 'Gift card', ja: 'ギフトカード' },
  customer_name: { en: 'Gift card of the shop', ja: 'ショップのギフトカード' },
  brands: { gift_card: wallet('Gift Card', { ja: 'ギフトカード' }) },
}

const gift_card_setting_words: SettingWords = {
  group: 'gift_card',
  fields: { enabled: accepts('Accept gift cards', 'ギフトカード') },
}

const GiftCardInput = named(
  'GiftCardInput',
  Type.Object({ gift_code: described(Label(32), 'The code on the gift card.') }),
  'Payment with a gift card.',
)

interface GiftCardData {
  brand: 'gift_card'
  last_letters: string
}

const gift_card_method: PaymentMethod<Static<typeof GiftCardInput>, GiftCardData> = {
  input: GiftCardInput,
  shown: { last_letters: described(Type.String(), 'The last four letters of the code.') },
  settings: settingsOf('gift_card', 'GiftCardConfiguration', {
    about: 'Gift cards.',
    accepted: 'Whether gift cards are accepted.',
  }),
  disabled: 'PAIDY_PROCESSING_DISABLED',
  read: ({ gift_code }) => ({
    ...nothing_sealed,
    data: { brand: 'gift_card', last_letters: gift_code.slice(-4) },
    number: sensitive(gift_code),
  }),
  payer: ({ brand }) => ({ name: null, brand }),
  phone: () => null,
  instrument: (service, token) => {
    const code = openNumber(service, token)
    if (code === null || code === 'broken') return code
    return { kind: 'wallet', brand: token.data.brand, code: sensitive(code) }
  },
  sent_as: { instrument: 'wallet', with_brand: true },
  period: () => null,
  simulate: ({ instrument }) => {
    const code = instrument.kind === 'wallet' ? instrument.code.reveal() : ''
    if (!code.startsWith('EMPTY')) return { outcome: 'approved' }
    return { outcome: 'refused', code: 322, detail: 'The gift card is empty.' }
  },
  scenarios: [
    {
      id: 'gift_card_empty',
      group: 'gift card',
      trigger: 'code that begins with `EMPTY`',
      effect: 'Charge fails with 322',
    },
  ],
  customer_fields: ['gift_code'],
  form: {
    kind: 'fields',
    fields: [
      {
        id: 'gift_code',
        asks: ['data.gift_code'],
        texts: {
          en: { label: 'Code on the card', missing: 'Enter the code.', wrong: 'Check the code.' },
          ja: {
            label: 'カードのコード',
            missing: 'コードを入力してください。',
            wrong: 'コードをご確認ください。',
          },
        },
        mends: 'wrong_code',
      },
    ],
  },
}

addMethod('gift_card', gift_card_facts, gift_card_setting_words, gift_card_method)
