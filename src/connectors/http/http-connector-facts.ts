import type { ConnectorFacts } from '../connector-facts.ts'

export const http_connector_facts: ConnectorFacts = {
  name: { en: 'Acquirer over HTTP', ja: 'HTTP接続の決済会社' },
  caution: null,
  settings_ja: {
    base_url: {
      name: '接続先のURL',
      hint: 'https:// で始まるアドレス。http はこのマシンの中だけで使えます。',
    },
    key_id: {
      name: '鍵のID',
      hint: 'リクエストの署名に使う鍵のID。通知の署名にも使われます。',
    },
    secret: { name: '署名用の秘密鍵', hint: '32〜255文字。' },
    previous_key_id: { name: '以前の鍵のID', hint: '鍵の切り替え中のみ。' },
    previous_secret: { name: '以前の秘密鍵', hint: '鍵の切り替え中のみ。' },
  },
}
