import { defineWords } from '../../words/language.tsx'

export const bulk_words = defineWords(
  {
    selected: (count: number) => `${count} selected`,
    clear: 'Clear the selection',
    open: { refund: 'Refund', capture: 'Capture' },
    title: { refund: 'Refund the selected payments', capture: 'Capture the selected payments' },
    preview: {
      refund: (count: number, skipped: number, sum: string) =>
        `${count === 0 ? 'Nothing can be refunded.' : `${sum} of ${count} payments goes back to the customers.`}${skipped === 0 ? '' : ` ${skipped} will be skipped.`}`,
      capture: (count: number, skipped: number, sum: string) =>
        `${count === 0 ? 'Nothing can be captured.' : `${sum} of ${count} payments is collected.`}${skipped === 0 ? '' : ` ${skipped} will be skipped.`}`,
    },
    button: {
      refund: (count: number, sum: string) => `Refund ${sum} (${count})`,
      capture: (count: number, sum: string) => `Capture ${sum} (${count})`,
    },
    again: (count: number) => `Try ${count} again`,
    progress: (done: number, all: number) => `${done} of ${all} accepted.`,
    done: { refund: 'Refund accepted', capture: 'Capture accepted' },
    ready: 'Will be sent',
    skipped: (why: string) => `Skipped: ${why}`,
    why: {
      is_refund: 'it is a refund',
      not_successful: 'the payment did not succeed',
      not_authorized: 'it is not authorized',
      all_refunded: 'everything was refunded',
      not_refundable: 'this payment method has no refunds',
      converted: 'it was converted; refund it on its own screen',
    },
    customer: 'Customer',
    amount: 'Amount',
    result: 'Result',
    select: (name: string) => `Select ${name}`,
    select_all: 'Select all on this page',
    totals: 'Totals',
    rows: (count: string) => `${count} rows`,
    more_rows: (count: string) => `more than ${count} rows; sums of the newest`,
    paid: 'Successful',
    refunded: 'Refunded',
  },
  {
    selected: (count: number) => `${count}件を選択中`,
    clear: '選択を解除',
    open: { refund: '返金する', capture: '売上を確定する' },
    title: { refund: '選択した決済を返金', capture: '選択した決済の売上を確定' },
    preview: {
      refund: (count: number, skipped: number, sum: string) =>
        `${count === 0 ? '返金できる決済はありません。' : `${count}件、合計${sum}をお客様に返金します。`}${skipped === 0 ? '' : `${skipped}件は対象外です。`}`,
      capture: (count: number, skipped: number, sum: string) =>
        `${count === 0 ? '売上を確定できる決済はありません。' : `${count}件、合計${sum}の売上を確定します。`}${skipped === 0 ? '' : `${skipped}件は対象外です。`}`,
    },
    button: {
      refund: (count: number, sum: string) => `${count}件・${sum}を返金する`,
      capture: (count: number, sum: string) => `${count}件・${sum}を確定する`,
    },
    again: (count: number) => `${count}件を再試行`,
    progress: (done: number, all: number) => `${all}件中${done}件を受け付けました。`,
    done: { refund: '返金を受付済み', capture: '売上確定を受付済み' },
    ready: '実行します',
    skipped: (why: string) => `対象外（${why}）`,
    why: {
      is_refund: '返金の行です',
      not_successful: '成功した決済ではありません',
      not_authorized: '仮売上ではありません',
      all_refunded: '全額返金済みです',
      not_refundable: '返金できない決済方法です',
      converted: '通貨換算された決済です。決済の画面で返金してください',
    },
    customer: '顧客',
    amount: '金額',
    result: '結果',
    select: (name: string) => `${name}を選択`,
    select_all: 'このページをすべて選択',
    totals: '合計',
    rows: (count: string) => `${count}件`,
    more_rows: (count: string) => `${count}件以上（新しい順の合計）`,
    paid: '成功',
    refunded: '返金',
  },
)
