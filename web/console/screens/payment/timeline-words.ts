import { defineWords } from '../../words/language.tsx'

/** Sentences of the timeline, by the kind of entry. */
export const timeline_words = defineWords(
  {
    actors: {
      api: 'API',
      person: 'Person',
      customer: 'Customer',
      rule: 'Rule',
      provider: 'Provider',
      worker: 'Service',
      ledger: 'Ledger',
      webhook: 'Webhook',
    },
    resources: {
      charge: 'Payment',
      transaction_token: 'Token',
      refund: 'Refund',
      cancel: 'Cancellation',
      deposit: 'Deposit',
    },
    operations: {
      authorize: 'Authorization',
      capture: 'Capture',
      void: 'Release',
      refund: 'Refund',
      three_ds: '3-D Secure',
      return: 'Return',
    },
    checkout: 'Began to pay on a checkout page',
    request: (method: string, path: string, status: string) => `${method} ${path} → ${status}`,
    created: (resource: string, money: string) => `${resource} created${money && `: ${money}`}`,
    provider_call: (provider: string, operation: string, outcome: string) =>
      `${provider}: ${operation}, ${outcome}`,
    no_response: 'no response yet',
    inquiry: 'inquiry',
    status_change: (resource: string, from: string, to: string) =>
      from ? `${resource}: ${from} → ${to}` : `${resource}: ${to}`,
    ledger: (kind: string) => `Posted: ${kind}`,
    deposit: (money: string, status: string) => `Deposit of ${money}: ${status}`,
    action: (name: string, step: string) => `In the console: ${name}, ${step}`,
    steps: { begun: 'begun', ended: 'done', refused: 'refused' },
    event: (name: string) => `Event ${name}`,
    delivery: (event: string, answer: string) => `Webhook ${event} → ${answer}`,
  },
  {
    actors: {
      api: 'API',
      person: '担当者',
      customer: 'お客様',
      rule: 'ルール',
      provider: '決済会社',
      worker: 'サービス',
      ledger: '台帳',
      webhook: 'Webhook',
    },
    resources: {
      charge: '決済',
      transaction_token: 'トークン',
      refund: '返金',
      cancel: '取り消し',
      deposit: '入金',
    },
    operations: {
      authorize: '与信',
      capture: '売上確定',
      void: '与信解放',
      refund: '返金',
      three_ds: '3Dセキュア',
      return: '返却',
    },
    checkout: '支払いページで手続きを開始',
    request: (method: string, path: string, status: string) => `${method} ${path} → ${status}`,
    created: (resource: string, money: string) => `${resource}を作成${money && `(${money})`}`,
    provider_call: (provider: string, operation: string, outcome: string) =>
      `${provider}: ${operation} ${outcome}`,
    no_response: '応答待ち',
    inquiry: '照会',
    status_change: (resource: string, from: string, to: string) =>
      from ? `${resource}の状態: ${from} → ${to}` : `${resource}の状態: ${to}`,
    ledger: (kind: string) => `台帳に記録: ${kind}`,
    deposit: (money: string, status: string) => `${money}の入金: ${status}`,
    action: (name: string, step: string) => `管理画面での操作: ${name}(${step})`,
    steps: { begun: '開始', ended: '完了', refused: '拒否' },
    event: (name: string) => `イベント ${name}`,
    delivery: (event: string, answer: string) => `Webhook ${event} → ${answer}`,
  },
)
