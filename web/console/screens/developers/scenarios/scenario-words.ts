interface Scenario {
  readonly id: string
  readonly group: string
  readonly trigger: string
  readonly effect: string
}

const groups: Readonly<Record<string, string>> = {
  'card or e-mail': 'カードまたはメールアドレス',
  'scanned QR code': '読み取ったQRコード',
  'waiting charge': '顧客の操作待ちの決済',
  deposit: '着金',
  dispute: 'チャージバック',
  'customs declaration': '税関申告',
}

const card = 'カード番号 $1'
const card_ending = '末尾が$1のカード番号（$2の場合のみ）'
const email = 'メールアドレス $1'
const code_ending = '末尾が$1のコード'
const call = '$1に$2を指定'

/** By scenario, without the part after the colon. `$1` is the first code or number of the English text. */
const scenarios: Readonly<Record<string, readonly [trigger: string, effect: string]>> = {
  card_declined: [card, '決済が失敗（$1: カード発行会社が拒否）'],
  card_succeeds: [card, '決済が成功（ほかの効果がないカード番号も同じ）'],
  card_insufficient_funds: [card, '決済が失敗（$1: 残高不足）'],
  card_expired: [card, '決済が失敗（$1: カードの有効期限切れ）'],
  card_wrong_cvv: [card, '決済が失敗（$1: セキュリティコードの誤り）'],
  card_processing_error: [card, '決済が失敗（$1: 処理エラー）'],
  card_challenge: [card, '支払いページでの3Dセキュア認証を待ち、その後に成功'],
  card_refund_fails: [card, '決済は成功し、返金が失敗（$1）'],
  card_cancel_fails: [card, '決済は成功し、取消が失敗（$1）'],
  card_disputed: [card, '決済は成功し、1秒後に顧客が全額に異議を申し立てる（$1）'],
  card_ending_1111: [card_ending, '決済が失敗（$1: カード番号が無効）'],
  card_ending_4242: [card_ending, '決済は成功し、返金が失敗（$1）'],
  card_ending_1881: [card_ending, '決済は成功し、取消が失敗（$1）'],
  email_charge_failure: [email, '決済がエラーNNNで終了（3xxは$1、5xxは$2。ほかの数字は効果なし）'],
  email_delay: [email, '決済会社がS秒後に応答（$1〜$2。ほかの数字は効果なし）'],
  email_timeout: [email, '決済会社の最初の応答が失われ、照会で結果が判明'],
  email_dispute: [email, '支払いの1秒後に顧客が異議を申し立てる（着金は対象外）'],
  qr_wallet: ['コード $*', 'ウォレットは$1'],
  qr_code_declined: [code_ending, '決済が失敗（$1: ウォレットが拒否）'],
  qr_code_insufficient: [code_ending, '決済が失敗（$1: 残高不足）'],
  qr_code_expired: [code_ending, '決済が失敗（$1: コードの期限切れ）'],
  qr_code_used: [code_ending, '決済が失敗（$1: 使用済みのコード）'],
  charge_completed: [call, '顧客が支払う、または認証に成功。着金の不足分も届く'],
  charge_declined: [call, '決済が失敗（$1: 顧客が拒否。3Dセキュアの場合は$3）'],
  charge_expired: [call, '決済が失敗（$1: 期限までに操作がなかった）'],
  charge_on_page: [
    '決済の支払いページ',
    '同じ操作を画面で行う。離脱すると決済は$1、認証は$2で失敗',
  ],
  deposit_received: [
    '$1に$2と$3を指定',
    '指定した金額が店頭または口座に届く。一致しない着金は返金',
  ],
  deposit_unreturnable: ['支払人の名前 $1', '返金に失敗し、仮受金として残る（運営者が確認）'],
  dispute_created: ['$1に$2と$3を指定', '顧客が決済の全額または一部に異議を申し立てる（手数料$1）'],
  dispute_evidence_wins: ['$1という語を含む反証', '1秒後に店舗の主張が認められる'],
  dispute_evidence_loses: ['$1という語を含む反証', '1秒後に顧客の主張が認められる'],
  dispute_decided: ['$1に$2を$3または$4で指定', '反証の内容にかかわらず、すぐに決まる'],
  dispute_unanswered: ['$1日以内に反証なし', '店舗の主張は認められない'],
  customs_fail: ['$2で始まる$1', '申告が失敗（$1）'],
  customs_slow: ['$2で始まる$1', '税関が$1秒後に応答'],
}

function fill(text: string, english: string): string {
  const values = english.match(/`[^`]*`|\b\d+(?!\w)/g) ?? []
  return text.replaceAll(/\$([\d*])/g, (_, at: string) =>
    at === '*' ? values.join('、') : (values[Number(at) - 1] ?? ''),
  )
}

/** A scenario of test mode in Japanese; one that the console does not know stays in English. */
export function scenarioInJapanese(scenario: Scenario): Scenario {
  const { id, group, trigger, effect } = scenario
  const words = scenarios[id.split(':')[0] ?? '']
  if (!words) return scenario
  return {
    id,
    group: groups[group] ?? group,
    trigger: fill(words[0], trigger),
    effect: fill(words[1], effect),
  }
}
