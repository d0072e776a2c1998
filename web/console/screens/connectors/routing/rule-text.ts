import type { RoutingRule } from '../../../api/call-api.ts'
import { useBrandName } from '../../../words/brand-words.ts'
import { formatMoney } from '../../../words/format-values.ts'
import { useWords } from '../../../words/language.tsx'
import { method_words } from '../../../words/status-words.ts'
import { routing_words } from './routing-words.ts'

/** Which payments a rule is for: `Card · Visa · from ¥1,000`. */
export function useRuleText(): (rule: RoutingRule) => string {
  const words = useWords(routing_words)
  const names = useWords(method_words)
  const brandName = useBrandName()
  const amountText = ({ currency, min_amount: min, max_amount: max }: RoutingRule) => {
    if (!currency) return []
    const money = (amount: number) => formatMoney(amount, currency)
    if (min !== null && max !== null) return [words.from_to(money(min), money(max))]
    if (min !== null) return [words.from(money(min))]
    return max === null ? [] : [words.to(money(max))]
  }
  return (rule) =>
    [
      ...(rule.payment_type ? [names[rule.payment_type]] : []),
      ...(rule.brand ? [brandName(rule.brand)] : []),
      ...(rule.currency ? [rule.currency] : []),
      ...amountText(rule),
      ...(rule.country ? [words.cards_of(rule.country)] : []),
    ].join(' · ') || words.every
}
