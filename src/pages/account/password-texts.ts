import { type PasswordFault, password_faults } from '../../core/access/password-rules.ts'
import type { Language } from '../frame/page-frame.ts'

/** Why a password is not taken: a rule of the service, or two different entries. */
export type FormFault = PasswordFault | 'repeat'

interface Reported {
  readonly heading: string
  readonly sentence: string
}

export interface PasswordTexts {
  readonly open: Reported
  readonly gone: Reported
  readonly done: Reported
  readonly trouble: Reported
  readonly label: string
  readonly repeat: string
  readonly show: string
  readonly hide: string
  readonly button: string
  readonly sign_in: string
  readonly other_language: string
  readonly faults: Readonly<Record<FormFault, string>>
}

export const password_texts: Readonly<Record<Language, PasswordTexts>> = {
  en: {
    open: {
      heading: 'Choose a password',
      sentence: 'Use at least 12 characters. A few unrelated words work well.',
    },
    gone: {
      heading: 'This link no longer works',
      sentence:
        'The link was used or has expired. Choose “Forgot your password?” on the sign-in page.',
    },
    done: {
      heading: 'Your password is set',
      sentence: 'Sign in to the console with your new password. Other devices were signed out.',
    },
    trouble: {
      heading: 'Something went wrong',
      sentence: 'Wait a moment and try again.',
    },
    label: 'New password',
    repeat: 'Repeat the password',
    show: 'Show',
    hide: 'Hide',
    button: 'Save password',
    sign_in: 'Sign in to the console',
    other_language: '日本語',
    faults: { ...password_faults, repeat: 'The passwords do not match.' },
  },
  ja: {
    open: {
      heading: 'パスワードの設定',
      sentence: '12文字以上で設定してください。他人が推測できない言葉の組み合わせがおすすめです。',
    },
    gone: {
      heading: 'このリンクは使えません',
      sentence:
        'すでに使われたか、有効期限が切れています。ログイン画面の「パスワードをお忘れですか」から、もう一度お申し込みください。',
    },
    done: {
      heading: 'パスワードを設定しました',
      sentence:
        '新しいパスワードで管理画面にログインしてください。他の端末ではログアウトしました。',
    },
    trouble: {
      heading: 'エラーが発生しました',
      sentence: 'しばらくしてから、もう一度お試しください。',
    },
    label: '新しいパスワード',
    repeat: '新しいパスワード（確認）',
    show: '表示',
    hide: '隠す',
    sign_in: '管理画面にログインする',
    other_language: 'English',
    button: 'パスワードを保存する',
    faults: {
      short: 'パスワードは12文字以上にしてください。',
      long: 'パスワードは128文字以内にしてください。',
      email: 'メールアドレスを含むパスワードは使えません。',
      common: '推測されやすいパスワードのため使えません。',
      repeat: '入力した2つのパスワードが一致しません。',
    },
  },
}
