import type { NameLanguage, Texts } from '../contract/payment-facts.ts'
import type { KonbiniChain } from './konbini-facts.ts'

/**
 * The numbers that a customer types or says at the counter, by the field of the instructions they come
 * from.
 */
export type KonbiniNumber = 'company_code' | 'payment_code' | 'confirmation_code'

/** How customers pay at a chain: its terminals' name for each number, and the buttons to press. */
export interface KonbiniGuide {
  /** The inputs in their order at the terminal. */
  readonly numbers: readonly (readonly [field: KonbiniNumber, name: Texts])[]
  /** The same where the provider has no company code. */
  readonly without_company?: KonbiniGuide['numbers']
  /** The customer's first step. */
  readonly heading: Texts
  readonly steps: Readonly<Record<NameLanguage, readonly string[]>>
  /** Whether tills scan the bar code: as the first thing to try, as another one, or not at all. */
  readonly barcode: 'first' | 'also' | 'never'
  readonly note?: Texts
}

const till: Texts = { en: 'How to pay at the till', ja: 'レジでのお支払い方法' }
const keep_receipt = { en: 'Keep the receipt.', ja: '領収書（レシート）をお受け取りください。' }

const seven_eleven: KonbiniGuide = {
  numbers: [['payment_code', { en: 'Payment slip number', ja: '払込票番号' }]],
  heading: till,
  steps: {
    en: [
      'Say “Internet shiharai” (インターネット支払い) at the till.',
      'Show the bar code, or tell the payment slip number.',
      'Check the amount on the screen of the till, press the button to confirm, and pay.',
      keep_receipt.en,
    ],
    ja: [
      'レジで「インターネット支払い」とお伝えください。',
      '店員にバーコードを見せるか、払込票番号をお伝えください。',
      'レジ画面で金額を確認し、確認ボタンを押してお支払いください。',
      keep_receipt.ja,
    ],
  },
  barcode: 'first',
}

const family_mart: KonbiniGuide = {
  numbers: [
    ['company_code', { en: 'First number (company code)', ja: '第1番号（企業コード）' }],
    ['payment_code', { en: 'Second number (order number)', ja: '第2番号（注文番号）' }],
  ],
  without_company: [
    ['payment_code', { en: 'First number (payment code)', ja: '第1番号（支払コード）' }],
    ['confirmation_code', { en: 'Second number (confirmation)', ja: '第2番号（確認番号）' }],
  ],
  heading: {
    en: 'How to pay at the multi-copy machine',
    ja: 'マルチコピー機でのお支払い方法',
  },
  steps: {
    en: [
      'On the multi-copy machine, press “代金支払い/チャージ” (payments and charging).',
      'Press “番号入力” (enter a number), then type the numbers above in their order.',
      'Check the details and press “確認” (confirm). A slip (申込券) is printed.',
      'Take the slip to the till within 30 minutes and pay.',
      keep_receipt.en,
    ],
    ja: [
      '店内のマルチコピー機で「代金支払い/チャージ」を押してください。',
      '「番号入力」を押し、上の番号を順に入力してください。',
      '内容を確認して「確認」を押すと、申込券が印刷されます。',
      '30分以内に申込券をレジへお持ちになり、お支払いください。',
      keep_receipt.ja,
    ],
  },
  barcode: 'also',
}

const loppi: KonbiniGuide = {
  numbers: [
    ['payment_code', { en: 'Customer number', ja: 'お客様番号' }],
    ['confirmation_code', { en: 'Confirmation number', ja: '確認番号' }],
  ],
  heading: { en: 'How to pay at the Loppi terminal', ja: 'Loppi（ロッピー）でのお支払い方法' },
  steps: {
    en: [
      'On the Loppi, press “各種番号をお持ちの方” (I have a number).',
      'Type the numbers above in their order, and press “次へ” (next) after each.',
      'Check the details and press “確定する” (confirm). A slip (申込券) is printed.',
      'Take the slip to the till within 30 minutes and pay.',
      keep_receipt.en,
    ],
    ja: [
      '店内の Loppi で「各種番号をお持ちの方」を押してください。',
      '上の番号を順に入力し、そのつど「次へ」を押してください。',
      '内容を確認して「確定する」を押すと、申込券が印刷されます。',
      '30分以内に申込券をレジへお持ちになり、お支払いください。',
      keep_receipt.ja,
    ],
  },
  barcode: 'also',
}

