import type { Connector } from '../../api/call-api.ts'
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useWords } from '../../words/language.tsx'
import { connectors_words } from './connectors-words.ts'

export function ConnectorState({ connector }: { connector: Connector }) {
  const words = useWords(connectors_words)
  const { enabled, capabilities, has_settings, accounts, health } = connector
  const is_configured = has_settings || accounts.length > 0
  const [status, name] = !enabled
    ? (['over', 'disabled'] as const)
    : !capabilities
      ? (['error', 'unknown'] as const)
      : !is_configured
        ? (['awaiting', 'no_settings'] as const)
        : health.open_circuits > 0
          ? (['failed', 'circuit'] as const)
          : (['active', 'enabled'] as const)
  return <StatusBadge status={status} word={words.states[name]} />
}

export function LastTest({ test }: { test: Connector['last_test'] }) {
  const words = useWords(connectors_words)
  if (!test) return <span className="quiet">{words.never}</span>
  return (
    <>
      {test.is_ok ? words.test_ok : <strong className="bad">{words.test_bad}</strong>}
      {' · '}
      <TimeText at={test.tested_on} />
    </>
  )
}

/** The levels that have settings. The settings themselves are never shown. */
export function useOwnersText(): (connector: Connector) => string {
  const words = useWords(connectors_words)
  return ({ has_settings, accounts }) => {
    const parts = [
      ...(has_settings ? [words.of_installation] : []),
      ...(accounts.length > 0 ? [words.own(accounts.length)] : []),
    ]
    return parts.join(' · ') || words.none
  }
}
