import type { EvidenceName } from '../../../../src/core/payments/disputes.ts'
import { readTime, useTimeFrame } from '../../parts/values/time-text.tsx'
import { useBrandName } from '../../words/brand-words.ts'
import { formatDayAndTime, formatMoney } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import type { DisputeContext } from './dispute-context.tsx'
import { disputes_words } from './disputes-words.ts'

type Texts = Partial<Record<EvidenceName, string>>

/** The first draft of the evidence: what the payment and its customer say. */
export function useKnownEvidence(context: DisputeContext | null): Texts {
  const words = useWords(disputes_words).known
  const { language } = useLanguage()
  const { zone } = useTimeFrame()
  const brandName = useBrandName()
  if (!context) return {}
  const { charge, token, customer } = context
  const money = formatMoney(charge.requested_amount, charge.requested_currency)
  const card = token && 'card' in token.data ? token.data.card : null
  const three_ds = token && 'three_ds' in token.data ? token.data.three_ds?.status : null
  const [total] = customer?.totals ?? []
  const lines = (...texts: (string | null | undefined | false)[]) =>
    texts.filter(Boolean).join('\n')
  const known = {
    explanation: lines(
      words.paid(formatDayAndTime(readTime(charge.created_on), language, zone), money),
      card?.last_four && words.card(brandName(card.brand), card.last_four),
      three_ds === 'successful' && words.three_ds,
    ),
    product: lines(
      ...Object.entries(charge.metadata)
        .filter(([name]) => !name.startsWith('svc-'))
        .map(
          ([name, value]) =>
            `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`,
        ),
    ),
    customer: lines(
      (card?.cardholder ?? customer?.name) && words.name(card?.cardholder ?? customer?.name ?? ''),
      token?.email && words.email(token.email),
      token?.ip_address && words.ip_address(token.ip_address),
      total && total.successful > 1 && words.payments(total.successful),
    ),
  }
  return Object.fromEntries(Object.entries(known).filter(([, text]) => text !== ''))
}
