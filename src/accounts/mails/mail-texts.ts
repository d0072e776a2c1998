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
      text: `We received a request to reset the password of your console account.

Choose a new password within one hour. The link works once:
LINK

If you did not ask for this, ignore this mail. Your password stays the same.
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
      text: `You have a new console account.

Choose a password within one day. The link works once:
LINK

If you did not expect this invitation, ignore this mail.
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
      text: `The password of your console account was changed, and you were signed out on all devices.

If you did not change it, contact the operator of the service immediately.
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
      text: `Enter this code to confirm your email address before you pay:

CODE

The code is valid for 30 minutes. If you are not making a payment, ignore this mail.
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
      subject: 'A webhook was disabled',
      text: `We disabled this webhook because its receiver stopped accepting events:
LINK

The webhook's field "disabled_reason" says why. When the receiver works again, enable the webhook with
"active": true. Add "resend_from" to receive the events that it missed.
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
