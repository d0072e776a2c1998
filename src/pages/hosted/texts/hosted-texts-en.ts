import type { HostedTexts } from './hosted-texts.ts'

const always = (sentence: (store: string) => string) => ({
  money: (store: string) => sentence(store),
  no_money: sentence,
})

export const hosted_texts_en: HostedTexts = {
  test_banner: { title: 'Test mode', sentence: 'No money moves on this page.' },
  trial: {
    heading: 'Test mode: you are the customer',
    sentence: 'Customers do not see this. Choose what happens next.',
  },
  other_language: '日本語',
  copy: 'Copy',
  copied: 'Copied',
  copy_what: (name) => `Copy: ${name}`,
  print: 'Print this page',
  help: (store) => `Questions about your order? Please ask ${store}.`,
  service: 'Payment by Kaikei',
  amount: 'Amount',
  expiry: 'Please pay by',
  how: 'How to pay',
  check_now: 'I have paid: check now',
  not_yet: {
    title: (time) => `Nothing has arrived yet (checked at ${time}).`,
    rest: (time) => `The rest has not arrived yet (checked at ${time}).`,
    qr: 'If your app says that you have paid, this page changes within a minute. Please do not pay twice.',
    konbini:
      'After you pay at the counter it takes a few minutes until we are told. Please keep your receipt, ' +
      'and do not pay twice.',
    bank_transfer:
      'A transfer can take until the next business day of your bank. Please do not send it twice.',
  },
  online: {
    heading: (brand) => `Pay with ${brand}`,
    pay: (amount) => `Pay ${amount}`,
    pay_nothing: 'Pay',
    decline: 'Decline',
    cancel: 'Cancel and go back',
  },
  qr: {
    heading: (brand) => `Scan to pay with ${brand}`,
    image: (brand) => `QR code for paying with ${brand}`,
    steps: [
      (brand) => `Open ${brand} on your phone and choose to scan a code.`,
      () => 'Scan the code on this page.',
      () => 'Check the amount and confirm the payment in the app.',
    ],
    wallet: 'Open the wallet that scanned the code',
  },
  konbini: {
    heading: { till: (place) => `Pay at ${place}`, machine: (place) => `Pay with ${place}` },
    numbers: 'Your numbers',
    by_barcode: 'With the bar code at the till',
    show_barcode:
      'Say that you pay for an internet order (インターネット支払い) and show this bar code.',
    barcode: 'Bar code of this payment',
    customer_name: 'Name',
    test_pay: { till: 'Pay at the till', machine: 'Pay at the machine' },
  },
  bank_transfer: {
    heading: 'Pay by bank transfer',
    account: 'Transfer to this account',
    bank: 'Bank',
    bank_code: 'Bank code',
    branch: 'Branch',
    branch_code: 'Branch code',
    account_type: 'Account type',
    ordinary: 'Ordinary (普通)',
    account_number: 'Account number',
    account_holder: 'Account holder',
    amount: 'Amount to transfer',
    rule: {
      exact: (amount) =>
        `Please send exactly ${amount} in one transfer. Any other amount is sent back to you.`,
      minimum: (amount) =>
        `Please send at least ${amount} in one transfer. A surplus is sent back to you.`,
      maximum: (amount) => `You may pay in parts, but please send no more than ${amount} in all.`,
      disabled: (amount) =>
        `You may pay in parts. If more than ${amount} arrives in all, the surplus is sent back to you.`,
    },
    fee: 'You pay the fee of your bank. It must not be taken from the amount.',
    received: 'Received so far',
    missing: 'Still missing',
    test_amount: (currency) => `Amount in the smallest unit of ${currency}`,
    test_name: 'Name of the payer',
    test_transfer: 'Make the transfer',
  },
  returned: {
    reasons: {
      too_little: ({ amount, difference, day }) =>
        `${amount} arrived on ${day}, which is ${difference} too little.`,
      too_much: ({ amount, difference, day }) =>
        `${amount} arrived on ${day}, which is ${difference} too much.`,
      surplus: ({ difference, day }) => `On ${day}, ${difference} more than the price arrived.`,
      late: ({ amount, day }) => `${amount} arrived on ${day}, after the end of the payment.`,
      expired: ({ amount }) => `${amount} had arrived when the time to pay ended.`,
      canceled: ({ amount }) => `${amount} had arrived when the payment was canceled.`,
    },
    states: {
      returning: ({ returned }) => `${returned} is being sent back to your account.`,
      returned: ({ returned }) => `${returned} was sent back to your account.`,
      unreturned: ({ returned, store }) =>
        `${returned} could not be sent back. Please contact ${store}.`,
    },
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
      sentence: always(
        (store) =>
          `Nothing was charged. Please go back to ${store} and try again, or pay in another way.`,
      ),
    },
    expired: {
      heading: 'The time is over',
      sentence: always(
        (store) =>
          'This page and its numbers can no longer be used: please do not pay with them. ' +
          `To pay, please order again at ${store}. If you have paid, show your receipt to ${store}.`,
      ),
    },
    canceled: {
      heading: 'It was canceled',
      sentence: always(
        (store) =>
          `There is nothing more to pay or to do here. If you did not expect this, please ask ${store}.`,
      ),
    },
    used: {
      heading: 'This page was used already',
      sentence: always(
        (store) => `It works only once. If something is unclear, please ask ${store}.`,
      ),
    },
  },
  receipt: {
    number: 'Receipt number',
    paid_on: 'Date',
    store: 'Paid to',
    method: 'Paid with',
    refunded: 'Refunded',
    keep: 'Tell the shop this number if you have a question.',
  },
  back: (store) => `Back to ${store}`,
  nobody: {
    heading: 'There is no such page',
    sentence:
      'Please check the address: mail programs sometimes cut long links. ' +
      'If it is right, ask the shop that sent it to you for a new link.',
  },
  trouble: {
    heading: 'Something went wrong on our side',
    sentence: 'Nothing was charged by this. Please try again in a moment.',
  },
}
