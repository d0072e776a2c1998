import type { PaymentLink } from '../../../api/call-api.ts'
import { StatusBadge } from '../../../parts/values/status-badge.tsx'
import { useTimeFrame } from '../../../parts/values/time-text.tsx'
import { formatNumber } from '../../../words/format-values.ts'
import { useLanguage, useWords } from '../../../words/language.tsx'
import { checkout_words } from '../checkout-words.ts'
import { stateOf } from './payment-link-data.ts'

/** `3 of 10`, or only how often it was paid. */
export function UsesText({ link: { uses, max_uses } }: { link: PaymentLink }) {
  const words = useWords(checkout_words)
  const { language } = useLanguage()
  const paid = formatNumber(uses, language)
  return max_uses === null
    ? words.times(paid)
    : words.uses_of(paid, formatNumber(max_uses, language))
}

export function LinkBadge({ link }: { link: PaymentLink }) {
  const words = useWords(checkout_words)
  const { now } = useTimeFrame()
  const state = stateOf(link, now)
  return <StatusBadge status={state} word={words.states[state]} />
}
