import type { CheckoutTexts } from './checkout-texts.ts'

export const checkout_texts_ja: CheckoutTexts = {
  title: 'お支払い',
  pay_to: (store) => `${store}へのお支払い`,
  items: 'ご注文内容',
  quantity: (count) => `× ${count}`,
  total: '合計',
  expires: 'お支払い期限',
  ways: 'お支払い方法を選んでください',
  card: 'クレジットカード・デビットカード',
  saved_card: (brand, last_four) => `${brand} 末尾${last_four}`,
  saved_expiry: (month, year) => `有効期限 ${month}/${year}`,
  konbini: 'コンビニ払い',
  bank_transfer: '銀行振込',
  qr_scan: 'お手元の決済アプリのコード',
  test_wallet: 'テストモードではウォレットは開かず、テスト用のカードでお支払いになります。',
  by_code: (brand) => `${brand}（QRコード）`,
  pay: (amount) => `${amount}を支払う`,
  hold: (amount) => `${amount}の仮売上を承認する`,
  subscribe: (amount) => `${amount}を支払って申し込む`,
  get_number: 'お支払い番号を発行する',
  get_account: '振込先を表示する',
  go_to: (brand) => `${brand}に進む`,
  show_code: 'QRコードを表示する',
  safe: 'カード番号は決済サービスにのみ送信されます。ショップには伝わりません。',
  busy: '少々お待ちください…',
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
      wrong: 'カード番号が正しくありません。もう一度ご確認ください。',
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
      hint: 'カード裏面の3桁の数字です。アメリカン・エキスプレスは表面の4桁です。',
      missing: 'セキュリティコードを入力してください。',
      wrong: 'セキュリティコードの桁数が正しくありません。',
    },
    cardholder: {
      label: 'カード名義',
      missing: 'カードに記載のお名前を入力してください。',
      wrong: 'カードに記載のとおりに入力してください。',
    },
    email: {
      label: 'メールアドレス',
      missing: 'メールアドレスを入力してください。',
      wrong: 'メールアドレスの形式が正しくありません。',
    },
    convenience_store: {
      label: 'お支払いになるお店',
      missing: 'お店を選んでください。',
      wrong: '一覧からお店を選んでください。',
    },
    customer_name: {
      label: 'お名前',
      missing: 'お名前を入力してください。',
      wrong: 'お名前が長すぎるか、使えない文字が含まれています。',
    },
    phone: {
      label: '電話番号',
      hint: '例：090-1234-5678',
      missing: '電話番号を入力してください。',
      wrong: '電話番号の形式が正しくありません。',
    },
    scanned_qr: {
      label: 'コードの下の番号',
      missing: 'アプリに表示されているコードの下の番号を入力してください。',
      wrong: 'この番号の決済アプリは見つかりません。',
    },
    amount: {
      label: '金額',
      missing: '金額を入力してください。',
      wrong: '範囲内の金額を入力してください。',
    },
  },
  choose_chain: 'お店を選ぶ',
  failed: 'お支払いは完了していません。請求は発生していません。',
  errors: {
    wrong_number:
      'カード番号をご利用いただけませんでした。ご確認いただくか、別のカードをご利用ください。',
    card_expired: 'カードの有効期限が切れているか、入力が間違っています。ご確認ください。',
    wrong_cvv: 'セキュリティコードが正しくありません。もう一度ご確認ください。',
    wrong_code:
      'コードをご利用いただけませんでした。アプリで新しいコードを表示して、もう一度お試しください。',
    insufficient_funds: '残高またはご利用枠が足りません。別のお支払い方法をお選びください。',
    not_authenticated:
      'ご本人の確認ができませんでした。もう一度お試しになるか、別のカードをご利用ください。',
    too_late: 'お支払いの時間が過ぎました。もう一度お試しください。',
    unavailable: 'このお支払い方法は現在ご利用いただけません。別の方法をお選びください。',
    declined:
      'カード会社に承認されませんでした。カード会社にご確認いただくか、別の方法をお選びください。',
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
    give_up: {
      konbini: {
        heading: 'お支払い番号を取り消しますか？',
        sentence:
          'この番号ではお支払いいただけなくなります。すでにお支払い済みの場合は、取り消さずにそのままお待ちください。数分で反映されます。',
        number: 'お支払い番号',
        confirm: '番号を取り消す',
        keep: '番号を残す',
      },
      bank_transfer: {
        heading: '銀行振込を取り消しますか？',
        sentence:
          'この口座へのお振込みはお受けできなくなります。すでにお振り込み済みの場合は、取り消さずにそのままお待ちください。翌営業日までかかることがあります。',
        number: '口座番号',
        confirm: '銀行振込を取り消す',
        keep: '銀行振込を続ける',
      },
    },
  },
  done: {
    heading: 'お支払いが完了しました',
    sentence: (store, amount) => `${store}に${amount}をお支払いいただきました。`,
    number: '受付番号',
    date: 'お支払い日時',
    way: 'お支払い方法',
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
