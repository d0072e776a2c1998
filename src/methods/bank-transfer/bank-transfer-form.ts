import type { CheckoutForm, GiveUpTexts } from '../contract/checkout-form.ts'
import type { NameLanguage } from '../contract/payment-facts.ts'
import { bank_transfer_facts } from './bank-transfer-facts.ts'

const button = { en: 'Get the bank account', ja: '振込先を表示する' }

export const bank_transfer_form = {
  kind: 'brands',
  title: (brand, language, is_only) => {
    const name = bank_transfer_facts.customer_name[language]
    return is_only ? name : `${name}: ${brand}`
  },
  button: (_, language) => button[language],
} satisfies CheckoutForm

export const bank_transfer_give_up: Readonly<Record<NameLanguage, GiveUpTexts>> = {
  en: {
    heading: 'Give up your bank transfer?',
    sentence:
      'Money sent to this account will no longer be accepted. If you have already sent your ' +
      'transfer, keep it: it can take until the next business day.',
    number: 'Account number',
    confirm: 'Give up the transfer',
    keep: 'Keep the transfer',
  },
  ja: {
    heading: '銀行振込を取り消しますか？',
    sentence:
      'この口座へのお振込みはお受けできなくなります。すでにお振り込み済みの場合は、取り消さずにそのままお待ちください。翌営業日までかかることがあります。',
    number: '口座番号',
    confirm: '銀行振込を取り消す',
    keep: '銀行振込を続ける',
  },
}
