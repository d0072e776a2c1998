import type { Access } from '../../api/routes/route.ts'
import type { Language } from '../frame/page-frame.ts'

/** The words of the reference itself; texts of the description stay in English. */
export interface ReferenceTexts {
  readonly title: string
  readonly skip: string
  /** Between two sentences. */
  readonly gap: string
  readonly menu: string
  readonly search: string
  readonly nothing_found: string
  readonly other_language: string
  readonly theme: string
  readonly groups: Readonly<Record<Group, string>>
  readonly pages: Readonly<Record<GuideName, string>>
  readonly object: string
  readonly operations: string
  readonly required: string
  readonly optional: string
  readonly optional_null: string
  readonly one_of: string
  readonly default: string
  readonly example: string
  readonly fields: (count: number) => string
  readonly all_fields_of: string
  readonly path_fields: string
  readonly query_fields: string
  readonly idempotent: string
  readonly paginated: string
  readonly body_fields: string
  readonly returns: string
  readonly list_of: string
  readonly returns_nothing: string
  readonly also_at: string
  readonly access: Readonly<Record<NonNullable<Access['level']>, string>>
  readonly without_secret: Readonly<Record<'from_domains' | 'anywhere', string>>
  readonly errors: (count: number) => string
  readonly common_errors: string
  readonly payment_errors: string
  readonly scenarios: (count: number) => string
  readonly request: string
  readonly response: string
  readonly language_choice: string
  readonly as_markdown: string
  readonly copy: string
  readonly copied: string
  readonly link_copied: string
  readonly not_found: string
  readonly not_found_sentence: string
  readonly try_it: Readonly<Record<TryItText, string>>
}

export type Group =
  | 'start'
  | 'guides'
  | 'methods'
  | 'operate'
  | 'payments'
  | 'money'
  | 'events'
  | 'account'
  | 'service'
  | 'objects'
export type GuideName = 'overview' | 'errors' | 'test-scenarios' | 'payment-methods' | 'event-types'
type TryItText =
  | 'open'
  | 'close'
  | 'send'
  | 'sending'
  | 'credentials'
  | 'use_demo'
  | 'demo_used'
  | 'no_demo'
  | 'paste'
  | 'paste_hint'
  | 'memory_only'
  | 'live_refused'
  | 'unreadable'
  | 'body'
  | 'body_invalid'
  | 'headers'
  | 'as_curl'
  | 'failed'
  | 'test_mode'

