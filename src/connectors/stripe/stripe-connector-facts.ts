import type { ConnectorFacts } from '../connector-facts.ts'

export const stripe_connector_facts: ConnectorFacts = {
  name: { en: 'Stripe', ja: 'Stripe' },
  caution: {
    en: 'It was never run against Stripe: shape-checked only.',
    ja: 'Stripeとの実接続は未確認です（形式のみ確認済み）。',
  },
  settings_ja: {
    secret_key: {
      name: 'シークレットキー',
      hint: 'アカウントのキー、または制限付きキー。テスト用のキーではお金は動きません。',
    },
    webhook_secret: {
      name: 'Webhookの署名シークレット',
      hint: 'Stripeに登録したWebhookエンドポイントのシークレット。',
    },
    previous_webhook_secret: {
      name: '以前の署名シークレット',
      hint: 'シークレットの切り替え中のみ。',
    },
    api_url: {
      name: 'テスト用のURL',
      hint: 'テスト専用。このマシンで動く代替サーバーのアドレス。',
    },
  },
}