const seico_mart: KonbiniGuide = {
  numbers: [
    ['payment_code', { en: 'Reception number', ja: '受付番号' }],
    ['confirmation_code', { en: 'Confirmation number', ja: '確認番号' }],
  ],
  heading: till,
  steps: {
    en: [
      'Say “Internet daikin shiharai” (インターネット代金支払い) at the till.',
      'Enter the numbers above in this order on the register screen.',
      'Check the details, press the button to confirm, and pay.',
      keep_receipt.en,
    ],
    ja: [
      'レジで「インターネット代金支払い」とお伝えください。',
      'レジのお客様用画面に、上の番号を順に入力してください。',
      '内容を確認し、確認ボタンを押してお支払いください。',
      keep_receipt.ja,
    ],
  },
  barcode: 'also',
}

const yamazaki: KonbiniGuide = {
  numbers: [['payment_code', { en: 'Online payment number', ja: 'オンライン決済番号' }]],
  heading: till,
  steps: {
    en: [
      'Say “Online kessai” (オンライン決済) at the till.',
      'Type the online payment number on the screen for customers.',
      'Check the details, press the button to confirm, and pay.',
      keep_receipt.en,
    ],
    ja: [
      'レジで「オンライン決済」とお伝えください。',
      'お客様用の画面に、オンライン決済番号を入力してください。',
      '内容を確認し、確認ボタンを押してお支払いください。',
      keep_receipt.ja,
    ],
  },
  barcode: 'also',
}

const pay_easy: KonbiniGuide = {
  numbers: [
    ['company_code', { en: 'Billing organization number', ja: '収納機関番号' }],
    ['payment_code', { en: 'Customer number', ja: 'お客様番号' }],
    ['confirmation_code', { en: 'Confirmation number', ja: '確認番号' }],
  ],
  heading: {
    en: 'How to pay at a cash machine or in your online banking',
    ja: 'ATM・インターネットバンキングでのお支払い方法',
  },
  steps: {
    en: [
      'Choose “税金・料金払込み” (taxes and fees) or “Pay-easy”.',
      'Type the numbers above in their order.',
      'Check the name and the amount, then pay.',
      'Keep the statement of the machine, or a picture of the last screen.',
    ],
    ja: [
      '「税金・料金払込み」または「ペイジー（Pay-easy）」を選択してください。',
      '上の番号を順に入力してください。',
      'お名前と金額を確認し、お支払いください。',
      'ご利用明細票、または完了画面の控えを保管してください。',
    ],
  },
  barcode: 'never',
}

/** The chain was renamed: its shops are FamilyMart since 2018. */
const now_family_mart = (en: string, ja: string): KonbiniGuide => ({
  ...family_mart,
  note: {
    en: `All ${en} shops are FamilyMart shops now. Please pay at FamilyMart.`,
    ja: `${ja}の店舗は、すべてファミリーマートに変わりました。ファミリーマートでお支払いください。`,
  },
})

export const konbini_guides: Readonly<Record<KonbiniChain, KonbiniGuide>> = {
  seven_eleven,
  family_mart,
  lawson: loppi,
  mini_stop: loppi,
  seico_mart,
  daily_yamazaki: yamazaki,
  yamazaki_daily_store: yamazaki,
  circle_k: now_family_mart('Circle K', 'サークルK'),
  sunkus: now_family_mart('Sunkus', 'サンクス'),
  pay_easy,
}
