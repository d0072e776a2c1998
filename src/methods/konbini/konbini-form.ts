import type { CheckoutForm, FormField, GiveUpTexts } from '../contract/checkout-form.ts'
import type { NameLanguage } from '../contract/payment-facts.ts'

const convenience_store: FormField = {
  id: 'convenience_store',
  asks: ['data.convenience_store'],
  texts: {
    en: {
      label: 'Where will you pay?',
      missing: 'Choose a store.',
      wrong: 'Choose one of the stores.',
    },
    ja: {
      label: 'お支払いになるお店',
      missing: 'お店を選んでください。',
      wrong: '一覧からお店を選んでください。',
    },
  },
  choose: 'mark',
  is_shown_again: true,
}

const customer_name: FormField = {
  id: 'customer_name',
  asks: ['data.customer_name'],
  texts: {
    en: {
      label: 'Your name',
      missing: 'Enter your name.',
      wrong: "This name is too long or has characters we can't use.",
    },
    ja: {
      label: 'お名前',
      missing: 'お名前を入力してください。',
      wrong: 'お名前が長すぎるか、使えない文字が含まれています。',
    },
  },
  autocomplete: 'name',
  maxlength: 255,
  given: 'name',
  is_shown_again: true,
}

const phone: FormField = {
  id: 'phone',
  name: 'phone_number.local_number',
  asks: ['data.phone_number', 'data.phone_number.local_number'],
  texts: {
    en: {
      label: 'Phone number',
      hint: 'A Japanese number, such as 090-1234-5678.',
      missing: 'Enter your phone number.',
      wrong: 'Enter a Japanese phone number.',
    },
    ja: {
      label: '電話番号',
      hint: '例：090-1234-5678',
      missing: '電話番号を入力してください。',
      wrong: '電話番号の形式が正しくありません。',
    },
  },
  type: 'tel',
  autocomplete: 'tel-national',
  given: 'phone',
  is_shown_again: true,
}

export const konbini_form: CheckoutForm = {
  kind: 'fields',
  fields: [convenience_store, customer_name, phone],
  hidden: { 'phone_number.country_code': '81' },
  button: { en: 'Get payment number', ja: 'お支払い番号を発行する' },
}

export const konbini_give_up: Readonly<Record<NameLanguage, GiveUpTexts>> = {
  en: {
    heading: 'Cancel your payment number?',
    sentence:
      'The store will refuse this number. If you have already paid, keep it: we confirm within minutes.',
    number: 'Payment number',
    confirm: 'Cancel number',
    keep: 'Keep number',
  },
  ja: {
    heading: 'お支払い番号を取り消しますか？',
    sentence:
      'この番号ではお支払いいただけなくなります。すでにお支払い済みの場合は、取り消さずにそのままお待ちください。数分で反映されます。',
    number: 'お支払い番号',
    confirm: '番号を取り消す',
    keep: '番号を残す',
  },
}
