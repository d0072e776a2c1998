import type { CheckoutTexts } from './checkout-texts.ts'

export const checkout_texts_ja: CheckoutTexts = {
  title: 'お支払い',
  pay_to: (store) => `${store}へのお支払い`,
  items: 'ご注文内容',
  quantity: (count) => `× ${count}`,
  order: (count) => `ご注文 ${count}点`,
  total: '合計',
  expires: 'お支払い期限',
  ways: 'お支払い方法',
  other_ways: 'ほかのお支払い方法',
  card: 'カード情報',
  saved_card: (brand, last_four) => `${brand} 末尾${last_four}`,
  saved_expiry: (month, year) => `有効期限 ${month}/${year}`,
  pay: (amount) => `${amount}を支払う`,
  hold: (amount) => `${amount}の支払いを承認する`,
  subscribe: (amount) => `${amount}を支払って申し込む`,
  safe: 'カード番号は決済サービス「Kaikei」だけに暗号化して送信されます。ショップには伝わりません。',
  busy: '処理しています…',
  stored: 'カードは、このショップでの次回以降のお支払いのために保存されます。',
  subscription: (amount, period) => `以後、${period}${amount}のお支払いとなります。`,
  periods: {
    daily: '毎日',
    weekly: '毎週',
    biweekly: '2週間ごとに',
    monthly: '毎月',
    bimonthly: '2か月ごとに',
    quarterly: '3か月ごとに',
    semiannually: '半年ごとに',
    annually: '毎年',
    other: 'ショップとの取り決めに従って',
  },
  fields: {
    card_number: {
      label: 'カード番号',
      missing: 'カード番号を入力してください。',
      wrong: 'カード番号に誤りがあります。もう一度ご確認ください。',
    },
    expiry: {
      label: '有効期限',
      hint: '月 / 年',
      missing: '有効期限を入力してください。',
      wrong:
        '有効期限を「月 / 年」の順に入力してください。期限切れのカードはご利用いただけません。',
    },
    cvv: {
      label: 'セキュリティコード',
      missing: 'セキュリティコードを入力してください。',
      wrong: 'カード裏面の3桁（アメリカン・エキスプレスは表面の4桁）の数字を入力してください。',
    },
    cardholder: {
      label: 'カード名義（ローマ字）',
      missing: 'カードに記載のお名前を入力してください。',
      wrong: 'お名前をカードの表記どおりに入力してください。',
    },
    email: {
      label: 'メールアドレス',
      missing: 'メールアドレスを入力してください。',
      wrong: 'メールアドレスをご確認ください（例：name@example.com）。',
    },
    amount: {
      label: '金額',
      missing: '金額を入力してください。',
      wrong: '範囲内の金額を入力してください。',
    },
  },
  failed: 'お支払いを完了できませんでした。代金は請求されていません。',
  errors: {
    wrong_number:
      'カード番号をご利用いただけませんでした。ご確認いただくか、別のカードをご利用ください。',
    card_expired: 'カードの有効期限が切れているか、入力が間違っています。ご確認ください。',
    wrong_cvv: 'セキュリティコードが正しくありません。もう一度ご確認ください。',
    wrong_code:
      'コードをご利用いただけませんでした。アプリで新しいコードを表示して、もう一度お試しください。',
    insufficient_funds:
      '残高またはご利用可能額が不足しています。別のカードまたは別のお支払い方法をお試しください。',
    not_authenticated:
      'ご本人の確認ができませんでした。もう一度お試しになるか、別のカードをご利用ください。',
    too_late: 'お支払いの時間が過ぎました。もう一度お試しください。',
    unavailable: 'このお支払い方法は現在ご利用いただけません。別の方法をお選びください。',
    declined: 'カードが承認されませんでした。別のカードまたは別のお支払い方法をお試しください。',
    refused: 'お支払いが承認されませんでした。別のカードまたは別のお支払い方法をお試しください。',
    technical:
      'お支払いを処理できませんでした。しばらくしてからもう一度お試しいただくか、別のお支払い方法をお選びください。',
  },
  faults: {
    input: '入力に不足または誤りがあります。ご確認のうえ、もう一度お試しください。',
    ended: 'このページではお支払いいただけません。',
    processing: 'お支払いを処理しています。少々お待ちください。',
    cards_closed:
      '承認されなかったカードが続いたため、カードはご利用いただけません。別の方法をお選びください。',
    card_refused:
      'このカードはこのショップではご利用いただけません。別のカードまたは別のお支払い方法をお選びください。',
    busy: '操作の回数が多すぎます。1分ほどお待ちになってから、もう一度お試しください。',
    subscribed:
      'このカードではすでにお申し込み済みです。変更をご希望の場合は、ショップにお問い合わせください。',
  },
  offline:
    '通信できません。接続をご確認のうえ、もう一度お試しください。二重に請求されることはありません。',
  refused: 'このページではお支払いいただけません。ショップにお問い合わせください。',
  test_fill: 'テストカードを入力する',
  test_cards: {
    success: '成功',
    declined: '承認拒否',
    insufficient_funds: '残高不足',
    three_ds: '3Dセキュア',
  },
  no_ways: 'このページでご利用いただけるお支払い方法がありません。ショップにお問い合わせください。',
  wait: {
    heading: 'お支払いを処理しています',
    sentence: '数秒かかります。完了すると自動的に次の画面に進みます。',
    slow: '完了したか確認する',
  },
  bank: {
    heading: 'カード会社の本人認証',
    sentence: 'カード会社がご本人による支払いかどうかを確認します。',
  },
  elsewhere: {
    heading: 'お支払いを続けてください',
    sentence: 'お支払いに必要な情報は次のページにあります。完了するとこちらに戻ります。',
    go: '続ける',
    change: '別のお支払い方法を選ぶ',
  },
  done: {
    heading: 'お支払いが完了しました',
    sentence: (store, amount) => `${store}に${amount}をお支払いいただきました。`,
    number: '受付番号',
    date: 'お支払い日時',
    way: 'お支払い方法',
    card: (brand, last_four) => `${brand}（末尾${last_four}）`,
    store: 'お支払い先',
    returning: (store) => `数秒後に${store}へ戻ります。`,
    mail: {
      subject: (store) => `${store}のお支払い内容`,
      send: 'お支払い内容をメールで受け取る',
      sent: 'お支払い内容をメールでお送りしました。届かない場合は、迷惑メールのフォルダーもご確認ください。',
      enough:
        'このお支払いについては、これ以上メールをお送りできません。このページを印刷または保存してください。',
    },
  },
  expired: {
    heading: 'お支払い期限が過ぎました',
    sentence: '請求は発生していません。ショップに戻って、もう一度ご注文ください。',
  },
  canceled: {
    heading: 'このお支払いは取り消されました',
    sentence: '請求は発生していません。お心当たりがない場合は、ショップにお問い合わせください。',
  },
  nobody: {
    heading: 'ページが見つかりません',
    sentence: 'リンクをもう一度開くか、ショップに新しいリンクをご依頼ください。',
  },
  link: {
    go: 'お支払いに進む',
    closed: {
      heading: 'このリンクは終了しました',
      sentence: '有効期限が過ぎたか、利用できる回数に達しました。ショップにお問い合わせください。',
    },
    bounds: (min, max) => `${min}から${max}まで`,
  },
  back: 'ショップに戻る',
  leave: 'お支払いをやめてショップに戻る',
  questions: 'お問い合わせ',
  law: '特定商取引法に基づく表記',
  privacy: 'プライバシーポリシー',
  terms: '利用規約',
}
