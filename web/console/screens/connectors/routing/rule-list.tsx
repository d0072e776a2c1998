import type { ReactNode } from 'react'
import { KaikeiError, type RoutingRule } from '../../../api/call-api.ts'
import { FormError } from '../../../parts/forms/form-fields.tsx'
import { useWords } from '../../../words/language.tsx'
import { routing_words } from './routing-words.ts'
import { useRuleText } from './rule-text.ts'

/** That another person was faster is said as such: the version was not typed. */
export function RulesError({ error, fields }: { error: unknown; fields?: readonly string[] }) {
  const words = useWords(routing_words)
  const is_old =
    error instanceof KaikeiError && error.errors.some(({ field }) => field === 'version')
  if (!is_old) return <FormError error={error} {...(fields ? { fields } : {})} />
  return (
    <p className="form-error" role="alert">
      {words.changed_meanwhile}
    </p>
  )
}

interface ListProps {
  rules: readonly RoutingRule[]
  none: string
  actions?: (at: number) => ReactNode
}

export function RuleList({ rules, none, actions }: ListProps) {
  const ruleText = useRuleText()
  if (rules.length === 0) return <p className="none-yet rules">{none}</p>
  return (
    <ol className="rules">
      {rules.map((rule, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place
        <li key={at} className="rule">
          <span className="rule-position">{at + 1}</span>
          <span className="rule-text">
            <strong>{rule.connector}</strong>
            <span>{ruleText(rule)}</span>
          </span>
          {actions?.(at)}
        </li>
      ))}
    </ol>
  )
}
