import type { MailLanguage } from '../../core/users.ts'

interface Text {
  readonly subject: string
  readonly text: string
}

/** Every mail of the service, in the languages of users. `LINK` is replaced. */
export const mail_texts = {
  password_reset: {
    en: {
      subject: 'Choose a new password',
      text: `Somebody, probably you, asked for a new password for the console.

Choose it here within one hour. The link works once:
LINK

If it was not you, do nothing: your password stays as it is.
`,
    },
    ja: {
      subject: 'パスワードの再設定',
      text: `管理画面のパスワード再設定のお申し込みを受け付けました。

1時間以内に次のリンクから新しいパスワードを設定してください。リンクは一度だけ使えます。
LINK

お心当たりがない場合は、何もしないでください。パスワードは変わりません。
`,
    },
  },
  password_changed: {
    en: {
      subject: 'Your password was changed',
      text: `The password of your console account was changed, and you were signed out everywhere.

If it was not you, tell the operator of the service at once.
`,
    },
    ja: {
      subject: 'パスワードが変更されました',
      text: `管理画面のパスワードが変更されました。すべての端末でログアウトしています。

お心当たりがない場合は、すぐにサービスの運営者へご連絡ください。
`,
    },
  },
} as const satisfies Record<string, Record<MailLanguage, Text>>

export type MailName = keyof typeof mail_texts
