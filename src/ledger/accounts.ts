/**
 * The accounts of the ledger. A debit is positive and a credit negative: receivables are above zero,
 * liabilities and income below. Every store, mode and currency has its own accounts. The entries of a
 * transaction sum to zero in each currency, and so do all accounts together.
 *
 * Memo accounts record what is not money yet or no longer; they only balance each other.
 */
export const accounts = {
  authorization_hold: 'Memo: what is set aside on cards and can still be captured.',
  authorized_by_customer: 'Memo: the other side of every hold.',
  provider_receivable: 'What providers took from customers and owe us.',
  provider_settled: 'What providers have paid us: the other side of what they no longer owe.',
  merchant_payable: 'What we owe the merchant: sales, less refunds and fees.',
  paid_out: 'What we have paid to the merchant.',
  fee_income: 'What we have earned in fees.',
  fx_clearing: 'Memo: joins the two currencies of a conversion; a position in each of them.',
  conversion_requested: 'Memo: what was asked for in a currency that was then converted.',
  conversion_charged: 'Memo: what was charged instead, in the currency it was converted to.',
  suspense: 'Money that arrived and whose owner or purpose is not settled yet.',
} as const satisfies Record<string, string>

export type Account = keyof typeof accounts
