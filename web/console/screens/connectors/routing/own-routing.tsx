import { useRead } from '../../../api/api-hooks.ts'
import { ErrorState, Loading } from '../../../parts/screen/states.tsx'
import { useWords } from '../../../words/language.tsx'
import { RouteCheck } from './route-check.tsx'
import { routing_words } from './routing-words.ts'
import { RuleList } from './rule-list.tsx'
import '../connectors.css'

/** The routing of the merchant's live payments. The operator writes the rules. */
export function OwnRouting() {
  const words = useWords(routing_words)
  const { data, error, refetch } = useRead((api) => api.merchant.getRouting())
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <>
      <p className="none-yet">{words.used[data.used]}</p>
      {data.used === 'merchant' && (
        <>
          <p className="field-hint">{words.how}</p>
          <RuleList rules={data.used_rules} none="" />
        </>
      )}
      <RouteCheck read={(api, query) => api.merchant.getRouting(query)} />
    </>
  )
}
