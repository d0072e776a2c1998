import type { Language } from './language.tsx'

type Texts = Readonly<Record<string, Readonly<Record<Language, string>>>>

/** Errors that a person at the console meets. All others show the sentence of the server. */
export const error_words = {
  ALREADY_CAPTURED: {
    en: 'The payment was captured already.',
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
    en: 'This is more than was authorized.',
    ja: '仮売上の金額を超えています。',
  },
  CONFIRMATION_REQUIRED: {
    en: 'It was not confirmed, so nothing was done.',
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
    en: 'Your role does not allow this.',
    ja: 'この操作を行う権限がありません。',
  },
  NOT_SUPPORTED_BY_PROCESSOR: {
    en: 'The provider of this payment does not support it.',
    ja: 'この決済の決済会社が対応していません。',
  },
  REFUND_EXCEEDS_CHARGE_AMOUNT: {
    en: 'This is more than is left of the payment.',
    ja: '返金できる残額を超えています。',
  },
  REFUND_NOT_ALLOWED: {
    en: 'This payment cannot be refunded.',
    ja: 'この決済は返金できません。',
  },
  REFUND_NOT_WITHIN_BOUNDS: {
    en: 'The time for refunds of this payment is over.',
    ja: 'この決済の返金期限を過ぎています。',
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
    en: 'Some of the input is not valid.',
    ja: '入力内容に誤りがあります。',
  },
} as const satisfies Texts

export const reason_words = {
  REQUIRED_VALUE: { en: 'Required.', ja: '入力してください。' },
  INVALID_FORMAT: { en: 'Not in the right form.', ja: '形式が正しくありません。' },
  INVALID_FORMAT_EMAIL: {
    en: 'Not an e-mail address.',
    ja: 'メールアドレスの形式ではありません。',
  },
  INVALID_FORMAT_DATE: { en: 'Not a date.', ja: '日付の形式ではありません。' },
  INVALID_FORMAT_LENGTH: { en: 'Too long or too short.', ja: '文字数が正しくありません。' },
  INVALID_FORMAT_CURRENCY: { en: 'Not a currency.', ja: '通貨が正しくありません。' },
  INVALID_FORMAT_URL: { en: 'Not a URL.', ja: 'URLの形式ではありません。' },
  MUST_BE_POSITIVE: { en: 'Must be more than zero.', ja: '1以上で入力してください。' },
} as const satisfies Texts
