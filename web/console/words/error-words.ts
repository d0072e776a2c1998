import type { Language } from './language.tsx'

type Texts = Readonly<Record<string, Readonly<Record<Language, string>>>>

/** Errors that a person at the console meets. All others show the sentence of the server. */
export const error_words = {
  ALREADY_CAPTURED: {
    en: 'The payment has already been captured.',
    ja: 'この売上はすでに確定しています。',
  },
  CANCEL_NOT_ALLOWED: {
    en: 'A payment in this state cannot be canceled.',
    ja: 'この状態の決済は取り消せません。',
  },
  CANNOT_REFUND_UNSUCCESSFUL_CHARGE: {
    en: 'Only a successful payment can be refunded.',
    ja: '返金できるのは成功した決済だけです。',
  },
  CAPTURE_AMOUNT_TOO_LARGE: {
    en: 'The amount exceeds the authorized amount.',
    ja: '仮売上の金額を超えています。',
  },
  CHARGE_DISPUTED: {
    en: 'The customer disputes this payment, so it cannot be refunded too.',
    ja: 'この金額はチャージバック中のため、返金できません。',
  },
  DISPUTE_NOT_OPEN: {
    en: 'A response was already sent, or the deadline has passed.',
    ja: 'すでに回答済みか、期限を過ぎています。',
  },
  CHARGE_AMOUNT_TOO_HIGH: {
    en: 'The amount is above the maximum of the store.',
    ja: '店舗で受け付ける金額の上限を超えています。',
  },
  CHARGE_AMOUNT_TOO_LOW: {
    en: 'The amount is below the minimum of the store.',
    ja: '店舗で受け付ける金額の下限を下回っています。',
  },
  CHECKOUT_SESSION_ENDED: {
    en: 'This session has already ended.',
    ja: 'このセッションはすでに終了しています。',
  },
  CHECKOUT_SESSION_PROCESSING: {
    en: 'A payment of this session is in progress.',
    ja: 'このセッションの支払いは手続き中です。',
  },
  CONFIRMATION_REQUIRED: {
    en: 'The action was not confirmed, so nothing was done.',
    ja: '確認されなかったため、実行していません。',
  },
  CONNECTION_FAILED: {
    en: 'The service cannot be reached. Check your connection.',
    ja: 'サービスに接続できません。通信状況を確認してください。',
  },
  INVALID_CREDENTIALS: {
    en: 'The e-mail, password or code is wrong.',
    ja: 'メールアドレス、パスワード、または確認コードが違います。',
  },
  INVALID_PERMISSIONS: {
    en: 'Your role does not allow this. Ask an owner to change it.',
    ja: 'この操作を行う権限がありません。',
  },
  NOT_SUPPORTED_BY_PROCESSOR: {
    en: 'The provider of this payment does not support it.',
    ja: 'この決済の決済会社が対応していません。',
  },
  REFUND_EXCEEDS_CHARGE_AMOUNT: {
    en: 'The amount exceeds the refundable amount.',
    ja: '返金できる残額を超えています。',
  },
  REFUND_NOT_ALLOWED: {
    en: 'This payment cannot be refunded.',
    ja: 'この決済は返金できません。',
  },
  REFUND_NOT_WITHIN_BOUNDS: {
    en: 'The refund deadline of this payment has passed.',
    ja: 'この決済の返金期限を過ぎています。',
  },
  RESOURCE_LIMIT_REACHED: {
    en: 'The limit of the store is reached. Switch others off first.',
    ja: '店舗あたりの上限に達しています。先に使わないものを停止してください。',
  },
  SERVICE_UNAVAILABLE: {
    en: 'The service is busy. Try again in a moment.',
    ja: '混み合っています。少し待ってからもう一度お試しください。',
  },
  TIMED_OUT: {
    en: 'The service took too long to respond. Try again.',
    ja: '応答に時間がかかりすぎました。もう一度お試しください。',
  },
  UNKNOWN_ERROR: {
    en: 'Something went wrong. Try again.',
    ja: '問題が発生しました。もう一度お試しください。',
  },
  VALIDATION_ERROR: {
    en: 'Some input is not valid. Check the fields.',
    ja: '入力内容に誤りがあります。',
  },
} as const satisfies Texts

export const reason_words = {
  REQUIRED_VALUE: { en: 'Enter a value.', ja: '入力してください。' },
  INVALID_FORMAT: { en: 'Check the format.', ja: '形式が正しくありません。' },
  INVALID_FORMAT_EMAIL: {
    en: 'Enter an e-mail address.',
    ja: 'メールアドレスの形式ではありません。',
  },
  INVALID_FORMAT_DATE: { en: 'Enter a date.', ja: '日付の形式ではありません。' },
  INVALID_FORMAT_LENGTH: { en: 'Too long or too short.', ja: '文字数が正しくありません。' },
  INVALID_FORMAT_CURRENCY: { en: 'Enter a currency code.', ja: '通貨が正しくありません。' },
  INVALID_FORMAT_URL: { en: 'Enter a URL.', ja: 'URLの形式ではありません。' },
  NOT_ALLOWED_VALUE: {
    en: 'The store does not offer one of these.',
    ja: '店舗で利用できないものが含まれています。',
  },
  INVALID_TIME_PERIOD: {
    en: 'Choose a shorter period.',
    ja: '対象が多すぎます。開始日と終了日で期間を短くしてください。',
  },
  NUMBER_MIN: { en: 'Too small.', ja: '値が小さすぎます。' },
  NUMBER_MAX: { en: 'Too large.', ja: '値が大きすぎます。' },
  MUST_HAVE_AT_LEAST_ONE_ELEMENT: {
    en: 'Choose at least one.',
    ja: '1つ以上選択してください。',
  },
  FORBIDDEN_PARAMETER: { en: 'Cannot be set here.', ja: 'ここでは指定できません。' },
  CHANGE_PROHIBITED: { en: 'Cannot be changed now.', ja: '現在は変更できません。' },
  CARD_NUMBER_NOT_ALLOWED: {
    en: 'Must not contain a card number.',
    ja: 'カード番号は入力できません。',
  },
  INVALID_FORMAT_DOMAIN: { en: 'Enter a domain.', ja: 'ドメインの形式ではありません。' },
  INVALID_FORMAT_COUNTRY: { en: 'Enter a country code.', ja: '国コードが正しくありません。' },
  INVALID_DURATION: { en: 'Enter a duration.', ja: '期間の形式ではありません。' },
  MUST_BE_FUTURE_TIME: { en: 'Choose a time in the future.', ja: '未来の日時を入力してください。' },
  MUST_BE_FUTURE_OR_TODAY: {
    en: 'Must be today or later.',
    ja: '今日以降の日付を入力してください。',
  },
  STORE_EXISTS: { en: 'Another store has this name.', ja: '同じ名前の店舗があります。' },
  BANK_ACCOUNT_EXISTS: {
    en: 'This account is already registered.',
    ja: 'すでに登録されています。',
  },
  INVALID_AMOUNT: {
    en: 'Enter an amount within the limits.',
    ja: '上限と下限の間で入力してください。',
  },
  EXPIRATION_DATE_OUT_OF_BOUNDS: {
    en: 'Choose a date in the future.',
    ja: '今日以降の日付を入力してください。',
  },
  MUST_BE_POSITIVE: { en: 'Enter a value above zero.', ja: '1以上で入力してください。' },
} as const satisfies Texts
