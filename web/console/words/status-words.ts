import { type PaymentType, payment_types } from '../../../src/core/payments/payment-types.ts'
import { method_facts } from '../../../src/methods/method-facts.ts'
import { defineWords, type Language } from './language.tsx'

/** The words of the API for people; short noun forms in Japanese. */
export const status_words = defineWords(
  {
    pending: 'Pending',
    awaiting: 'Awaiting customer',
    authorized: 'Authorized',
    successful: 'Successful',
    failed: 'Failed',
    error: 'Error',
    canceled: 'Canceled',
    refunded_in_part: 'Refunded in part',
    refunded: 'Refunded',
    active: 'Active',
    current: 'Current',
    unverified: 'Unverified',
    unconfirmed: 'Unconfirmed',
    unpaid: 'Unpaid',
    suspended: 'Suspended',
    completed: 'Completed',
    created: 'Created',
    approved: 'Approved',
    refused: 'Refused',
    unknown: 'Unknown',
    processing: 'Processing',
    paid: 'Paid',
    expired: 'Expired',
    delivered: 'Delivered',
    insufficient: 'Too little arrived',
    exact: 'Exact amount arrived',
    exceeded: 'Too much arrived',
    expected: 'Expected',
    arrived: 'Arrived',
    returned: 'Returned',
  },
  {
    pending: '処理中',
    awaiting: 'お客様の操作待ち',
    authorized: '仮売上',
    successful: '成功',
    failed: '失敗',
    error: 'エラー',
    canceled: '取消済み',
    refunded_in_part: '一部返金',
    refunded: '返金済み',
    active: '有効',
    current: '継続中',
    unverified: '未確認',
    unconfirmed: '未確定',
    unpaid: '未払い',
    suspended: '停止中',
    completed: '完了',
    created: '作成済み',
    approved: '承認済み',
    refused: '拒否',
    unknown: '不明',
    processing: '手続き中',
    paid: '支払済み',
    expired: '期限切れ',
    delivered: '送信済み',
    insufficient: '入金不足',
    exact: '入金完了',
    exceeded: '過入金',
    expected: '入金予定',
    arrived: '入金済み',
    returned: '返却済み',
  },
)

/** Payment methods as staff know them. */
export const method_words = defineWords(namesIn('en'), namesIn('ja'))

function namesIn(language: Language): Record<PaymentType, string> {
  const names = payment_types.map((type) => [type, method_facts[type].name[language]])
  return Object.fromEntries(names)
}
