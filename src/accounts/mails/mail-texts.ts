import type { MailLanguage } from '../../core/access/users.ts'

interface Text {
  readonly subject: string
  readonly text: string
}

/** Every mail of the service, in the languages of users. `LINK` and `CODE` are replaced. */
export const mail_texts = {
  password_reset: {
    en: {
      subject: 'Choose a new password',
      text: `Somebody, probably you, asked to choose a new password of the console account.

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
  invitation: {
    en: {
      subject: 'You are invited to the console',
      text: `An account of the console was created for you.

Choose a password here within one day. The link works once:
LINK

If you do not know what this is about, do nothing.
`,
    },
    ja: {
      subject: '管理画面への招待',
      text: `管理画面のアカウントが作成されました。

1日以内に次のリンクからパスワードを設定してください。リンクは一度だけ使えます。
LINK

お心当たりがない場合は、何もしないでください。
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
  token_confirmation: {
    en: {
      subject: 'Your confirmation code',
      text: `A shop asks you to confirm this address before you pay. Your code is:

CODE

It can be used for 30 minutes. If you are not paying anywhere, do nothing.
`,
    },
    ja: {
      subject: '確認コードのお知らせ',
      text: `お支払いの前に、メールアドレスの確認をお願いします。確認コードは次のとおりです。

CODE

有効期限は30分です。お心当たりがない場合は、何もしないでください。
`,
    },
  },
  webhook_disabled: {
    en: {
      subject: 'A webhook was switched off',
      text: `Your receiver does not take our messages any more, and its webhook was switched off:
LINK

The field "disabled_reason" of the webhook says why. When the receiver works again, switch the webhook on
with "active": true; with "resend_from" you also get what happened meanwhile.
`,
    },
    ja: {
      subject: 'Webhookが無効になりました',
      text: `次の送信先が通知を受け付けないため、Webhookを無効にしました。
LINK

理由はWebhookの「disabled_reason」に記載しています。復旧後に「active」をtrueにすると再開し、
「resend_from」を指定すると、その間の出来事も送信されます。
`,
    },
  },
} as const satisfies Record<string, Record<MailLanguage, Text>>

export type MailName = keyof typeof mail_texts
