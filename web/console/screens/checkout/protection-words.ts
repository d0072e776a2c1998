import { defineWords } from '../../words/language.tsx'

export const protection_words = defineWords(
  {
    quiet: 'No card testing in the last seven days.',
    attacked: 'Cards were tested at your store',
    attacked_text:
      'Many cards were tried in these hours. We refused attempts, or required a challenge in the background.',
    what: 'What card testing is',
    what_text:
      'Programs try stolen card numbers with small payments to find cards that work. Shops see many declined payments, and later fees and disputes.',
    limits: 'Automatic limits',
    rows: {
      session: 'Declined cards of a session',
      address: 'Declined cards from one address',
      card: 'Declines of one card',
      store: 'Declined cards of a store',
      credential: 'Cards checked with one public key',
      visit: 'New sessions from one address at payment links',
    },
    then_closed: (count: string) => `${count}, then cards are no longer accepted`,
    then_slow: (count: string, minutes: string) => `${count}, then one every ${minutes} minutes`,
    then_rate: (count: string, rate: string) => `${count}, then ${rate} per minute`,
    then_challenge: (count: string) => `${count}, then every attempt requires a challenge`,
    then_refused: (count: string) =>
      `${count}, then our fields require a challenge and other calls are refused`,
    honest: 'Approved cards do not count. Paying customers do not notice the challenge.',
    todo: 'What you can do',
    see_failed: 'Check the failed payments',
    see_failed_text:
      'Refund successful payments with small amounts and many cards from one address.',
    require_3ds: 'Require 3-D Secure',
    require_3ds_text: 'Turn it on in the store settings to authenticate every cardholder.',
    close_links: 'Switch off payment links that are not in use',
    close_links_text: 'Start with links where customers choose the amount.',
  },
  {
    quiet: '過去7日間に、カードの不正な試行はありません。',
    attacked: 'カードの不正な試行がありました',
    attacked_text:
      '次の時間帯は、試されたカードが多かったため、試行を拒否するか、自動の確認処理を行いました。',
    what: 'カードの不正な試行とは',
    what_text:
      '盗まれたカード番号が使えるかどうかを、プログラムで少額の支払いを繰り返して確かめる行為です。失敗した決済が急に増え、後から手数料やチャージバックにつながります。',
    limits: '自動で行う対策',
    rows: {
      session: '1つのセッションで拒否されたカード',
      address: '1つのアドレスから拒否されたカード',
      card: '1枚のカードが拒否された回数',
      store: '1つの店舗で拒否されたカード',
      credential: '1つの公開キーで確認されたカード',
      visit: '支払いリンクで1つのアドレスが作る新しいセッション',
    },
    then_closed: (count: string) => `${count}件まで。以後カードは利用不可`,
    then_slow: (count: string, minutes: string) => `${count}件まで。以後${minutes}分に1件`,
    then_rate: (count: string, rate: string) => `${count}件まで。以後1分に${rate}件`,
    then_challenge: (count: string) => `${count}件まで。以後は毎回、自動の確認処理`,
    then_refused: (count: string) =>
      `${count}件まで。以後、カード入力欄では自動の確認処理、その他の呼び出しは拒否`,
    honest: '有効だったカードは数えません。通常の顧客が確認処理に気づくことはありません。',
    todo: 'できること',
    see_failed: '失敗した決済を確認する',
    see_failed_text: '少額で、カードが多く、アドレスが同じ決済が成功していたら、返金してください。',
    require_3ds: '3Dセキュアを必須にする',
    require_3ds_text: '店舗の設定で、すべてのカード会員の本人認証を必須にできます。',
    close_links: '使っていない支払いリンクを停止する',
    close_links_text: '特に、顧客が金額を入力するリンクを停止してください。',
  },
)
