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
  language: 'English',
  copy: 'Copy',
  copied: 'Copied',
  copy_what: (name) => `Copy: ${name}`,
  print: 'Print this page',
  calendar: 'Add to calendar',
  mail: 'Send by email',
  to_pay: (store) => `Payment to ${store}`,
  help: (store) => `Questions about your order? Contact ${store}.`,
  service: 'Payment by Kaikei',
  amount: 'Amount',
  expiry: 'Pay by',
  japan_time: 'JST',
  how: 'How to pay',
  check_now: "I've paid: check now",
  not_yet: {
    title: (time) => `Your payment has not arrived yet (checked at ${time}).`,
    rest: (time) => `The rest has not arrived yet (checked at ${time}).`,
    qr: 'If your app shows that you have paid, this page updates within a minute. Please do not pay twice.',
    konbini:
      'After you pay at the counter, confirmation takes a few minutes. Keep your receipt, and do not ' +
      'pay twice.',
    bank_transfer: 'A transfer can take until the next business day. Please do not send it twice.',
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
    image: (brand) => `QR code to pay with ${brand}`,
    steps: [
      (brand) => `Open ${brand} on your phone and tap Scan.`,
      () => 'Scan the code on this page.',
      () => 'Check the amount and confirm the payment in the app.',
    ],
    wallet: 'Open the wallet that scanned the code',
  },
  konbini: {
    heading: { till: (place) => `Pay at ${place}`, machine: (place) => `Pay with ${place}` },
    numbers: 'Your payment numbers',
    by_barcode: 'Show the barcode at the till',
    show_barcode: 'Say “Internet shiharai” (インターネット支払い) and show this barcode.',
    barcode: 'Payment barcode',
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
        `Please send exactly ${amount} in one transfer. We send back any other amount.`,
      minimum: (amount) =>
        `Please send at least ${amount} in one transfer. We send back anything above it.`,
      maximum: (amount) => `You can pay in parts. Please send no more than ${amount} in total.`,
      disabled: (amount) => `You can pay in parts. We send back anything above ${amount} in total.`,
    },
    fee: "You pay your bank's transfer fee. Please do not deduct it from the amount.",
    received: 'Received so far',
    missing: 'Remaining amount',
    test_amount: (currency) => `Amount in the smallest unit of ${currency}`,
    test_name: 'Name of the payer',
    test_transfer: 'Send transfer',
  },
  returned: {
    reasons: {
      too_little: ({ amount, difference, day }) =>
        `${amount} arrived on ${day}, which is ${difference} too little.`,
      too_much: ({ amount, difference, day }) =>
        `${amount} arrived on ${day}, which is ${difference} too much.`,
      surplus: ({ difference, day }) => `Your transfer on ${day} was ${difference} too much.`,
      late: ({ amount, day }) => `${amount} arrived on ${day}, after the payment had ended.`,
      expired: ({ amount }) => `${amount} had arrived when the payment expired.`,
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
    asks: 'A question from your bank',
    heading: 'Is this you?',
    question: {
      money: (store, amount) =>
        `${store} is about to charge ${amount} to your card. Do you approve?`,
      no_money: (store) => `${store} is about to save your card. Do you approve?`,
    },
    store: 'Store',
    card: 'Card',
    expiry: 'Answer by',
    card_ending: (brand, last_four) => `${brand} ending in ${last_four}`,
    approve: 'Yes, approve',
    decline: 'No, decline',
    leave: 'Leave without answering',
  },
  forward: {
    heading: (brand) => `Continue with ${brand}`,
    challenge: 'Your bank has a question',
    sentence: 'You continue on another page and return here afterwards.',
    go: 'Continue',
  },
  end: {
    paid: {
      heading: 'Payment complete. Thank you!',
      sentence: {
        money: (store, amount) => `Your payment of ${amount} to ${store} is complete.`,
        no_money: (store) => `Your payment to ${store} is complete.`,
      },
    },
    authenticated: {
      heading: 'Confirmed. Thank you!',
      sentence: always((store) => `Your bank has verified you. Return to ${store} to finish.`),
    },
    processing: {
      heading: 'Your payment is being processed',
      sentence: always(() => 'You have nothing more to do. Please do not pay again.'),
    },
    declined: {
      heading: 'Payment declined',
      sentence: always(
        (store) =>
          `You have not been charged. Return to ${store} and try again, or use another payment method.`,
      ),
    },
    expired: {
      heading: 'This payment has expired',
      sentence: always(
        (store) =>
          'Please do not pay with the numbers of this page. ' +
          `To order again, return to ${store}. If you have paid, send your receipt to ${store}.`,
      ),
    },
    canceled: {
      heading: 'Payment canceled',
      sentence: always(
        (store) => `You have nothing more to pay. If you did not expect this, contact ${store}.`,
      ),
    },
    used: {
      heading: 'This page has already been used',
      sentence: always(
        (store) => `This page works only once. If you have a question, contact ${store}.`,
      ),
    },
  },
  receipt: {
    number: 'Receipt number',
    paid_on: 'Date',
    store: 'Paid to',
    method: 'Paid with',
    refunded: 'Refunded',
    keep: 'Give the shop this number if you have a question.',
  },
  back: (store) => `Back to ${store}`,
  nobody: {
    heading: 'Page not found',
    sentence:
      'Check the address: mail programs sometimes cut long links. ' +
      'If it is correct, ask the shop for a new link.',
  },
  trouble: {
    heading: 'Something went wrong on our side',
    sentence: 'You have not been charged. Please try again in a moment.',
  },
}
