import type { CheckoutForm, GiveUpTexts } from '../contract/checkout-form.ts'
import type { NameLanguage } from '../contract/payment-facts.ts'

const button = { en: 'Show bank details', ja: '振込先を表示する' }

export const bank_transfer_form = {
  kind: 'brands',
  button: (_, language) => button[language],
} satisfies CheckoutForm

export const bank_transfer_give_up: Readonly<Record<NameLanguage, GiveUpTexts>> = {
  en: {
    heading: 'Cancel your bank transfer?',
    sentence:
      'The bank will refuse this transfer. If you have already sent it, keep it: it can take a business day.',
    number: 'Account number',
    confirm: 'Cancel transfer',
    keep: 'Keep transfer',
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
