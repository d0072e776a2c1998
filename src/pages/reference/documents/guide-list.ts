import type { Group } from '../reference-texts.ts'

/** A document that is served as a page of the reference. */
export interface Guide {
  readonly name: string
  /** In the repository. */
  readonly file: string
  readonly group: Group
  readonly en: string
  readonly ja: string
  /** Other words that people search for. */
  readonly search: string
}

const guide = (group: Group, name: string, en: string, ja: string, search: string): Guide => ({
  name,
  file: `docs/${name}.md`,
  group,
  en,
  ja,
  search,
})

const method = (name: string, en: string, ja: string, search: string): Guide => ({
  ...guide('methods', name, en, ja, search),
  file: `docs/payment-methods/${name}.md`,
})

/** Every guide, in the order of the navigation. */
export const guides: readonly Guide[] = [
  guide(
    'start',
    'five-minutes',
    'Five minutes',
    '5分で最初の決済',
    'install tutorial getting started インストール 始め方 入門 チュートリアル',
  ),
  guide(
    'start',
    'testing',
    'Testing',
    'テストの方法',
    'test integration clock listen trigger 試す',
  ),
  guide('start', 'test-mode', 'Test mode', 'テストモードの値', 'test cards simulator テストカード'),
  guide(
    'guides',
    'checkout',
    'Checkout',
    'チェックアウトと決済画面',
    'hosted page payment link fields iframe embed 決済画面 支払いリンク 埋め込み 組み込み',
  ),
  guide(
    'guides',
    'payment-methods',
    'Taking payments',
    '決済の流れ',
    'accept payments charge token 受け付け 導入',
  ),
  guide(
    'guides',
    'subscriptions',
    'Subscriptions',
    '定期課金',
    'recurring billing schedule monthly サブスクリプション 継続課金 毎月',
  ),
  guide(
    'guides',
    'webhooks',
    'Webhooks',
    'ウェブフック',
    'notification signature verify receive 通知 署名 受信 検証',
  ),
  guide(
    'guides',
    'disputes',
    'Disputes',
    'チャージバック',
    'chargeback fraud evidence 異議申し立て 不正利用 証拠',
  ),
  guide('guides', 'customs', 'Customs', '税関申告', 'china cross-border 越境 通関 中国'),
  guide(
    'guides',
    'transfers',
    'Transfers',
    '入金',
    'payout settlement bank schedule 振込 精算 送金',
  ),
  guide(
    'guides',
    'going-live',
    'Going live',
    '本番への移行',
    'production checklist live mode pci 本番 公開 チェックリスト',
  ),
  {
    ...guide('guides', 'client', 'JavaScript client', 'JavaScriptクライアント', 'sdk library node'),
    file: 'client/README.md',
  },
  {
    ...guide(
      'guides',
      'demo-shop',
      'Demo shop',
      'デモショップ',
      'example sample shop code サンプル',
    ),
    file: 'examples/shop/README.md',
  },
  method('card', 'Cards', 'カード', 'credit card visa 3-d secure クレジットカード'),
  method('konbini', 'Convenience stores', 'コンビニ', 'konbini cash seven lawson 現金'),
  method('bank-transfer', 'Bank transfer', '銀行振込', 'virtual account 振込 口座'),
  method('online', 'Online brands', 'オンライン決済', 'paypay alipay wechat pay wallet app'),
  method(
    'qr-scan',
    'QR codes of customers',
    '利用者提示型QRコード',
    'scan counter 店頭 バーコード',
  ),
  method('qr-merchant', 'QR codes of merchants', '店舗提示型QRコード', 'scan alipay wechat'),
  method('apple-pay', 'Apple Pay', 'Apple Pay', 'wallet iphone アップルペイ'),
  method('paidy', 'Paidy', 'Paidy（あと払い）', 'pay later bnpl 後払い ペイディ'),
  guide(
    'operate',
    'operating',
    'Operating',
    '運用',
    'deploy production server run monitoring デプロイ サーバー 監視',
  ),
  guide(
    'operate',
    'database',
    'Database and backups',
    'データベースとバックアップ',
    'postgresql backup restore update',
  ),
  guide(
    'operate',
    'monitoring',
    'Monitoring',
    '監視',
    'logs metrics alerts traces prometheus ログ メトリクス',
  ),
  guide('operate', 'commands', 'Commands', 'コマンド', 'cli terminal kaikei コマンドライン'),
  guide(
    'operate',
    'console-users',
    'Console users',
    '管理画面のユーザー',
    'sign in log in password rights roles ログイン 権限 パスワード',
  ),
  guide(
    'operate',
    'connectors',
    'Connectors',
    'アクワイアラとの接続',
    'acquirer stripe live provider 本番 決済会社 ストライプ',
  ),
  guide('operate', 'reconciliation', 'Reconciliation', '消込', 'settlement csv compare 照合 突合'),
  guide(
    'operate',
    'large-tables',
    'Large tables',
    '大きなテーブル',
    'partitions index performance パーティション',
  ),
]
