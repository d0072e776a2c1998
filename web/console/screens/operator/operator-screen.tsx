import { loadedLater } from '../../parts/screen/loaded-later.ts'
import { ScreenTitle } from '../../parts/screen/screen-title.tsx'
import { Tabs } from '../../parts/screen/tabs.tsx'
import { useWords } from '../../words/language.tsx'
import { MerchantList } from './merchant-list.tsx'
import { OperatorPayouts } from './operator-payouts.tsx'
import { operator_words } from './operator-words.ts'
import { ServiceHealth } from './service-health.tsx'

const DoctorResult = loadedLater(() => import('./doctor-result.tsx'), 'DoctorResult')

const ConnectorList = loadedLater(() => import('../connectors/connector-list.tsx'), 'ConnectorList')
const RoutingRules = loadedLater(
  () => import('../connectors/routing/routing-rules.tsx'),
  'RoutingRules',
)

/** For the people who run the service. */
export function OperatorScreen() {
  const words = useWords(operator_words)
  return (
    <>
      <ScreenTitle title={words.title} />
      <Tabs
        label={words.title}
        tabs={[
          { name: 'health', label: words.tabs.health, content: <ServiceHealth /> },
          { name: 'merchants', label: words.tabs.merchants, content: <MerchantList /> },
          { name: 'payouts', label: words.tabs.payouts, content: <OperatorPayouts /> },
          { name: 'connectors', label: words.tabs.connectors, content: <ConnectorList /> },
          { name: 'routing', label: words.tabs.routing, content: <RoutingRules /> },
          { name: 'doctor', label: words.tabs.doctor, content: <DoctorResult /> },
        ]}
      />
    </>
  )
}
