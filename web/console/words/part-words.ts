import { KaikeiError } from '../api/call-api.ts'
import { error_words, reason_words } from './error-words.ts'
import { defineWords, type Language } from './language.tsx'

export const part_words = defineWords(
  {
    action: 'Action',
    amount: (currency: string) => `Amount (${currency === 'JPY' ? '¥' : currency})`,
    apply: 'Apply',
    at_most: (money: string) => `At most ${money}.`,
    cancel: 'Cancel',
    chart: 'Chart',
    clear: 'Clear',
    clear_all: 'Clear all',
    presets: {
      today: 'Today',
      yesterday: 'Yesterday',
      last_7_days: 'Last 7 days',
      this_month: 'This month',
      last_month: 'Last month',
    },
    close: 'Close',
    code: 'Code of your authenticator app',
    columns: 'Columns',
    confirm: 'Confirm',
    confirm_code_text: 'This action requires your code. It then runs as you entered it.',
    confirm_password_text: 'This action requires your password. It then runs as you entered it.',
    confirm_title: 'Confirm your identity',
    copied: 'Copied',
    copy: 'Copy',
    copy_id: (id: string) => `Copy ${id}`,
    delete_view: 'Delete this view',
    details: 'Details',
    export_csv: 'CSV',
    export_progress: (rows: string) => `${rows} rows`,
    failed: 'This could not be loaded',
    first_page: 'First page',
    from: 'From',
    from_amount: 'At least',
    loading: 'Loading',
    more_filters: 'More filters',
    new_view: 'Save view',
    next: 'Next',
    no_amount: 'Enter an amount.',
    no_permission: 'Your role does not include this',
    missing: {
      read: (able: string, role: string) =>
        `Only these roles can see this: ${able}. Your role is ${role}.`,
      write: (able: string, role: string) =>
        `Only these roles can do this: ${able}. Your role is ${role}.`,
      between: ', ',
      second_factor: 'This requires an authenticator app. Set it up under Settings, Your sign-in.',
    },
    no_permission_text: 'An owner of the merchant can change your role under Settings.',
    not_found: 'Not found',
    nothing_found: 'Nothing matches',
    nothing_found_text: 'Remove a filter, or search for something else.',
    not_found_text: 'It may belong to the other mode or to another merchant.',
    password: 'Password',
    previous: 'Previous',
    remove_filter: (name: string) => `Remove filter ${name}`,
    request_id: 'Request',
    search: 'Search',
    show_chart: 'Show as chart',
    show_table: 'Show as table',
    to: 'Until',
    to_amount: 'At most',
    too_much: 'This exceeds the remaining amount.',
    try_again: 'Try again',
    view_all: 'All',
    view_name: 'Name of the view',
    view_saved: 'The view was saved.',
    view_text: 'Saves the filters and columns for you.',
    view_deleted: 'The view was deleted.',
    zone: (zone: string) => `Times in ${zone}`,
  },
  {
    action: '操作',
    amount: (currency: string) => `金額（${currency === 'JPY' ? '円' : currency}）`,
    apply: '適用',
    at_most: (money: string) => `上限は${money}です。`,
    cancel: 'キャンセル',
    chart: 'グラフ',
    clear: 'クリア',
    clear_all: 'すべて解除',
    presets: {
      today: '今日',
      yesterday: '昨日',
      last_7_days: '過去7日間',
      this_month: '今月',
      last_month: '先月',
    },
    close: '閉じる',
    code: '認証アプリの確認コード',
    columns: '表示項目',
    confirm: '確認する',
    confirm_code_text: 'この操作には確認コードが必要です。確認後、入力した内容のまま実行します。',
    confirm_password_text:
      'この操作にはパスワードが必要です。確認後、入力した内容のまま実行します。',
    confirm_title: 'ご本人の確認',
    copied: 'コピーしました',
    copy: 'コピー',
    copy_id: (id: string) => `${id}をコピー`,
    delete_view: 'このビューを削除',
    details: '詳細',
    export_csv: 'CSV',
    export_progress: (rows: string) => `${rows}件`,
    failed: '読み込めませんでした',
    first_page: '最初のページ',
    from: '開始',
    from_amount: '下限',
    loading: '読み込み中',
    more_filters: 'その他の条件',
    new_view: 'ビューを保存',
    next: '次へ',
    no_amount: '金額を入力してください。',
    no_permission: 'この画面を見る権限がありません',
    missing: {
      read: (able: string, role: string) => `閲覧できるのは${able}です（あなたの権限：${role}）。`,
      write: (able: string, role: string) => `操作できるのは${able}です（あなたの権限：${role}）。`,
      between: '・',
      second_factor: '二段階認証が必要です。設定の「ログイン」で認証アプリを登録してください。',
    },
    no_permission_text: '権限は、オーナーが設定画面で変更できます。',
    not_found: '見つかりません',
    nothing_found: '該当するものがありません',
    nothing_found_text: '絞り込みを解除するか、検索する言葉を変えてください。',
    not_found_text: 'もう一方のモード、または別の加盟店のものである可能性があります。',
    password: 'パスワード',
    previous: '前へ',
    remove_filter: (name: string) => `絞り込み「${name}」を解除`,
    request_id: 'リクエスト',
    search: '検索',
    show_chart: 'グラフで表示',
    show_table: '表で表示',
    to: '終了',
    to_amount: '上限',
    too_much: '残額を超えています。',
    try_again: 'もう一度試す',
    view_all: 'すべて',
    view_name: 'ビューの名前',
    view_saved: 'ビューを保存しました。',
    view_text: '絞り込みと表示項目を、自分用に保存します。',
    view_deleted: 'ビューを削除しました。',
    zone: (zone: string) => `時刻は${zone}`,
  },
)

/** The failure in the reader's language; the server's sentence where we have none. */
export function errorText(error: unknown, language: Language): string {
  if (!(error instanceof KaikeiError)) return error_words.UNKNOWN_ERROR[language]
  if (error.code === 'VALIDATION_ERROR' && error.message) return validationText(error, language)
  const found = error_words[error.code as keyof typeof error_words]
  return found?.[language] ?? error.message
}

/** The sentence of the API says what to do; in another language, the reasons do. */
function validationText({ message, errors }: KaikeiError, language: Language): string {
  const reasons = errors.flatMap(({ reason }) =>
    isKnown(reason) ? [reasonText(reason, language)] : [],
  )
  if (language === 'en' || reasons.length === 0) return message
  return [...new Set(reasons)].join('')
}

function isKnown(reason: string): boolean {
  return reason in reason_words
}

/** Why a field was refused; the reason itself where we have no sentence. */
export function reasonText(reason: string, language: Language): string {
  const found = reason_words[reason as keyof typeof reason_words]
  return found?.[language] ?? reason.replaceAll('_', ' ').toLowerCase()
}
