import {
  idempotency_limits,
  metadata_limits,
  page_limits,
  request_limits,
} from '../../../core/limits/limits.ts'
import type { Language } from '../../frame/page-frame.ts'

/** A section of the overview; text between backticks is code. */
export interface OverviewSection {
  readonly title: string
  readonly paragraphs: readonly string[]
}

export type SectionName =
  | 'quick-start'
  | 'authentication'
  | 'idempotency'
  | 'errors'
  | 'pagination'
  | 'rate-limits'
  | 'limits'
  | 'webhooks'
  | 'versions'

export interface OverviewTexts {
  readonly heading: string
  readonly lead: string
  readonly base_url: string
  readonly as_data: string
  readonly sections: Readonly<Record<SectionName, OverviewSection>>
  readonly rates: Readonly<Record<'charge' | 'route' | 'exact', string>>
  readonly rate_headings: readonly [string, string, string, string]
  readonly limit_headings: readonly [string, string, string]
  readonly statuses: Readonly<Record<string, string>>
  readonly status_headings: readonly [string, string]
}

const hours = idempotency_limits.stored_ms / 3_600_000
const { key_length } = idempotency_limits
const { min, max, default: usual } = page_limits
const body_kb = request_limits.body_bytes / 1024
const metadata_kb = metadata_limits.bytes / 1024

