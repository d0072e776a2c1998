import { useRead } from '../../../api/api-hooks.ts'
import { type Column, DataTable } from '../../../parts/lists/data-table.tsx'
import { ErrorState, Loading } from '../../../parts/screen/states.tsx'
import { useLanguage, useWords } from '../../../words/language.tsx'
import { developers_words } from '../developers-words.ts'
import { scenarioInJapanese } from './scenario-words.ts'

type Scenario = ReturnType<typeof scenarioInJapanese>

/** Backquotes of the description are code. */
function withCode(text: string) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their places
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))
}

/** What a tester can send to make the simulators do something. */
export function Scenarios() {
  const words = useWords(developers_words)
  const { language } = useLanguage()
  const { data, error, refetch } = useRead((api) => api.test.listScenarios())
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  const scenarios = language === 'ja' ? data.items.map(scenarioInJapanese) : data.items
  const groups = [...new Set(scenarios.map(({ group }) => group))]
  const columns: readonly Column<Scenario>[] = [
    { name: 'lever', label: words.lever, phone: 'title', show: ({ lever }) => withCode(lever) },
    { name: 'effect', label: words.effect, phone: 'note', show: ({ effect }) => withCode(effect) },
  ]
  return (
    <>
      {groups.map((group) => (
        <section key={group} className="section scenarios">
          <h2>{group}</h2>
          <DataTable
            label={group}
            columns={columns}
            rows={scenarios.filter((item) => item.group === group)}
            idOf={({ lever }) => lever}
            empty={null}
          />
        </section>
      ))}
    </>
  )
}
