/** The steps to take after a fault. */
const advice = {
  restore: 'データベースをそのままの状態で保管し、別の場所にバックアップを復元してください。',
  look: '決済会社で結果を確認してください。',
  worker: 'WORKER=onでサービスを起動してください。解消しない場合は、ログのIDを確認してください。',
  restart: 'サービスを再起動してください。',
  remove: '不要なものを削除してください。',
  webhook: 'Webhookを有効にし直してください。',
  hour: 'ホームの集計だけの問題です。該当する時間の行を削除すると、集計し直されます。',
  quota: 'test_charge_countsのfreeを0にすると、数え直されます。',
  connector: '接続先の設定と、この製品のバージョンを確認してください。',
  keys: '鍵ファイルとデータベースの組み合わせを確認してください。',
} as const

type JapaneseCheck = readonly [check: string, advice: keyof typeof advice]

/** The checks of the data in Japanese, by their names in the API. */
const checks: Readonly<Record<string, JapaneseCheck>> = {
  keys: ['暗号鍵', 'keys'],
  'sealed values can be opened': ['暗号化した値を復号できること', 'keys'],
  'the audit log is complete and unchanged': ['監査ログが改変されていないこと', 'restore'],
  'keys of security codes are destroyed in time': [
    'セキュリティコードの鍵が期限内に破棄されること',
    'worker',
  ],
  'events are numbered without gaps': ['イベントの番号に欠番がないこと', 'restore'],
  'every resource has the event of its creation': ['作成イベントがそろっていること', 'restore'],
  'resource limits are kept': ['件数の上限を超えていないこと', 'remove'],
  'a deleted store has no active token or webhook': [
    '削除した店舗に有効なAPIキーやWebhookがないこと',
    'remove',
  ],
  'every event has one place: in the feed, or in the queue before it': [
    'イベントが配信順または待ち行列のどちらか一方にあること',
    'restore',
  ],
  'the coming months of events exist': ['来月以降のイベントの保存先があること', 'worker'],
  'nothing waits where the queue of events is no longer read': [
    '読まれない待ち行列にイベントがないこと',
    'restart',
  ],
  'events of one resource stand in the feed in their order': [
    '同じ対象のイベントが順番どおりであること',
    'restore',
  ],
  'what waits for a webhook is looked at when its time comes': [
    'Webhookの送信が時間どおりに行われること',
    'webhook',
  ],
  'the sums of each hour are those of its charges and refunds': [
    '1時間ごとの集計が決済と返金に一致すること',
    'hour',
  ],
  'every ledger transaction sums to zero in each currency': [
    '仕訳の貸借が通貨ごとに一致すること',
    'restore',
  ],
  'the accounts of a merchant sum to zero in each mode and currency': [
    '加盟店の勘定の合計が0であること',
    'restore',
  ],
  'every ledger balance is the sum of its entries': ['残高が記録の合計に一致すること', 'restore'],
  'what is refunded or about to be is what its charge counts, and no more than was taken': [
    '返金額が決済の記録に一致し、決済額を超えないこと',
    'restore',
  ],
  'the ledger has the capture of every charged charge, and of no other': [
    '売上がすべて帳簿にあること',
    'restore',
  ],
  "the simulator's operations log agrees with every settled charge": [
    'シミュレーターの記録が決済の結果に一致すること',
    'look',
  ],
  'charges that ended without money are reversed at the provider': [
    '成立しなかった決済が決済会社でも取り消されていること',
    'look',
  ],
  'the free quota of test charges never exceeds the limit minus the charges of the last 24 hours': [
    'テスト決済の残り回数が上限を超えないこと',
    'quota',
  ],
  'every deposit is in the ledger, and what of it is neither applied nor returned is held': [
    '着金がすべて帳簿にあること',
    'restore',
  ],
  'deposits are held for charges that wait for them, and paid charges have what they took': [
    '着金が対象の決済に正しく充当されていること',
    'restore',
  ],
  'the statement of every virtual account ends with what is held on it': [
    '振込用口座の明細が残高に一致すること',
    'restore',
  ],
  'every finished charge, refund and cancel has exactly one event about it': [
    '完了した決済・返金・取消のイベントが1つずつあること',
    'restore',
  ],
  'every ended attempt of a customs declaration has its event, and the newest is its status': [
    '税関申告の結果がイベントに一致すること',
    'restore',
  ],
  'the simulator declared no charge to customs but for an attempt that is known': [
    '税関申告が記録された試行に一致すること',
    'look',
  ],
  'no token was used more often than it may be': [
    'トークンの使用回数が上限内であること',
    'restore',
  ],
  'nothing is left without an outcome': ['結果が不明のままの処理がないこと', 'look'],
  'what is due is found': ['期限の来た処理が見つかること', 'restore'],
  'the ledger has withdrawn every dispute with its fee, and returned those that were won': [
    'チャージバックが帳簿に正しく記録されていること',
    'restore',
  ],
  'no money is both refunded and disputed': ['返金とチャージバックが重複していないこと', 'restore'],
  'every dispute has the event of its opening, and of its end once it has ended': [
    'チャージバックのイベントがそろっていること',
    'restore',
  ],
  'the ledger has settled exactly what the matched lines of providers say': [
    '帳簿の精算額が決済会社の明細に一致すること',
    'restore',
  ],
  'every batch has the outcome of its items, and every created item its subscription': [
    '一括処理の結果がそろっていること',
    'restore',
  ],
  'every transfer is the sum of its ledger transactions': [
    '入金額が取引の合計に一致すること',
    'restore',
  ],
  'the ledger has every paid transfer, store by store, and no other': [
    '支払済みの入金が帳簿に店舗ごとにあること',
    'restore',
  ],
  'only failed and canceled transfers give back what they were to pay': [
    '失敗または取り消した入金だけが残高に戻っていること',
    'restore',
  ],
  'due work is done in time': ['期限の来た処理が遅れていないこと', 'worker'],
  'charges that wait for their customer end in time': [
    '顧客の操作待ちの決済が期限で終わること',
    'worker',
  ],
  'captures, voids and refunds come to an end': ['売上確定・取消・返金が完了すること', 'worker'],
  'deliveries continue': ['Webhookの送信が続いていること', 'worker'],
  'security codes and cards are purged in time': [
    'セキュリティコードとカード情報が期限内に消去されること',
    'worker',
  ],
  'machines that serve share their short-lived state': [
    '複数のサーバーが一時的な状態を共有していること',
    'restart',
  ],
  'this release knows the kind of every connector': [
    '接続先の種類がこのバージョンにあること',
    'connector',
  ],
  'routing rules name connectors that take payments': [
    '振り分けルールの接続先が有効であること',
    'connector',
  ],
  'connectors answer new payments': ['接続先が新しい決済に応答すること', 'connector'],
}

/** A check in Japanese with its advice; null where it is not known. */
export function checkInJapanese(check: string): { title: string; advice: string } | null {
  const words = checks[check]
  return words ? { title: words[0], advice: advice[words[1]] } : null
}

const id = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g

/** The ids that a fault names. */
export function idsOfFault(fault: string): string[] {
  return [...new Set(fault.match(id) ?? [])]
}
