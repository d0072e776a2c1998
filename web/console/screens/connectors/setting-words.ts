type Texts = Readonly<Record<string, string>>

/** The settings of connectors in Japanese; in English their own names and descriptions are shown. */
export const setting_words_ja: { readonly names: Texts; readonly hints: Texts } = {
  names: {
    base_url: '接続先のURL',
    key_id: '鍵のID',
    secret: '署名用の秘密鍵',
    previous_key_id: '以前の鍵のID',
    previous_secret: '以前の秘密鍵',
    secret_key: 'シークレットキー',
    webhook_secret: 'Webhookの署名シークレット',
    previous_webhook_secret: '以前の署名シークレット',
    api_url: 'テスト用のURL',
  },
  hints: {
    base_url: 'https:// で始まるアドレス。http はこのマシンの中だけで使えます。',
    key_id: 'リクエストの署名に使う鍵のID。通知の署名にも使われます。',
    secret: '32〜255文字。',
    previous_key_id: '鍵の切り替え中のみ。',
    previous_secret: '鍵の切り替え中のみ。',
    secret_key: 'アカウントのキー、または制限付きキー。テスト用のキーではお金は動きません。',
    webhook_secret: 'Stripeに登録したWebhookエンドポイントのシークレット。',
    previous_webhook_secret: 'シークレットの切り替え中のみ。',
    api_url: 'テスト専用。このマシンで動く代替サーバーのアドレス。',
  },
}
