import type { BankTransferView, EndView, Language } from './hosted-view.ts'

type Sentence = (name: string) => string

/** A page about an amount; without an amount, it is about the card alone. */
interface WithOrWithoutMoney {
  readonly money: (store: string, amount: string) => string
  readonly no_money: Sentence
}

interface EndTexts {
  readonly heading: string
  readonly sentence: WithOrWithoutMoney
}

/** Every text that a customer can read. All languages have the same keys. */
export interface HostedTexts {
  readonly test_banner: { readonly title: string; readonly sentence: string }
  readonly amount: string
  readonly expiry: string
  readonly online: {
    readonly heading: Sentence
    readonly check: string
    readonly pay: Sentence
    readonly pay_nothing: string
    readonly decline: string
    readonly cancel: string
  }
  readonly qr: {
    readonly heading: Sentence
    readonly image: Sentence
    readonly how: string
    readonly steps: Sentence
    readonly wallet: string
    readonly check_now: string
  }
  readonly konbini: {
    readonly heading: AtTillOrMachine<Sentence>
    readonly payment_code: string
    readonly barcode: string
    readonly customer_name: string
    readonly how: string
    readonly steps: AtTillOrMachine<StepTexts>
    readonly test_pay: AtTillOrMachine<string>
  }
  readonly bank_transfer: {
    readonly heading: string
    readonly account: string
    readonly bank: string
    readonly branch: string
    readonly coded: (name: string, code: string) => string
    readonly account_type: string
    readonly ordinary: string
    readonly account_number: string
    readonly account_holder: string
    readonly rule: Readonly<Record<BankTransferView['match_amount'], Sentence>>
    readonly received: string
    readonly missing: string
    readonly test_heading: string
    readonly test_amount: Sentence
    readonly test_name: string
    readonly test_transfer: string
  }
  readonly three_ds: {
    readonly asks: string
    readonly heading: string
    readonly question: WithOrWithoutMoney
    readonly store: string
    readonly card: string
    readonly expiry: string
    readonly card_ending: (brand: string, last_four: string) => string
    readonly approve: string
    readonly decline: string
    readonly leave: string
  }
  readonly forward: {
    readonly heading: Sentence
    readonly challenge: string
    readonly sentence: string
    readonly go: string
  }
  readonly end: Readonly<Record<EndView['end'], EndTexts>>
  readonly back: Sentence
  readonly nobody: string
  readonly trouble: { readonly heading: string; readonly sentence: string }
}

/** A store counter with staff, or a machine and a bank's own screen. */
interface AtTillOrMachine<T> {
  readonly till: T
  readonly machine: T
}

type StepTexts = readonly [Sentence, ...Sentence[]]

function always(sentence: Sentence): WithOrWithoutMoney {
  return { money: (store) => sentence(store), no_money: sentence }
}

