import type { HostedTexts } from './hosted-texts.ts'

const always = (sentence: (store: string) => string) => ({
  money: (store: string) => sentence(store),
  no_money: sentence,
})

export const hosted_texts_ja: HostedTexts = {
  test_banner: { title: 'テストモード', sentence: '実際の請求や入金は発生しません。' },
  trial: {
    heading: 'テスト操作（お客様の代わりに行います）',
    sentence: '実際のお客様には表示されません。次に起こることをお選びください。',
  },
  language: '日本語',
  copy: 'コピー',
  copied: 'コピー済み',
  copy_what: (name) => `${name}をコピー`,
  print: 'このページを印刷する',
  calendar: 'カレンダーに追加する',
  mail: 'メールで送る',
  to_pay: (store) => `${store}へのお支払い`,
  help: (store) => `ご注文に関するお問い合わせは、${store}までお願いいたします。`,
  service: '決済サービス：Kaikei',
  amount: 'お支払い金額',
  expiry: 'お支払い期限',
  japan_time: '日本時間',
  how: 'お支払い方法',
  check_now: 'お支払い状況を確認する',
  not_yet: {
    title: (time) => `まだお支払いを確認できていません（${time}\u00a0時点）。`,
    rest: (time) => `残りの金額のご入金はまだ確認できていません（${time}\u00a0時点）。`,
    qr: 'アプリでお支払いが完了している場合は、1分ほどでこの画面に反映されます。二重にお支払いにならないようご注意ください。',
    konbini:
      '店頭でのお支払い後、反映まで数分かかることがあります。領収書を保管し、二重にお支払いにならないようご注意ください。',
    bank_transfer:
      'お振込みの反映は、金融機関の翌営業日になることがあります。二重にお振り込みにならないようご注意ください。',
  },
  online: {
    heading: (brand) => `${brand}でのお支払い`,
    pay: (amount) => `${amount}を支払う`,
    pay_nothing: '支払う',
    decline: '支払いを拒否する',
    cancel: 'キャンセルして戻る',
  },
  qr: {
    heading: (brand) => `${brand}でのお支払い`,
    image: (brand) => `${brand}でお支払いいただくためのQRコード`,
    steps: [
      (brand) => `スマートフォンで${brand}を開き、「スキャン」を選んでください。`,
      () => 'この画面のQRコードを読み取ってください。',
      () => '金額をご確認のうえ、アプリでお支払いを完了してください。',
    ],
    wallet: 'QRコードを読み取ったウォレットを開く',
  },
  konbini: {
    heading: {
      till: (place) => `${place}でのお支払い`,
      machine: (place) => `${place}でのお支払い`,
    },
    numbers: 'お支払いに必要な番号',
    by_barcode: 'レジでバーコードを見せる',
    show_barcode: 'レジで「インターネット支払い」とお伝えのうえ、このバーコードをお見せください。',
    barcode: 'お支払い用バーコード',
    customer_name: 'お名前',
    test_pay: { till: 'レジで支払う', machine: 'ATMで支払う' },
  },
  bank_transfer: {
    heading: '銀行振込でのお支払い',
    account: 'お振込先',
    bank: '銀行名',
    bank_code: '銀行コード',
    branch: '支店名',
    branch_code: '支店コード',
    account_type: '預金種目',
    ordinary: '普通',
    account_number: '口座番号',
    account_holder: '口座名義',
    amount: 'お振込金額',
    rule: {
      exact: (amount) =>
        `${amount}ちょうどを1回でお振り込みください。異なる金額はお受けできず、返金いたします。`,
      minimum: (amount) => `${amount}以上を1回でお振り込みください。超過分は返金いたします。`,
      maximum: (amount) =>
        `分割でのお振り込みも可能です。合計が${amount}を超えないようお願いいたします。`,
      disabled: (amount) =>
        `分割でのお振り込みも可能です。合計が${amount}を超えた分は返金いたします。`,
    },
    fee: '振込手数料はお客様のご負担となります。お振込金額から差し引かないようお願いいたします。',
    received: 'ご入金済みの金額',
    missing: '残りの金額',
    test_amount: (currency) => `金額（${currency}の最小単位）`,
    test_name: '振込依頼人名',
    test_transfer: '振り込む',
  },
  returned: {
    reasons: {
      too_little: ({ amount, difference, day }) =>
        `${day}に${amount}のご入金がありましたが、${difference}不足していたためお受けできませんでした。`,
      too_much: ({ amount, difference, day }) =>
        `${day}に${amount}のご入金がありましたが、${difference}多かったためお受けできませんでした。`,
      surplus: ({ difference, day }) => `${day}のご入金は、${difference}の超過でした。`,
      late: ({ amount, day }) => `${day}に${amount}のご入金がありましたが、受付終了後でした。`,
      expired: ({ amount }) =>
        `期限までに${amount}のご入金がありましたが、金額が不足していました。`,
      canceled: ({ amount }) => `キャンセル前に${amount}のご入金がありました。`,
    },
    states: {
      returning: ({ returned }) => `${returned}をお客様の口座へ返金しております。`,
      returned: ({ returned }) => `${returned}をお客様の口座へ返金いたしました。`,
      unreturned: ({ returned, store }) =>
        `${returned}を返金できませんでした。${store}へお問い合わせください。`,
    },
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
    heading: (brand) => `${brand}でのお支払い`,
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
        (store) =>
          `代金は請求されていません。お手数ですが、${store}で再度お手続きいただくか、別のお支払い方法をお選びください。`,
      ),
    },
    expired: {
      heading: '有効期限が過ぎました',
      sentence: always(
        (store) =>
          'このページと番号ではお支払いいただけません。' +
          `お手数ですが、${store}で再度お手続きください。` +
          `すでにお支払い済みの場合は、領収書をご用意のうえ${store}へお問い合わせください。`,
      ),
    },
    canceled: {
      heading: 'キャンセルされました',
      sentence: always(
        (store) =>
          `これ以上のお支払いやお手続きは必要ありません。お心当たりのない場合は、${store}へお問い合わせください。`,
      ),
    },
    used: {
      heading: 'このページはすでに使用されています',
      sentence: always(
        (store) =>
          `ご利用は一度限りです。ご不明な点がございましたら、${store}へお問い合わせください。`,
      ),
    },
  },
  receipt: {
    number: '受付番号',
    paid_on: 'お支払い日時',
    store: 'お支払い先',
    method: 'お支払い方法',
    refunded: '返金済みの金額',
    keep: 'お問い合わせの際は、この番号をお店へお伝えください。',
  },
  back: (store) => `${store}に戻る`,
  nobody: {
    heading: 'ページが見つかりません',
    sentence:
      'アドレスが正しいかご確認ください。メールのリンクが途中で切れている場合があります。' +
      'アドレスが正しい場合は、ご案内元のお店に新しいリンクをご依頼ください。',
  },
  trouble: {
    heading: 'エラーが発生しました',
    sentence:
      '申し訳ございません。当サービスで問題が発生しました。この操作による請求はございません。しばらくしてから、もう一度お試しください。',
  },
}
