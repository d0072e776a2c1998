import type { Language } from '../../frame/page-frame.ts'

export interface GuideTexts {
  readonly errors_lead: string
  readonly codes: string
  readonly code_headings: readonly [string, string, string]
  readonly reasons: string
  readonly reasons_lead: string
  readonly reason_headings: readonly [string, string]
  readonly payments: string
  readonly payments_lead: string
  readonly payment_headings: readonly [string, string]
  readonly retry: string
  readonly retry_headings: readonly [string, string]
  readonly retries: readonly (readonly [string, string])[]
  readonly scenarios_lead: string
  readonly scenario_headings: readonly [string, string]
  readonly concerns: string
  readonly methods_lead: string
  readonly method_headings: readonly [string, string, string, string, string]
  readonly brand_headings: readonly [string, string, string, string, string, string]
  readonly chain_headings: readonly [string, string]
  readonly types: string
  readonly brands: string
  readonly chains: string
  readonly scanned_brands: string
  readonly customs: string
  readonly yes: string
  readonly no: string
  readonly never: string
  readonly minute: string
  readonly day: string
  readonly events_lead: string
  readonly delivery_headers: string
  readonly levels: string
  readonly feed_only: string
  readonly feed_only_lead: string
}

export const guide_texts: Record<Language, GuideTexts> = {
  en: {
    errors_lead:
      'Every error has the same body. Decide by `code`; `message` is for people and may change.',
    codes: 'Codes',
    code_headings: ['Code', 'Status', 'Meaning'],
    reasons: 'Reasons',
    reasons_lead: 'What is wrong with one field of the request, in `errors`.',
    reason_headings: ['Reason', 'The field'],
    payments: 'When a payment fails',
    payments_lead:
      'A charge, refund, cancel or customs declaration that was accepted and then refused is no HTTP ' +
      'error: the object has the status `failed` (refused) or `error` (a technical failure), and ' +
      '`error.code` says why.',
    payment_headings: ['Code', 'Message'],
    retry: 'When to retry',
    retry_headings: ['Response', 'Retry?'],
    retries: [
      ['`429`, `503`', 'Yes, after `Retry-After` seconds'],
      ['`408`, `500`, no response at all', 'Yes, with the same `Idempotency-Key`'],
      ['`409` with `Retry-After`', 'Yes, with the same `Idempotency-Key`'],
      ['every other `4xx`', 'No; the same request gets the same response'],
    ],
    scenarios_lead:
      'Test mode moves no money. With these values a test sees every outcome; ' +
      '`GET /test/scenarios` has the same table as data.',
    scenario_headings: ['Test scenario', 'Effect'],
    concerns: 'For',
    methods_lead:
      'A card charge is settled in a moment. A charge for which the customer must act becomes ' +
      '`awaiting`; its issuer token says where they go or what they need.',
    method_headings: ['Payment type', 'Recurring', 'Hold first', 'Refund', 'E-mail'],
    brand_headings: [
      'Brand',
      'Call methods',
      'user_identifier for',
      'os_type for',
      'ip_address for',
      'Redirect',
    ],
    chain_headings: ['Chain', 'Expiry to'],
    types: 'Payment types',
    brands: 'Online brands',
    chains: 'Convenience stores',
    scanned_brands: 'QR codes of the merchant',
    customs: 'Customs offices',
    yes: 'yes',
    no: 'no',
    never: 'never',
    minute: 'the minute',
    day: 'the day',
    events_lead:
      'What a webhook can ask for in `triggers`, as the request that its receiver gets. ' +
      '`GET /events` reads the same events in the order in which they were committed.',
    delivery_headers: 'Headers of a delivery',
    levels: 'Webhooks of',
    feed_only: 'Events in the feed only',
    feed_only_lead: 'These are recorded and read with `GET /events`, but no webhook gets them.',
  },
  ja: {
    errors_lead:
      'エラーはすべて同じ形式です。判定には`code`を使ってください。`message`は人が読むための文で、変わることがあります。',
    codes: 'コード',
    code_headings: ['コード', 'ステータス', '意味'],
    reasons: '理由',
    reasons_lead: 'リクエストのどのフィールドが正しくないかを、`errors`で示します。',
    reason_headings: ['理由', 'フィールドの状態'],
    payments: '決済の失敗',
    payments_lead:
      '受け付けたあとに拒否された課金、返金、キャンセル、税関申告は、HTTPエラーにはなりません。' +
      'オブジェクトの状態が`failed`（拒否）または`error`（技術的な失敗）になり、理由は`error.code`に入ります。',
    payment_headings: ['コード', 'メッセージ'],
    retry: '再試行',
    retry_headings: ['レスポンス', '再試行'],
    retries: [
      ['`429`、`503`', '`Retry-After`秒後に再試行'],
      ['`408`、`500`、応答なし', '同じ`Idempotency-Key`で再試行'],
      ['`Retry-After`付きの`409`', '同じ`Idempotency-Key`で再試行'],
      ['その他の`4xx`', '不要。同じリクエストには同じレスポンスが返ります'],
    ],
    scenarios_lead:
      'テストモードでは実際のお金は動きません。次の値を使うと、あらゆる結果を再現できます。' +
      '同じ表を`GET /test/scenarios`で取得できます。',
    scenario_headings: ['テストシナリオ', '結果'],
    concerns: '対象',
    methods_lead:
      'カードの課金はすぐに確定します。お客様の操作が必要な課金は`awaiting`になり、' +
      '手続きの方法はイシュアートークンで確認できます。',
    method_headings: ['決済手段', '継続課金', '仮売上', '返金', 'メール'],
    brand_headings: [
      'ブランド',
      '呼び出し方法',
      'user_identifierが必要',
      'os_typeが必要',
      'ip_addressが必要',
      'リダイレクト',
    ],
    chain_headings: ['チェーン', '期限の単位'],
    types: '決済手段の一覧',
    brands: 'オンラインブランド',
    chains: 'コンビニ',
    scanned_brands: '店舗提示型QRコード',
    customs: '税関',
    yes: '可',
    no: '不可',
    never: 'なし',
    minute: '分',
    day: '日',
    events_lead:
      'ウェブフックの`triggers`に指定できるイベントと、受信するリクエストです。' +
      '`GET /events`では、同じイベントを確定した順に取得できます。',
    delivery_headers: '配信のヘッダー',
    levels: 'ウェブフックの種類',
    feed_only: 'フィードのみのイベント',
    feed_only_lead: '記録され`GET /events`で取得できますが、ウェブフックでは送信されません。',
  },
}
