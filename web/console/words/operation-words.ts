// Operations of the API in words: `createRefund` is "Create refund", 返金を作成. The name itself is in the details.

type Language = 'en' | 'ja'
type Pair = readonly [en: string, ja: string]

/** Verbs of operations; `{}` stands for the thing. */
const verbs: Readonly<Record<string, Pair>> = {
  accept: ['Accept {}', '{}を受け入れ'],
  advance: ['Advance {}', '{}を進める'],
  calculate: ['Calculate {}', '{}を計算'],
  cancel: ['Cancel {}', '{}を取り消し'],
  capture: ['Capture {}', '{}の売上を確定'],
  change: ['Change {}', '{}を変更'],
  complete: ['Complete {}', '{}を完了'],
  confirm: ['Confirm {}', '{}を確認'],
  create: ['Create {}', '{}を作成'],
  delete: ['Delete {}', '{}を削除'],
  get: ['Get {}', '{}を表示'],
  list: ['List {}', '{}の一覧を表示'],
  log: ['Log {}', '{}'],
  ping: ['Test {}', '{}をテスト'],
  receive: ['Receive {}', '{}を受信'],
  redeliver: ['Redeliver {}', '{}を再送'],
  renew: ['Renew {}', '{}を更新'],
  request: ['Request {}', '{}を申請'],
  reset: ['Reset {}', '{}を再設定'],
  rotate: ['Rotate {}', '{}を入れ替え'],
  search: ['Search {}', '{}を検索'],
  simulate: ['Simulate {}', '{}を試算'],
  start: ['Start {}', '{}を開始'],
  suspend: ['Suspend {}', '{}を停止'],
  unsuspend: ['Resume {}', '{}を再開'],
  update: ['Update {}', '{}を更新'],
  use: ['Use {}', '{}を使用'],
}

