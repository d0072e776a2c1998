import type { Language } from '../frame/page-frame.ts'

export interface StartTexts {
  readonly description: string
  readonly lead: string
  readonly other_language: string
  readonly theme: string
  readonly skip: string
  readonly healthy: string
  readonly healthy_meaning: string
  readonly unhealthy: string
  readonly live_meaning: string
  readonly test_on: string
  readonly live_on: string
  readonly live_off: string
  readonly live_off_meaning: string
  readonly test_meaning: string
  readonly state: string
  readonly first_call: string
  readonly first_call_hint: string
  readonly copy: string
  readonly copied: string
  readonly links: {
    readonly guides: readonly [title: string, words: string]
    readonly checkout: readonly [title: string, words: string]
    readonly shop: readonly [title: string, words: string]
    readonly reference: readonly [title: string, words: string]
    readonly quick_start: readonly [title: string, words: string]
    readonly scenarios: readonly [title: string, words: string]
    readonly console: readonly [title: string, words: string]
  }
}

export const start_texts: Record<Language, StartTexts> = {
  en: {
    description: 'Kaikei is a payment service with an HTTP API.',
    lead: 'A payment service with an HTTP API. It is running, and this is where to start.',
    other_language: '日本語',
    theme: 'Switch between light and dark',
    skip: 'Skip to the content',
    state: 'State of the service',
    healthy: 'Ready for requests',
    healthy_meaning: 'The database and the data folder can be written to.',
    live_meaning: 'Real payments are accepted.',
    unhealthy: 'Not ready',
    test_on: 'Test mode',
    test_meaning: 'Payments are simulated; no money moves.',
    live_on: 'Live mode',
    live_off: 'No live mode',
    live_off_meaning: 'No provider of live payments is connected.',
    first_call: 'Your first call',
    first_call_hint:
      'Paste this into a terminal in the folder of the service. It charges a test card and prints the ' +
      'address of a payment page.',
    copy: 'Copy',
    copied: 'Copied',
    links: {
      quick_start: ['Five minutes', 'From nothing to a payment and a refund, step by step.'],
      checkout: ['Checkout', 'A payment page, a payment link, or card fields on your own page.'],
      shop: ['Demo shop', 'A whole shop to click through and copy from: `npm run shop`.'],
      guides: ['Documentation', 'Guides, every operation, field, error and event, in one search.'],
      reference: ['API reference', 'Charges first. Try every operation on the page.'],
      scenarios: ['Test scenarios', 'Cards that fail, customers who wait, time that passes.'],
      console: ['Console', 'Payments, refunds and settings in the browser.'],
    },
  },
  ja: {
    description: 'KaikeiはHTTP APIで使う決済サービスです。',
    lead: 'HTTP APIで使う決済サービスです。起動しています。ここから始められます。',
    other_language: 'English',
    theme: 'ライトとダークを切り替える',
    skip: '本文へ移動',
    state: 'サービスの状態',
    healthy: '正常に稼働しています',
    healthy_meaning: 'データベースとデータフォルダに書き込めます。',
    live_meaning: '実際の決済を受け付けます。',
    unhealthy: '利用できない状態です',
    test_on: 'テストモード',
    test_meaning: '実際のお金は動きません。',
    live_on: '本番モード',
    live_off: '本番モードは未接続',
    live_off_meaning: '本番の決済会社が接続されていません。',
    first_call: '最初の呼び出し',
    first_call_hint:
      '`SECRET`と`JWT`にデモ店舗の認証情報を設定します。`npm run -s credentials`で表示できます。',
    copy: 'コピー',
    copied: 'コピーしました',
    links: {
      quick_start: ['5分で最初の決済', '最初の決済から返金まで、順に進めます。'],
      checkout: ['チェックアウト', '決済ページ、支払いリンク、自社ページのカード入力欄。'],
      shop: ['デモショップ', '購入を試し、コードを参考にできます: `npm run shop`'],
      guides: [
        'ドキュメント',
        'ガイドとすべての操作・フィールド・エラー・イベントをまとめて検索できます。',
      ],
      reference: ['APIリファレンス', '課金から。すべての操作をページ上で試せます。'],
      scenarios: ['テストシナリオ', '失敗するカード、待つお客様、進む時間。'],
      console: ['管理画面', '決済・返金・設定をブラウザで。'],
    },
  },
}