export const reference_texts: Record<Language, ReferenceTexts> = {
  en: {
    title: 'Documentation',
    skip: 'Skip to the content',
    gap: ' ',
    menu: 'Menu',
    search: 'Search',
    nothing_found: 'Nothing was found.',
    other_language: '日本語',
    theme: 'Switch between light and dark',
    groups: {
      start: 'Get started',
      guides: 'Guides',
      methods: 'Payment methods',
      operate: 'Operate',
      payments: 'Payments',
      money: 'Money',
      events: 'Events',
      account: 'Account',
      service: 'Service',
      objects: 'Object schemas',
    },
    pages: {
      overview: 'Overview',
      errors: 'Errors',
      'test-scenarios': 'Test scenarios',
      'payment-methods': 'Method tables',
      'event-types': 'Event types',
    },
    object: 'Object',
    operations: 'Operations',
    required: 'required',
    optional: 'optional',
    optional_null: 'nullable',
    one_of: 'One of',
    default: 'Default',
    example: 'Example',
    fields: (count) => (count === 1 ? '1 field' : `${count} fields`),
    all_fields_of: 'All fields of',
    path_fields: 'Path',
    query_fields: 'Query',
    idempotent: 'Can be repeated safely with an `Idempotency-Key`.',
    paginated: 'Pages with `limit`, `cursor` and `cursor_direction`.',
    body_fields: 'Body',
    returns: 'Returns',
    list_of: 'A list of',
    returns_nothing: 'No body.',
    also_at: 'Also at',
    access: {
      public: 'No credentials needed.',
      user: 'Login token of a user.',
      operator: 'Login token of an operator, with a second factor.',
      any: 'Application token of a store or of the merchant.',
      store: 'Application token of a store.',
      merchant: 'Application token of the merchant.',
    },
    without_secret: {
      from_domains: 'In a browser the JWT alone is enough, on a domain of the token.',
      anywhere: 'The JWT alone is enough.',
    },
    errors: (count) => `What can go wrong (${count})`,
    common_errors: 'Errors of every operation on this page',
    payment_errors:
      'A payment that was accepted can still fail: `error.code` of the object says why.',
    scenarios: (count) => `Test scenarios (${count})`,
    request: 'Request',
    response: 'Response',
    language_choice: 'Language of the samples',
    as_markdown: 'This page as Markdown',
    copy: 'Copy',
    copied: 'Copied',
    link_copied: 'Link copied',
    not_found: 'This page does not exist',
    not_found_sentence: 'The overview lists every page of the reference.',
    try_it: {
      open: 'Try it',
      close: 'Close',
      send: 'Send request',
      sending: 'Sending …',
      credentials: 'Credentials',
      use_demo: 'Use the demo store',
      demo_used: 'Using the demo store in test mode',
      no_demo:
        'Demo credentials are only given to a browser on the machine of a development start. ' +
        'Print them with: npm run -s credentials',
      paste: 'Application token in test mode',
      paste_hint: '<secret>.<jwt>',
      memory_only: 'Kept in the memory of this page only, never stored.',
      live_refused: 'This is not a token of a store in test mode. Nothing was sent.',
      unreadable: 'This is not an application token: <secret>.<jwt>.',
      body: 'Body (JSON)',
      body_invalid: 'The body is not valid JSON.',
      headers: 'Headers of the response',
      as_curl: 'The same with curl',
      failed: 'The service cannot be reached.',
      test_mode: 'Test mode: no money moves.',
    },
  },
  ja: {
    title: 'ドキュメント',
    skip: '本文へ移動',
    gap: '',
    menu: 'メニュー',
    search: '検索',
    nothing_found: '見つかりませんでした。',
    other_language: 'English',
    theme: 'ライトとダークを切り替える',
    groups: {
      start: 'はじめに',
      guides: 'ガイド',
      methods: '決済方法',
      operate: '運用',
      payments: '決済',
      money: '入出金',
      events: 'イベント',
      account: 'アカウント',
      service: 'サービス',
      objects: 'オブジェクトの定義',
    },
    pages: {
      overview: '概要',
      errors: 'エラー',
      'test-scenarios': 'テストシナリオ',
      'payment-methods': '決済方法の一覧',
      'event-types': 'イベントの種類',
    },
    object: 'オブジェクト',
    operations: '操作',
    required: '必須',
    optional: '任意',
    optional_null: 'null可',
    one_of: '次のいずれか',
    default: '既定値',
    example: '例',
    fields: (count) => `${count}個のフィールド`,
    all_fields_of: 'すべてのフィールドを含む',
    path_fields: 'パス',
    query_fields: 'クエリ',
    idempotent: '`Idempotency-Key`を付けると安全に再試行できます。',
    paginated: '`limit`、`cursor`、`cursor_direction`でページを指定できます。',
    body_fields: 'ボディ',
    returns: '戻り値',
    list_of: '一覧:',
    returns_nothing: 'レスポンスボディはありません。',
    also_at: '別のパス',
    access: {
      public: '認証は不要です。',
      user: 'ユーザーのログイントークンが必要です。',
      operator: '運営者のログイントークン（二要素認証）が必要です。',
      any: '店舗または加盟店のAPIキーが必要です。',
      store: '店舗のAPIキーが必要です。',
      merchant: '加盟店のAPIキーが必要です。',
    },
    without_secret: {
      from_domains: 'トークンに登録したドメインのページからはJWTのみで呼び出せます。',
      anywhere: 'JWTのみで呼び出せます。',
    },
    errors: (count) => `起こりうるエラー（${count}）`,
    common_errors: 'このページのすべての操作に共通するエラー',
    payment_errors:
      '受け付けられた決済も、あとで失敗することがあります。理由はオブジェクトの`error.code`で確認できます。',
    scenarios: (count) => `テストシナリオ（${count}）`,
    request: 'リクエスト',
    response: 'レスポンス',
    language_choice: 'サンプルの言語',
    as_markdown: 'このページをMarkdownで表示',
    copy: 'コピー',
    copied: 'コピーしました',
    link_copied: 'リンクをコピーしました',
    not_found: 'ページが見つかりません',
    not_found_sentence: '概要ページからすべてのページに移動できます。',
    try_it: {
      open: '試す',
      close: '閉じる',
      send: 'リクエストを送信する',
      sending: '送信中…',
      credentials: '認証情報',
      use_demo: 'デモ店舗を使う',
      demo_used: 'デモ店舗（テストモード）を使用中',
      no_demo:
        'デモ店舗の認証情報は、開発用に起動したマシン上のブラウザにのみ渡されます。' +
        '次のコマンドで表示できます: npm run -s credentials',
      paste: 'テストモードのAPIキー',
      paste_hint: '<secret>.<jwt>',
      memory_only: 'このページのメモリにのみ保持し、保存しません。',
      live_refused: 'テストモードの店舗のトークンではないため、送信していません。',
      unreadable: 'APIキーの形式ではありません：<secret>.<jwt>',
      body: 'ボディ（JSON）',
      body_invalid: 'ボディが正しいJSONではありません。',
      headers: 'レスポンスヘッダー',
      as_curl: 'curlで実行する',
      failed: 'サービスに接続できません。',
      test_mode: 'テストモードのため、実際のお金は動きません。',
    },
  },
}
