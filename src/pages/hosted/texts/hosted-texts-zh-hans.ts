import type { HostedTexts } from './hosted-texts.ts'

const always = (sentence: (store: string) => string) => ({
  money: (store: string) => sentence(store),
  no_money: sentence,
})

export const hosted_texts_zh_hans: HostedTexts = {
  test_banner: { title: '测试模式', sentence: '此页面不会产生任何实际扣款。' },
  trial: {
    heading: '测试模式：您代替顾客操作',
    sentence: '顾客看不到此内容。请选择接下来发生的情况。',
  },
  language: '简体中文',
  copy: '复制',
  copied: '已复制',
  copy_what: (name) => `复制${name}`,
  print: '打印此页面',
  calendar: '添加到日历',
  mail: '用电子邮件发送',
  to_pay: (store) => `向${store}付款`,
  help: (store) => `对订单有疑问？请联系${store}。`,
  service: '支付服务：Kaikei',
  amount: '付款金额',
  expiry: '付款期限',
  japan_time: '日本时间',
  how: '付款方法',
  check_now: '我已付款：立即查询',
  not_yet: {
    title: (time) => `尚未确认您的付款（${time} 查询）。`,
    rest: (time) => `尚未收到剩余金额（${time} 查询）。`,
    qr: '如果应用显示已付款，此页面将在一分钟内更新。请勿重复付款。',
    konbini: '在柜台付款后，确认需要几分钟。请保留收据，并且不要重复付款。',
    bank_transfer: '转账可能要到下一个工作日才能到账。请勿重复转账。',
  },
  online: {
    heading: (brand) => `使用${brand}付款`,
    pay: (amount) => `支付 ${amount}`,
    pay_nothing: '支付',
    decline: '拒绝',
    cancel: '取消并返回',
  },
  qr: {
    heading: (brand) => `扫码使用${brand}付款`,
    image: (brand) => `使用${brand}付款的二维码`,
    steps: [
      (brand) => `在手机上打开${brand}，点击扫一扫。`,
      () => '扫描此页面上的二维码。',
      () => '确认金额，并在应用中完成付款。',
    ],
    wallet: '打开扫描二维码的钱包',
  },
  konbini: {
    heading: {
      till: (place) => `在${place}付款`,
      machine: (place) => `使用${place}付款`,
    },
    numbers: '您的付款号码',
    by_barcode: '在收银台出示条形码',
    show_barcode: '请说“Internet shiharai”（インターネット支払い），并出示此条形码。',
    barcode: '付款条形码',
    customer_name: '姓名',
    test_pay: { till: '在收银台付款', machine: '在机器上付款' },
  },
  bank_transfer: {
    heading: '银行转账付款',
    account: '请转账到此账户',
    bank: '银行',
    bank_code: '银行代码',
    branch: '分行',
    branch_code: '分行代码',
    account_type: '账户类型',
    ordinary: '普通账户（普通）',
    account_number: '账号',
    account_holder: '账户名',
    amount: '转账金额',
    rule: {
      exact: (amount) => `请一次转账，金额必须正好是${amount}。其他金额将被退回。`,
      minimum: (amount) => `请一次转账至少${amount}。超出部分将被退回。`,
      maximum: (amount) => `您可以分次付款。总金额请不要超过${amount}。`,
      disabled: (amount) => `您可以分次付款。总金额超过${amount}的部分将被退回。`,
    },
    fee: '银行转账手续费由您承担。请勿从转账金额中扣除。',
    received: '已收到的金额',
    missing: '剩余金额',
    test_amount: (currency) => `金额（${currency}的最小单位）`,
    test_name: '付款人姓名',
    test_transfer: '转账',
  },
  returned: {
    reasons: {
      too_little: ({ amount, difference, day }) => `${day}收到${amount}，少了${difference}。`,
      too_much: ({ amount, difference, day }) => `${day}收到${amount}，多了${difference}。`,
      surplus: ({ difference, day }) => `您${day}的转账多了${difference}。`,
      late: ({ amount, day }) => `${day}收到${amount}，但付款已经结束。`,
      expired: ({ amount }) => `付款到期时已收到${amount}。`,
      canceled: ({ amount }) => `付款取消时已收到${amount}。`,
    },
    states: {
      returning: ({ returned }) => `正在将${returned}退回您的账户。`,
      returned: ({ returned }) => `${returned}已退回您的账户。`,
      unreturned: ({ returned, store }) => `无法退回${returned}。请联系${store}。`,
    },
  },
  three_ds: {
    asks: '您的发卡银行提问',
    heading: '是您本人在操作吗？',
    question: {
      money: (store, amount) => `${store}将从您的银行卡扣款${amount}。您同意吗？`,
      no_money: (store) => `${store}将保存您的银行卡。您同意吗？`,
    },
    store: '商店',
    card: '银行卡',
    expiry: '请在此时间前回答',
    card_ending: (brand, last_four) => `${brand}（尾号 ${last_four}）`,
    approve: '是，同意',
    decline: '否，拒绝',
    leave: '不回答并离开',
  },
  forward: {
    heading: (brand) => `使用${brand}继续`,
    challenge: '您的银行需要确认',
    sentence: '您将在另一个页面继续，完成后会回到这里。',
    go: '继续',
  },
  end: {
    paid: {
      heading: '付款完成，谢谢！',
      sentence: {
        money: (store, amount) => `您已向${store}支付${amount}。`,
        no_money: (store) => `您向${store}的付款已完成。`,
      },
    },
    authenticated: {
      heading: '已确认，谢谢！',
      sentence: always((store) => `您的银行已确认您的身份。请返回${store}完成操作。`),
    },
    processing: {
      heading: '正在处理您的付款',
      sentence: always(() => '您无需再做任何操作。请勿重复付款。'),
    },
    declined: {
      heading: '付款被拒绝',
      sentence: always((store) => `没有扣款。请返回${store}重试，或使用其他付款方式。`),
    },
    expired: {
      heading: '此付款已过期',
      sentence: always(
        (store) =>
          `请不要使用此页面的号码付款。如需重新订购，请返回${store}。如果您已付款，请将收据发送给${store}。`,
      ),
    },
    canceled: {
      heading: '付款已取消',
      sentence: always((store) => `您无需再付款。如果这不是您预期的结果，请联系${store}。`),
    },
    used: {
      heading: '此页面已被使用',
      sentence: always((store) => `此页面只能使用一次。如有疑问，请联系${store}。`),
    },
  },
  receipt: {
    number: '收据号码',
    paid_on: '日期',
    store: '收款方',
    method: '付款方式',
    refunded: '已退款',
    keep: '如有疑问，请将此号码告知商店。',
  },
  back: (store) => `返回${store}`,
  nobody: {
    heading: '找不到页面',
    sentence: '请检查网址：邮件程序有时会截断较长的链接。如果网址正确，请向商店索取新的链接。',
  },
  trouble: {
    heading: '我们这边出现了问题',
    sentence: '没有扣款。请稍后重试。',
  },
}
