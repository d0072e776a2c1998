import { defineWords } from '../../../words/language.tsx'

export const appearance_words = defineWords(
  {
    of_store: (store: string) => `The appearance of the payment pages of ${store}.`,
    of_merchant: 'The appearance of the payment pages of all stores without their own settings.',
    fields: {
      logo_url: 'Logo',
      main_color: 'Main color',
      contact_email: 'E-mail for customers',
      contact_phone: 'Phone number for customers',
      contact_url: 'Page for questions',
      commercial_disclosure_url: 'Commercial disclosure (特定商取引法)',
      privacy_url: 'Privacy policy',
      terms_url: 'Terms of sale',
    },
    hints: {
      logo_url: 'The https address of a picture. It is shown 32 pixels high.',
    },
    groups: { look: 'Logo and color', contact: 'Contact', legal: 'Legal pages' },
    inherited: (value: string) => `From the merchant: ${value}`,
    color_picker: 'Choose a color',
    contrast: (text: string, ratio: string) =>
      `Button text is ${text} (contrast ${ratio}:1). Links and outlines are adjusted until they are readable, so every color meets WCAG AA.`,
    on_button: { white: 'white', black: 'black' },
    wrong_color: 'Enter # and six hexadecimal digits, such as #1f5eff.',
    save: 'Save appearance',
    saved: 'The appearance was saved.',
    preview: 'Preview',
    preview_of: 'Preview of the checkout page',
    widths: { phone: 'Phone', desktop: 'Desktop' },
  },
  {
    of_store: (store: string) => `${store}の顧客が支払うページの外観です。`,
    of_merchant: '顧客が支払うページの外観です。個別の設定がないすべての店舗に使われます。',
    fields: {
      logo_url: 'ロゴ',
      main_color: 'メインカラー',
      contact_email: 'お問い合わせ先メールアドレス',
      contact_phone: 'お問い合わせ先電話番号',
      contact_url: 'お問い合わせページ',
      commercial_disclosure_url: '特定商取引法に基づく表記',
      privacy_url: 'プライバシーポリシー',
      terms_url: '利用規約',
    },
    hints: {
      logo_url: '画像のアドレス（https）。高さ32ピクセルで表示されます。',
    },
    groups: { look: 'ロゴと色', contact: 'お問い合わせ先', legal: '法令に基づく表示' },
    inherited: (value: string) => `加盟店の設定：${value}`,
    color_picker: '色を選択',
    contrast: (text: string, ratio: string) =>
      `ボタンの文字は${text}になります（コントラスト比${ratio}:1）。リンクと枠線の色は、読める濃さになるまで自動で調整します。どの色でもWCAGのAAを満たします。`,
    on_button: { white: '白', black: '黒' },
    wrong_color: '#に続く16進数6桁で入力してください（例：#1f5eff）。',
    save: '外観を保存',
    saved: '外観を保存しました。',
    preview: 'プレビュー',
    preview_of: '支払いページのプレビュー',
    widths: { phone: 'スマートフォン', desktop: 'パソコン' },
  },
)