const english: HostedTexts = {
  test_banner: { title: 'Test mode', sentence: 'No money moves. You choose the outcome yourself.' },
  amount: 'Amount',
  expiry: 'Please pay by',
  online: {
    heading: (brand) => `Pay with ${brand}`,
    check: 'Please check the details, then pay.',
    pay: (amount) => `Pay ${amount}`,
    pay_nothing: 'Pay',
    decline: 'Decline',
    cancel: 'Cancel and go back',
  },
  qr: {
    heading: (brand) => `Scan to pay with ${brand}`,
    image: (brand) => `QR code for paying with ${brand}`,
    how: 'How to pay',
    steps: (brand) =>
      `Open ${brand} on your phone, scan this code, check the amount and confirm the payment there.`,
    wallet: 'Open the wallet as the customer would',
    check_now: 'I have paid: check now',
  },
  konbini: {
    heading: { till: (place) => `Pay at ${place}`, machine: (place) => `Pay with ${place}` },
    payment_code: 'Payment code',
    barcode: 'Bar code of this payment',
    customer_name: 'Name',
    how: 'How to pay',
    steps: {
      till: [
        (place) => `Go to any ${place} shop with this page, on your phone or printed.`,
        () => 'At the till, say that you have an online payment to make.',
        () => 'Show the bar code, or tell the payment code.',
        () => 'Pay the amount and keep the receipt.',
      ],
      machine: [
        (place) => `Choose ${place} at a cash machine or in your online banking.`,
        () => 'Enter the payment code.',
        () => 'Check the name and the amount, then pay.',
        () => 'Keep the receipt.',
      ],
    },
    test_pay: { till: 'Pay at the till (test)', machine: 'Pay at the machine (test)' },
  },
  bank_transfer: {
    heading: 'Pay by bank transfer',
    account: 'Transfer to this account',
    bank: 'Bank',
    branch: 'Branch',
    coded: (name, code) => `${name} (${code})`,
    account_type: 'Account type',
    ordinary: 'Ordinary (普通)',
    account_number: 'Account number',
    account_holder: 'Account holder',
    rule: {
      exact: (amount) => `Please send exactly ${amount}: no other amount is accepted.`,
      minimum: (amount) => `Please send at least ${amount}. A surplus is sent back to you.`,
      maximum: (amount) => `You may pay in parts, but please send no more than ${amount} in all.`,
      disabled: (amount) =>
        `You may pay in parts. If more than ${amount} arrives in all, the surplus is sent back to you.`,
    },
    received: 'Received so far',
    missing: 'Still missing',
    test_heading: 'Make the transfer (test)',
    test_amount: (currency) => `Amount in the smallest unit of ${currency}`,
    test_name: 'Name of the payer',
    test_transfer: 'Transfer (test)',
  },
  three_ds: {
    asks: 'The bank of your card asks',
    heading: 'Is this really you?',
    question: {
      money: (store, amount) =>
        `${store} is about to take ${amount} from your card. Please tell us whether you want this.`,
      no_money: (store) =>
        `${store} is about to register your card. Please tell us whether you want this.`,
    },
    store: 'Store',
    card: 'Card',
    expiry: 'Please answer by',
    card_ending: (brand, last_four) => `${brand} ending in ${last_four}`,
    approve: 'Yes, it is me: approve',
    decline: 'No: decline',
    leave: 'Leave without answering',
  },
  forward: {
    heading: (brand) => `Continue with ${brand}`,
    challenge: 'The bank of your card has a question',
    sentence: 'You go on to another page, and come back here afterwards.',
    go: 'Continue',
  },
  end: {
    paid: {
      heading: 'Thank you, it is paid',
      sentence: {
        money: (store, amount) => `Your payment of ${amount} to ${store} is complete.`,
        no_money: (store) => `Your payment to ${store} is complete.`,
      },
    },
    authenticated: {
      heading: 'Thank you, it is confirmed',
      sentence: always((store) => `Your bank knows that it is you. ${store} takes it from here.`),
    },
    processing: {
      heading: 'Just a moment, please',
      sentence: always(
        () =>
          'This is still being processed. There is nothing more to do: please do not pay again.',
      ),
    },
    declined: {
      heading: 'It was declined',
      sentence: always((store) => `Nothing was charged. You are welcome to try again at ${store}.`),
    },
    expired: {
      heading: 'The time is over',
      sentence: always(
        (store) => `This page can no longer be used. To try again, please go back to ${store}.`,
      ),
    },
    canceled: {
      heading: 'It was canceled',
      sentence: always(() => 'There is nothing more to pay or to do here.'),
    },
    used: {
      heading: 'This page was used already',
      sentence: always(
        (store) => `It works only once. If something is unclear, please ask ${store}.`,
      ),
    },
  },
  back: (store) => `Back to ${store}`,
  nobody: 'There is no such page',
  trouble: {
    heading: 'Something went wrong on our side',
    sentence: 'Nothing was charged by this. Please try again in a moment.',
  },
}