export const overview_texts: Record<Language, OverviewTexts> = {
  en: {
    heading: 'Kaikei API',
    lead:
      'A payment service with an HTTP API: cards with 3-D Secure, QR codes, convenience stores, online ' +
      'brands and bank transfers; refunds, subscriptions, payouts, signed webhooks.',
    base_url: 'Base URL',
    as_data: 'The same as data',
    sections: {
      'quick-start': {
        title: 'Quick start',
        paragraphs: [
          'The first start of the service creates a demo store in test mode. Paste this into a terminal ' +
            'in the folder of the service: it creates a token from a test card, charges it, and ' +
            'prints the address of a payment page. The charge is `pending` at first and `successful` a ' +
            'moment later.',
          'Where only the package is installed, write `npx kaikei credentials` in the first line.',
        ],
      },
      authentication: {
        title: 'Authentication',
        paragraphs: [
          'Every request carries an application token: its secret and its JWT, joined by a dot. A token ' +
            'of a store sees that store in its mode, `test` or `live`; a token of the merchant sees all ' +
            'its stores. Resources of others are `404`, like unknown ids.',
          'The secret belongs on your server. Where an operation accepts the JWT alone, a browser may ' +
            'call it from the domains of the token.',
        ],
      },
      idempotency: {
        title: 'Idempotency',
        paragraphs: [
          'A `POST` or `PATCH` with an `Idempotency-Key` of up to ' +
            `${key_length} characters can be repeated safely: the change is made once, and for ${hours} ` +
            'hours the same request gets the same response. After an error the key is unused. ' +
            '`Idempotency-Status` says what happened:',
        ],
      },
      errors: {
        title: 'Errors',
        paragraphs: [
          'Every error has the same body. Decide by `code` and by the `reason` of a field; `message` is ' +
            'for people. `X-Request-Id` finds the request in the log, `X-Ignored-Fields` names unknown ' +
            'fields that were ignored.',
        ],
      },
      pagination: {
        title: 'Pagination',
        paragraphs: [
          `Lists are newest first and return \`items\` and \`has_more\`. \`limit\` is ${min} to ${max}, ` +
            `${usual} by default. For the next page send the id of the last item as \`cursor\`; ` +
            '`cursor_direction=asc` turns the order around.',
        ],
      },
      'rate-limits': {
        title: 'Rate limits',
        paragraphs: [
          'Each application token has its own allowance, which refills evenly; requests without one ' +
            'share that of their address. Beyond it the response is `429`, and `Retry-After` says how ' +
            'many seconds to wait.',
        ],
      },
      limits: {
        title: 'Other limits',
        paragraphs: [
          `A body has at most ${body_kb} kB, \`metadata\` ${metadata_kb} kB with ` +
            `${metadata_limits.keys} keys. Active resources are limited; one more is ` +
            '`RESOURCE_LIMIT_REACHED`.',
        ],
      },
      webhooks: {
        title: 'Webhooks',
        paragraphs: [
          'Every change that matters is an event, recorded with the change. A webhook posts events to ' +
            'your server, signed as Standard Webhooks describes. Verify the signature, process each ' +
            '`webhook-id` once, let the greatest `sequence` of a resource win, and respond with 2xx ' +
            'within three seconds; otherwise the delivery is repeated for about three days.',
        ],
      },
      versions: {
        title: 'Versions',
        paragraphs: [
          'Additions are not announced: new fields, operations, events and error codes can appear at any ' +
            'time, so ignore what you do not know. What is removed or changes its meaning gets a new path.',
        ],
      },
    },
    rates: {
      charge: 'Creating tokens, charges and subscriptions, together',
      route: 'Every other operation, whatever the ids in its path',
      exact: 'Every other operation, per exact path and query',
    },
    rate_headings: ['Applies to', 'Per minute', 'Burst', 'Headers'],
    limit_headings: ['Resource', 'At most', 'Per'],
    statuses: {
      successfully_stored: 'The change was made and its response is stored.',
      retrieved_idempotent_response: 'This is the response of the first request.',
      conflicting_key: 'The key belongs to another request, or one that is running.',
      not_stored: 'The request was refused; nothing is stored.',
    },
    status_headings: ['Status', 'Meaning'],
  },
  ja: {
    heading: 'Kaikei API',
    lead:
      'HTTP APIで使う決済サービスです。カード（3-Dセキュア）、QRコード、コンビニ、オンライン決済、' +
      '銀行振込に対応し、返金、定期課金、入金、署名付きウェブフックを備えています。',
    base_url: 'ベースURL',
    as_data: 'データ形式',
    sections: {
      'quick-start': {
        title: 'クイックスタート',
        paragraphs: [
          '最初の起動時に、テストモードのデモ店舗が作成されます。サービスのフォルダのターミナルに貼り付けると、' +
            'テストカードのトランザクショントークンを作成して課金し、決済ページのアドレスを表示します。' +
            '課金は最初`pending`で、すぐに`successful`になります。',
          'パッケージだけをインストールした場合は、1行目に`npx kaikei credentials`を使ってください。',
        ],
      },
      authentication: {
        title: '認証',
        paragraphs: [
          'すべてのリクエストに、シークレットとJWTをドットでつないだAPIキーを付けます。' +
            '店舗のトークンはその店舗とモード（`test`または`live`）だけを、加盟店のトークンは' +
            'すべての店舗を参照できます。他者のリソースは、存在しないIDと同じく`404`になります。',
          'シークレットはサーバーだけに置いてください。JWTのみで呼び出せる操作は、トークンに登録した' +
            'ドメインのページから利用できます。',
        ],
      },
      idempotency: {
        title: '冪等性',
        paragraphs: [
          `\`POST\`と\`PATCH\`に${key_length}文字以内の\`Idempotency-Key\`を付けると、安全に再試行できます。` +
            `変更は一度だけ行われ、${hours}時間は同じリクエストに同じレスポンスが返ります。` +
            'エラーのあとは、同じキーをもう一度使えます。結果は`Idempotency-Status`で確認できます。',
        ],
      },
      errors: {
        title: 'エラー',
        paragraphs: [
          'エラーはすべて同じ形式です。判定には`code`とフィールドごとの`reason`を使ってください。' +
            '`message`は人が読むための文です。`X-Request-Id`でログを検索でき、' +
            '`X-Ignored-Fields`には無視された未知のフィールド名が入ります。',
        ],
      },
      pagination: {
        title: 'ページネーション',
        paragraphs: [
          `一覧は新しい順で、\`items\`と\`has_more\`を返します。\`limit\`は${min}から${max}まで、` +
            `既定値は${usual}です。次のページは、最後の項目のIDを\`cursor\`に指定して取得します。` +
            '`cursor_direction=asc`で古い順になります。',
        ],
      },
      'rate-limits': {
        title: 'レート制限',
        paragraphs: [
          '上限はAPIキーごとに数え、一定の速さで回復します。トークンのないリクエストは' +
            'アドレスごとに数えます。上限を超えると`429`になり、待つべき秒数が`Retry-After`に入ります。',
        ],
      },
      limits: {
        title: 'その他の上限',
        paragraphs: [
          `ボディは${body_kb}kB、\`metadata\`は${metadata_kb}kB・${metadata_limits.keys}個のキーまでです。` +
            '有効なリソースの数には上限があり、超えると`RESOURCE_LIMIT_REACHED`になります。',
        ],
      },
      webhooks: {
        title: 'ウェブフック',
        paragraphs: [
          '重要な変更はすべて、変更と同時にイベントとして記録されます。ウェブフックは、Standard Webhooksの' +
            '形式で署名したイベントをサーバーに送信します。署名を検証し、同じ`webhook-id`は一度だけ処理し、' +
            '同じリソースでは`sequence`が最大のものを優先し、3秒以内に2xxを返してください。' +
            'それ以外の場合は、約3日間再送されます。',
        ],
      },
      versions: {
        title: 'バージョン',
        paragraphs: [
          'フィールド、操作、イベント、エラーコードは予告なく追加されることがあります。未知のものは' +
            '無視してください。削除や意味の変更を行う場合は、新しいパスになります。',
        ],
      },
    },
    rates: {
      charge: 'トークン・課金・定期課金の作成（合計）',
      route: 'その他の操作（パス内のIDによらず合計）',
      exact: 'その他の操作（パスとクエリごと）',
    },
    rate_headings: ['対象', '毎分', '連続', 'ヘッダー'],
    limit_headings: ['リソース', '上限', '単位'],
    statuses: {
      successfully_stored: '変更が行われ、レスポンスが保存されました。',
      retrieved_idempotent_response: '最初のリクエストのレスポンスです。',
      conflicting_key: 'キーが別のリクエスト、または処理中のリクエストで使われています。',
      not_stored: 'リクエストは拒否され、何も保存されていません。',
    },
    status_headings: ['値', '意味'],
  },
}
