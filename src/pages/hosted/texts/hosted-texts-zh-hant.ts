import type { HostedTexts } from './hosted-texts.ts'

const always = (sentence: (store: string) => string) => ({
  money: (store: string) => sentence(store),
  no_money: sentence,
})

export const hosted_texts_zh_hant: HostedTexts = {
  test_banner: { title: '測試模式', sentence: '此頁面不會產生任何實際扣款。' },
  trial: {
    heading: '測試模式：您代替顧客操作',
    sentence: '顧客看不到此內容。請選擇接下來發生的情況。',
  },
  language: '繁體中文',
  copy: '複製',
  copied: '已複製',
  copy_what: (name) => `複製${name}`,
  print: '列印此頁面',
  calendar: '添加到行事曆',
  mail: '用電子郵件發送',
  to_pay: (store) => `向${store}付款`,
  help: (store) => `對訂單有疑問？請聯絡${store}。`,
  service: '支付服務：Kaikei',
  amount: '付款金額',
  expiry: '付款期限',
  japan_time: '日本時間',
  how: '付款方法',
  check_now: '我已付款：立即查詢',
  not_yet: {
    title: (time) => `尚未確認您的付款（${time} 查詢）。`,
    rest: (time) => `尚未收到剩餘金額（${time} 查詢）。`,
    qr: '如果應用程式顯示已付款，此頁面將在一分鐘內更新。請勿重複付款。',
    konbini: '在櫃台付款後，確認需要幾分鐘。請保留收據，並且不要重複付款。',
    bank_transfer: '轉帳可能要到下一個工作日才能到帳。請勿重複轉帳。',
  },
  online: {
    heading: (brand) => `使用${brand}付款`,
    pay: (amount) => `支付 ${amount}`,
    pay_nothing: '支付',
    decline: '拒絕',
    cancel: '取消並返回',
  },
  qr: {
    heading: (brand) => `掃碼使用${brand}付款`,
    image: (brand) => `使用${brand}付款的QR Code`,
    steps: [
      (brand) => `在手機上打開${brand}，點擊掃描。`,
      () => '掃描此頁面上的QR Code。',
      () => '確認金額，並在應用程式中完成付款。',
    ],
    wallet: '打開掃描QR Code的錢包',
  },
  konbini: {
    heading: {
      till: (place) => `在${place}付款`,
      machine: (place) => `使用${place}付款`,
    },
    numbers: '您的付款號碼',
    by_barcode: '在收銀台出示條碼',
    show_barcode: '請說“Internet shiharai”（インターネット支払い），並出示此條碼。',
    barcode: '付款條碼',
    customer_name: '姓名',
    test_pay: { till: '在收銀台付款', machine: '在機器上付款' },
  },
  bank_transfer: {
    heading: '銀行轉帳付款',
    account: '請轉帳到此帳戶',
    bank: '銀行',
    bank_code: '銀行代碼',
    branch: '分行',
    branch_code: '分行代碼',
    account_type: '帳戶類型',
    ordinary: '普通帳戶（普通）',
    account_number: '帳號',
    account_holder: '帳戶名',
    amount: '轉帳金額',
    rule: {
      exact: (amount) => `請一次轉帳，金額必須正好是${amount}。其他金額將被退回。`,
      minimum: (amount) => `請一次轉帳至少${amount}。超出部分將被退回。`,
      maximum: (amount) => `您可以分次付款。總金額請不要超過${amount}。`,
      disabled: (amount) => `您可以分次付款。總金額超過${amount}的部分將被退回。`,
    },
    fee: '銀行轉帳手續費由您承擔。請勿從轉帳金額中扣除。',
    received: '已收到的金額',
    missing: '剩餘金額',
    test_amount: (currency) => `金額（${currency}的最小單位）`,
    test_name: '付款人姓名',
    test_transfer: '轉帳',
  },
  returned: {
    reasons: {
      too_little: ({ amount, difference, day }) => `${day}收到${amount}，少了${difference}。`,
      too_much: ({ amount, difference, day }) => `${day}收到${amount}，多了${difference}。`,
      surplus: ({ difference, day }) => `您${day}的轉帳多了${difference}。`,
      late: ({ amount, day }) => `${day}收到${amount}，但付款已經結束。`,
      expired: ({ amount }) => `付款到期時已收到${amount}。`,
      canceled: ({ amount }) => `付款取消時已收到${amount}。`,
    },
    states: {
      returning: ({ returned }) => `正在將${returned}退回您的帳戶。`,
      returned: ({ returned }) => `${returned}已退回您的帳戶。`,
      unreturned: ({ returned, store }) => `無法退回${returned}。請聯絡${store}。`,
    },
  },
  three_ds: {
    asks: '您的發卡銀行提問',
    heading: '是您本人在操作嗎？',
    question: {
      money: (store, amount) => `${store}將從您的卡片扣款${amount}。您同意嗎？`,
      no_money: (store) => `${store}將保存您的卡片。您同意嗎？`,
    },
    store: '商店',
    card: '卡片',
    expiry: '請在此時間前回答',
    card_ending: (brand, last_four) => `${brand}（末四碼 ${last_four}）`,
    approve: '是，同意',
    decline: '否，拒絕',
    leave: '不回答並離開',
  },
  forward: {
    heading: (brand) => `使用${brand}繼續`,
    challenge: '您的銀行需要確認',
    sentence: '您將在另一個頁面繼續，完成後會回到這裡。',
    go: '繼續',
  },
  end: {
    paid: {
      heading: '付款完成，謝謝！',
      sentence: {
        money: (store, amount) => `您已向${store}支付${amount}。`,
        no_money: (store) => `您向${store}的付款已完成。`,
      },
    },
    authenticated: {
      heading: '已確認，謝謝！',
      sentence: always((store) => `您的銀行已確認您的身份。請返回${store}完成操作。`),
    },
    processing: {
      heading: '正在處理您的付款',
      sentence: always(() => '您無需再做任何操作。請勿重複付款。'),
    },
    declined: {
      heading: '付款被拒絕',
      sentence: always((store) => `沒有扣款。請返回${store}重試，或使用其他付款方式。`),
    },
    expired: {
      heading: '此付款已過期',
      sentence: always(
        (store) =>
          `請不要使用此頁面的號碼付款。如需重新訂購，請返回${store}。如果您已付款，請將收據發送給${store}。`,
      ),
    },
    canceled: {
      heading: '付款已取消',
      sentence: always((store) => `您無需再付款。如果這不是您預期的結果，請聯絡${store}。`),
    },
    used: {
      heading: '此頁面已被使用',
      sentence: always((store) => `此頁面只能使用一次。如有疑問，請聯絡${store}。`),
    },
  },
  receipt: {
    number: '收據號碼',
    paid_on: '日期',
    store: '收款方',
    method: '付款方式',
    refunded: '已退款',
    keep: '如有疑問，請將此號碼告知商店。',
  },
  back: (store) => `返回${store}`,
  nobody: {
    heading: '找不到頁面',
    sentence: '請檢查網址：郵件程式有時會截斷較長的連結。如果網址正確，請向商店索取新的連結。',
  },
  trouble: {
    heading: '我們這邊出現了問題',
    sentence: '沒有扣款。請稍後重試。',
  },
}