/** The things by the words of operations. */
const things: Readonly<Record<string, Pair>> = {
  Activity: ['activity', '活動'],
  Alias: ['alias', '別名'],
  AllDeliveries: ['deliveries', '送信履歴'],
  AppToken: ['application token', 'APIキー'],
  Attempts: ['attempts', '試行'],
  Attention: ['items that need attention', '確認事項'],
  AuditLog: ['audit log', '監査ログ'],
  Balances: ['balances', '残高'],
  BankAccount: ['bank account', '銀行口座'],
  BankTransfer: ['bank transfer', '銀行振込'],
  Batch: ['batch', '一括処理'],
  Cancel: ['cancellation', '取消'],
  Charge: ['payment', '決済'],
  CheckoutInfo: ['checkout information', 'チェックアウト情報'],
  CheckoutSession: ['checkout session', 'チェックアウト'],
  Clock: ['clock', '時計'],
  Configuration: ['configuration', '設定'],
  Connections: ['connections', '関連する記録'],
  Connector: ['connector', '接続先'],
  Console: ['console', '管理画面'],
  Csv: ['CSV', 'CSV'],
  Current: ['own', '自分の'],
  Customer: ['customer', '顧客'],
  CustomerId: ['customer id', '顧客ID'],
  Customs: ['customs', '税関'],
  Declaration: ['declaration', '申告'],
  Default: ['default', '既定の'],
  Deliveries: ['deliveries', '送信履歴'],
  Delivery: ['delivery', '送信'],
  DemoShop: ['demo shop', 'デモショップ'],
  Deposit: ['deposit', '着金'],
  Dispute: ['dispute', 'チャージバック'],
  DoctorRun: ['data check', '整合性の検査'],
  Due: ['due', '期日の'],
  Entries: ['entries', '記録'],
  Everything: ['everything', '全体'],
  Event: ['event', 'イベント'],
  ExchangeRate: ['exchange rate', '為替レート'],
  Expiry: ['expiry', '期限'],
  File: ['file', 'ファイル'],
  GatewayInfo: ['gateway information', '決済会社の情報'],
  Health: ['health', '稼働状況'],
  Heartbeat: ['heartbeat', '稼働確認'],
  History: ['history', '履歴'],
  In: ['in', 'ログイン'],
  IssuerToken: ['issuer token', '認証情報'],
  Latest: ['latest', '最新の'],
  Ledger: ['ledger', '帳簿'],
  Legacy: ['legacy', '旧'],
  Lines: ['lines', '明細'],
  Link: ['link', 'リンク'],
  Liveness: ['liveness', '稼働確認'],
  Merchant: ['merchant', '加盟店'],
  Next: ['next', '次回の'],
  Notification: ['notification', '通知'],
  Operator: ['operator', '運営者'],
  Out: ['out', 'ログアウト'],
  Parts: ['parts', '内訳'],
  Password: ['password', 'パスワード'],
  Payment: ['payment', '支払い'],
  PayoutLine: ['payout lines', '入金明細'],
  PaymentLink: ['payment link', '支払いリンク'],
  Payout: ['payout', '入金'],
  Plan: ['plan', 'プラン'],
  Platform: ['platform', 'プラットフォーム'],
  Primary: ['primary', '主要な'],
  Qr: ['QR', 'QR'],
  QrCode: ['QR code', 'QRコード'],
  Readiness: ['readiness', '準備状況'],
  Refund: ['refund', '返金'],
  Replay: ['replay', '再送'],
  Request: ['request', 'リクエスト'],
  Reset: ['reset', '再設定'],
  Routing: ['routing', '振り分け'],
  SavedView: ['saved view', '保存した表示'],
  Scenarios: ['scenarios', 'シナリオ'],
  Secret: ['signing key', '署名鍵'],
  Session: ['session', 'セッション'],
  Statement: ['statement', '明細'],
  StatusChanges: ['status changes', '状態の変更'],
  Store: ['store', '店舗'],
  Subscription: ['subscription', '定期課金'],
  Test: ['test', 'テスト'],
  ThreeDs: ['3-D Secure', '3Dセキュア'],
  Timeline: ['timeline', '経緯'],
  Token: ['token', 'トークン'],
  TokenAlias: ['token alias', 'トークンの別名'],
  Totals: ['totals', '合計'],
  Totp: ['authenticator app', '認証アプリ'],
  Transactions: ['transactions', '取引'],
  Transaction: ['transaction', '取引'],
  Transfer: ['payout', '入金'],
  Trends: ['trends', '推移'],
  Upcoming: ['upcoming', '予定'],
  User: ['user', 'ユーザー'],
  Verification: ['verification', '審査'],
  Webhook: ['webhook', 'Webhook'],
}
const known = Object.keys(things).toSorted((one, other) => other.length - one.length)

/** The things that a name consists of; null for a name with an unknown part. */
function partsOf(name: string, parts: readonly Pair[] = []): readonly Pair[] | null {
  if (name === '' || name === 's' || name === 'es') return parts
  const rest = name.replace(/^(?:e?s)(?=[A-Z])/, '')
  const found = known.find((one) => rest.startsWith(one))
  const thing = found && things[found]
  return thing ? partsOf(rest.slice(found.length), [...parts, thing]) : null
}

/** The words for an operation; its own name where they are not known. */
export function operationText(operation: string, language: Language): string {
  const [, verb = '', rest = ''] = /^([a-z]+)(.*)$/.exec(operation) ?? []
  const sentence = verbs[verb]
  const parts = partsOf(rest)
  if (!sentence || !parts) return operation
  const at = language === 'ja' ? 1 : 0
  const names = parts.map((part) => part[at])
  return sentence[at].replace('{}', language === 'ja' ? japanese(names) : names.join(' ')).trim()
}

/** 決済の返金; an adjective and a name of the kind `旧` need no の. */
function japanese(names: readonly string[]): string {
  return names.reduce(
    (text, name) => (/(?:^|の|旧)$/.test(text) ? text + name : `${text}の${name}`),
    '',
  )
}
