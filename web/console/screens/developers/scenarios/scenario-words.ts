interface Scenario {
  readonly group: string
  readonly lever: string
  readonly effect: string
}

type Rule = readonly [english: RegExp, japanese: string]

/** The API says it in English. `$1` is what was found, such as a code or an amount. */
const groups: readonly Rule[] = [
  [/^card or e-mail$/, 'カードまたはメールアドレス'],
  [/^scanned QR code$/, '読み取ったQRコード'],
  [/^waiting charge$/, '顧客の操作待ちの決済'],
  [/^deposit$/, '着金'],
  [/^dispute$/, 'チャージバック'],
  [/^customs declaration$/, '税関申告'],
]

const levers: readonly Rule[] = [
  [/^(`\d+`)$/, 'カード番号 $1'],
  [/^ends in (`\d+`), with (`COMPATIBILITY=clients`) only$/, '末尾が$1のカード番号($2の場合のみ)'],
  [/^e-mail (`.+`)$/, 'メールアドレス $1'],
  [/^code that ends in (`.+`)$/, '末尾が$1のコード'],
  [/^code (`.+`)$/, 'コード $1'],
  [/^(`POST .+?`) with (`.+`)$/, '$1に$2を指定'],
  [/^the hosted page of the charge$/, '決済の支払いページ'],
  [/^payer's name (`.+`)$/, '支払人の名前 $1'],
  [/^evidence with the word (`.+`)$/, '$1という語を含む反証'],
  [/^no evidence within (\d+) days$/, '$1日以内に反証なし'],
  [/^(`certificate_id`) that begins with (`.+`)$/, '$2で始まる$1'],
]

const effects: readonly Rule[] = [
  [/^Charge fails with (\d+): the issuer declines$/, '決済が失敗($1: カード発行会社が拒否)'],
  [/^Charge fails with (\d+): insufficient funds$/, '決済が失敗($1: 残高不足)'],
  [/^Charge fails with (\d+): the card has expired$/, '決済が失敗($1: カードの有効期限切れ)'],
  [/^Charge fails with (\d+): wrong security code$/, '決済が失敗($1: セキュリティコードの誤り)'],
  [/^Charge fails with (\d+): processing error$/, '決済が失敗($1: 処理エラー)'],
  [/^Charge fails with (\d+): card number not valid$/, '決済が失敗($1: カード番号が無効)'],
  [/^Charge fails with (\d+): the wallet declines$/, '決済が失敗($1: ウォレットが拒否)'],
  [/^Charge fails with (\d+): the code has expired$/, '決済が失敗($1: コードの期限切れ)'],
  [/^Charge fails with (\d+): the code was used already$/, '決済が失敗($1: 使用済みのコード)'],
  [
    /^Charge fails with (\d+): the customer declines; 3-D Secure with (\d+)$/,
    '決済が失敗($1: 顧客が拒否。3Dセキュアの場合は$2)',
  ],
  [/^Charge fails with (\d+): nobody acted in time$/, '決済が失敗($1: 期限までに操作がなかった)'],
  [
    /^Charge waits for the 3-D Secure challenge on its hosted page; then it works$/,
    '支払いページでの3Dセキュア認証を待ち、その後に成功',
  ],
  [/^Charge works, refund fails with (\d+)$/, '決済は成功し、返金が失敗($1)'],
  [/^Charge works, cancel fails with (\d+)$/, '決済は成功し、取り消しが失敗($1)'],
  [
    /^Charge ends with error NNN: 3xx (`.+`), 5xx (`.+`); other numbers do nothing$/,
    '決済がエラーNNNで終了(3xxは$1、5xxは$2。ほかの数字は無効)',
  ],
  [
    /^The provider answers after S seconds, 0 to (\d+); other numbers do nothing$/,
    '決済会社がS秒後に応答(0〜$1。ほかの数字は無効)',
  ],
  [
    /^The first answer of the provider is lost; the outcome is found out by asking again$/,
    '決済会社の最初の応答が失われ、再度の照会で結果が判明',
  ],
  [/^The wallet is (`.+`)$/, 'ウォレットは$1'],
  [
    /^The customer pays, or passes the challenge; what is missing of a deposit arrives$/,
    '顧客が支払う、または認証に成功。着金の不足分も届く',
  ],
  [
    /^The same by hand; who leaves it fails the charge with (\d+), a challenge with (\d+)$/,
    '同じ操作を画面で行う。離脱すると決済は$1、認証は$2で失敗',
  ],
  [
    /^So much arrives at the till or on the account; what does not match is sent back$/,
    '指定した金額が店頭または口座に届く。一致しない分は返却',
  ],
  [
    /^What should go back cannot: it stays in suspense, where the operator sees it$/,
    '返却できず、仮受金として残る（運営者が確認）',
  ],
  [
    /^Charge works; a second later the customer disputes all of it as (`.+`)$/,
    '決済は成功し、1秒後に顧客が全額に異議を申し立てる($1)',
  ],
  [
    /^The customer disputes the charge a second after it was paid; not deposits$/,
    '支払いの1秒後に顧客が異議を申し立てる（着金は対象外）',
  ],
  [
    /^The customer disputes the charge, or so much of it; the fee is (\d+)$/,
    '顧客が決済の全額または一部に異議を申し立てる(手数料$1)',
  ],
  [/^The bank decides for you a second later$/, '1秒後に店舗の主張が認められる'],
  [/^The bank decides for the customer a second later$/, '1秒後に顧客の主張が認められる'],
  [/^The bank decides now, whatever the evidence says$/, '反証の内容にかかわらず、すぐに決まる'],
  [/^The dispute is lost$/, '店舗の主張は認められない'],
  [/^Declaration fails with (\d+)$/, '申告が失敗($1)'],
  [/^Customs take (\d+) seconds to answer$/, '税関が$1秒後に応答'],
]

function translate(text: string, rules: readonly Rule[]): string {
  const rule = rules.find(([english]) => english.test(text))
  return rule ? text.replace(rule[0], rule[1]) : text
}

/** A scenario of test mode in Japanese; what is not known yet stays as it is. */
export function scenarioInJapanese({ group, lever, effect }: Scenario): Scenario {
  return {
    group: translate(group, groups),
    lever: translate(lever, levers),
    effect: translate(effect, effects),
  }
}