const japanese: HostedTexts = {
  test_banner: {
    title: 'テストモード',
    sentence: '実際の請求や入金は発生しません。結果はご自身でお選びいただけます。',
  },
  amount: 'お支払い金額',
  expiry: 'お支払い期限',
  online: {
    heading: (brand) => `${brand} でのお支払い`,
    check: '内容をご確認のうえ、お支払いください。',
    pay: (amount) => `${amount}を支払う`,
    pay_nothing: '支払う',
    decline: '支払いを拒否する',
    cancel: 'キャンセルして戻る',
  },
  qr: {
    heading: (brand) => `${brand} でのお支払い`,
    image: (brand) => `${brand} でお支払いいただくためのQRコード`,
    how: 'お支払い方法',
    steps: (brand) =>
      `スマートフォンで ${brand} を開き、QRコードを読み取ってください。金額をご確認のうえ、アプリでお支払いを完了してください。`,
    wallet: 'お客様としてウォレットを開く（テスト）',
    check_now: 'お支払い済みの方：状況を確認する',
  },
  konbini: {
    heading: {
      till: (place) => `${place} でのお支払い`,
      machine: (place) => `${place} でのお支払い`,
    },
    payment_code: 'お支払い番号',
    barcode: 'お支払い用バーコード',
    customer_name: 'お名前',
    how: 'お支払い方法',
    steps: {
      till: [
        (place) => `この画面、または印刷したものをお持ちになり、${place} の店舗へお越しください。`,
        () => 'レジで「インターネット代金のお支払い」とお伝えください。',
        () => 'バーコードをご提示いただくか、お支払い番号をお伝えください。',
        () => '代金をお支払いのうえ、領収書をお受け取りください。',
      ],
      machine: [
        (place) => `ATMまたはインターネットバンキングで ${place} をお選びください。`,
        () => 'お支払い番号をご入力ください。',
        () => 'お名前と金額をご確認のうえ、お支払いください。',
        () => '明細書を保管してください。',
      ],
    },
    test_pay: { till: 'レジで支払う（テスト）', machine: 'ATMで支払う（テスト）' },
  },
  bank_transfer: {
    heading: '銀行振込でのお支払い',
    account: 'お振込先',
    bank: '銀行名',
    branch: '支店名',
    coded: (name, code) => `${name}（${code}）`,
    account_type: '預金種目',
    ordinary: '普通',
    account_number: '口座番号',
    account_holder: '口座名義',
    rule: {
      exact: (amount) => `${amount}ちょうどをお振り込みください。異なる金額はお受けできません。`,
      minimum: (amount) => `${amount}以上をお振り込みください。超過分は返金いたします。`,
      maximum: (amount) =>
        `分割でのお振り込みも可能です。合計が${amount}を超えないようお願いいたします。`,
      disabled: (amount) =>
        `分割でのお振り込みも可能です。合計が${amount}を超えた分は返金いたします。`,
    },
    received: 'ご入金済みの金額',
    missing: '残りの金額',
    test_heading: '振り込む（テスト）',
    test_amount: (currency) => `金額（${currency}の最小単位）`,
    test_name: '振込依頼人名',
    test_transfer: '振り込む（テスト）',
  },
  three_ds: {
    asks: 'カード発行会社からのご確認',
    heading: 'ご本人さまによるお手続きですか？',
    question: {
      money: (store, amount) =>
        `${store}で${amount}のカード決済が行われようとしています。お心当たりがあるかご確認ください。`,
      no_money: (store) =>
        `${store}でカードの登録が行われようとしています。お心当たりがあるかご確認ください。`,
    },
    store: 'ご利用先',
    card: 'カード',
    expiry: 'ご回答期限',
    card_ending: (brand, last_four) => `${brand}（末尾\u00a0${last_four}）`,
    approve: 'はい、本人です（承認する）',
    decline: 'いいえ（拒否する）',
    leave: '回答せずに戻る',
  },
  forward: {
    heading: (brand) => `${brand}でお支払い`,
    challenge: 'カード発行会社による本人確認',
    sentence: '別のページに移動します。お手続きが終わると、このページに戻ります。',
    go: '次へ進む',
  },
  end: {
    paid: {
      heading: 'お支払いが完了しました',
      sentence: {
        money: (store, amount) =>
          `${store}への${amount}のお支払いが完了しました。ご利用ありがとうございます。`,
        no_money: (store) => `${store}へのお支払いが完了しました。ご利用ありがとうございます。`,
      },
    },
    authenticated: {
      heading: '本人確認が完了しました',
      sentence: always(
        (store) => `ご協力ありがとうございます。このあとのお手続きは${store}にて進められます。`,
      ),
    },
    processing: {
      heading: 'ただいま処理中です',
      sentence: always(() => '完了までしばらくお待ちください。再度のお支払いは必要ありません。'),
    },
    declined: {
      heading: '承認されませんでした',
      sentence: always(
        (store) => `代金は請求されていません。お手数ですが、${store}で再度お手続きください。`,
      ),
    },
    expired: {
      heading: '有効期限が過ぎました',
      sentence: always(
        (store) =>
          `このページはご利用いただけません。お手数ですが、${store}で再度お手続きください。`,
      ),
    },
    canceled: {
      heading: 'キャンセルされました',
      sentence: always(() => 'これ以上のお支払いやお手続きは必要ありません。'),
    },
    used: {
      heading: 'このページはすでに使用されています',
      sentence: always(
        (store) =>
          `ご利用は一度限りです。ご不明な点がございましたら、${store}へお問い合わせください。`,
      ),
    },
  },
  back: (store) => `${store}に戻る`,
  nobody: 'ページが見つかりません',
  trouble: {
    heading: 'エラーが発生しました',
    sentence:
      '申し訳ございません。当サービスで問題が発生しました。この操作による請求はございません。しばらくしてから、もう一度お試しください。',
  },
}

export const hosted_texts: Readonly<Record<Language, HostedTexts>> = { en: english, ja: japanese }
