import type { Language } from '../../frame/page-frame.ts'
import type { Group } from '../reference-texts.ts'

interface ResourceWords {
  readonly group: Group
  readonly ja: string
  /** Other words that people search for. */
  readonly search: string
}

/** The place of a tag in the navigation, and its Japanese words. */
const resource_words: Readonly<Record<string, ResourceWords>> = {
  charges: { group: 'payments', ja: '課金', search: '決済 支払い 請求 売上 payment' },
  refunds: { group: 'payments', ja: '返金', search: '払い戻し 返品 money back' },
  cancels: { group: 'payments', ja: 'キャンセル', search: '取消 取り消し void' },
  'transaction tokens': {
    group: 'payments',
    ja: 'トランザクショントークン',
    search: '決済手段 カード コンビニ 銀行振込 card payment method',
  },
  subscriptions: {
    group: 'payments',
    ja: '定期課金',
    search: 'サブスクリプション 分割払い 継続課金 recurring installments',
  },
  'customs declarations': { group: 'payments', ja: '税関申告', search: '越境 通関 china' },
  'checkout information': {
    group: 'payments',
    ja: 'チェックアウト情報',
    search: '決済画面 為替 exchange rate',
  },
  'transaction history': { group: 'money', ja: '取引履歴', search: '明細 一覧 report' },
  deposits: { group: 'money', ja: '入金予定と着金', search: 'コンビニ 銀行振込 仮受 suspense' },
  customers: { group: 'payments', ja: '顧客', search: '購入者 会員 e-mail customer' },
  activity: {
    group: 'money',
    ja: '集計とログ',
    search: '売上 ダッシュボード CSV エクスポート リクエスト dashboard log export',
  },
  ledgers: { group: 'money', ja: '台帳', search: '元帳 仕訳 帳簿 残高 accounting' },
  transfers: { group: 'money', ja: '入金', search: '振込 送金 精算 payout settlement' },
  'bank accounts': { group: 'money', ja: '銀行口座', search: '振込先' },
  disputes: { group: 'payments', ja: 'チャージバック', search: '異議申し立て chargeback' },
  'checkout sessions': {
    group: 'payments',
    ja: 'チェックアウトセッション',
    search: '決済画面 決済ページ hosted page',
  },
  'payment links': { group: 'payments', ja: '支払いリンク', search: '決済リンク paylink qr' },
  webhooks: {
    group: 'events',
    ja: 'ウェブフック',
    search: '通知 署名 配信 notification signature',
  },
  events: { group: 'events', ja: 'イベント', search: '通知 履歴 feed' },
  stores: { group: 'account', ja: '店舗', search: 'ストア 設定 shop configuration' },
  merchant: {
    group: 'account',
    ja: '加盟店',
    search: '事業者 審査 設定 verification configuration',
  },
  'application tokens': {
    group: 'account',
    ja: 'APIキー',
    search: '認証 鍵 シークレット api key credentials',
  },
  users: {
    group: 'account',
    ja: 'ユーザー',
    search: 'ログイン パスワード 二要素認証 sign in login password',
  },
  'test mode': {
    group: 'service',
    ja: 'テストモード',
    search: '時計 シミュレーション clock simulate',
  },
  callbacks: { group: 'service', ja: 'コールバック', search: '決済会社 通知 provider' },
  health: { group: 'service', ja: '稼働状況', search: '死活監視 ヘルスチェック probe' },
}

/** Words for the verbs at the beginning of operation ids. */
const verb_words: Readonly<Record<string, string>> = {
  create: '作成 登録',
  list: '一覧 検索',
  get: '取得 照会',
  update: '更新 変更',
  change: '変更',
  delete: '削除',
  cancel: 'キャンセル 解約 取消',
  capture: '売上確定 キャプチャ',
  suspend: '停止 休止',
  unsuspend: '再開',
  simulate: 'シミュレーション 試算',
  confirm: '確認',
  renew: '更新 再発行',
  redeliver: '再送',
  ping: 'テスト送信',
  log: 'ログイン ログアウト',
  start: '開始',
  advance: '進める',
  rotate: 'ローテーション 再発行',
  search: '検索',
}

export function groupOf(tag: string): Group {
  return resource_words[tag]?.group ?? 'service'
}

/** The name of a tag. A new tag has its English name in both languages. */
export function resourceName(tag: string, language: Language): string {
  const japanese = resource_words[tag]?.ja
  if (language === 'ja' && japanese) return japanese
  return tag.charAt(0).toUpperCase() + tag.slice(1)
}

/** Everything that finds a tag, in both languages. */
export function searchWords(tag: string): string {
  const { ja = '', search = '' } = resource_words[tag] ?? {}
  return `${tag} ${ja} ${search}`
}

export function verbWords(operation_id: string): string {
  return verb_words[/^[a-z]+/.exec(operation_id)?.[0] ?? ''] ?? ''
}
