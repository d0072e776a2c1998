import { useWords } from '../../words/language.tsx'
import { status_words } from '../../words/status-words.ts'
import './status-badge.css'

/** Shape and colour of each status, the same everywhere; what is not listed is grey. */
const looks: Readonly<Record<string, string>> = {
  successful: 'good',
  active: 'good',
  current: 'good',
  completed: 'good',
  paid: 'good',
  delivered: 'good',
  exact: 'good',
  arrived: 'good',
  authorized: 'held',
  open: 'open',
  pending: 'open',
  processing: 'open',
  created: 'open',
  approved: 'open',
  expected: 'open',
  awaiting: 'waiting',
  unverified: 'waiting',
  unconfirmed: 'waiting',
  insufficient: 'waiting',
  suspended: 'waiting',
  unpaid: 'bad',
  failed: 'bad',
  error: 'broken',
  refunded_in_part: 'part',
  refunded: 'back',
  returned: 'back',
  applied: 'good',
  held: 'held',
  returning: 'open',
  unreturned: 'bad',
  needs_response: 'waiting',
  under_review: 'open',
  won: 'good',
  lost: 'bad',
}

type Status = keyof (typeof status_words)['en']

/** Dot and word: the dots differ in shape as well as in colour. */
export function StatusBadge({ status, word }: { status: string; word?: string }) {
  const words = useWords(status_words)
  return (
    <span className={`status ${looks[status] ?? 'over'}`}>
      <span className="status-dot" aria-hidden="true" />
      {word ?? words[status as Status] ?? status.replaceAll('_', ' ')}
    </span>
  )
}
