import { useMode } from '../../api/mode.ts'
import { loadedLater } from '../../parts/screen/loaded-later.ts'
import { ScreenTitle } from '../../parts/screen/screen-title.tsx'
import { Tabs } from '../../parts/screen/tabs.tsx'
import { useWords } from '../../words/language.tsx'
import { AppTokens } from './app-tokens.tsx'
import { developers_words } from './developers-words.ts'
import { EventFeed } from './event-feed.tsx'
import { RequestLog } from './request-log.tsx'
import { Deliveries } from './webhooks/deliveries.tsx'
import { Webhooks } from './webhooks/webhooks.tsx'
import './developers.css'

const Scenarios = loadedLater(() => import('./scenarios/scenarios.tsx'), 'Scenarios')

/** What a developer needs beside the documents: what was sent, received and answered. */
export function DevelopersScreen() {
  const words = useWords(developers_words)
  const mode = useMode()
  const tabs = [
    { name: 'webhooks', label: words.tabs.webhooks, content: <Webhooks /> },
    { name: 'deliveries', label: words.tabs.deliveries, content: <Deliveries /> },
    { name: 'events', label: words.tabs.events, content: <EventFeed /> },
    { name: 'requests', label: words.tabs.requests, content: <RequestLog /> },
    { name: 'keys', label: words.tabs.keys, content: <AppTokens /> },
  ]
  const scenarios = { name: 'scenarios', label: words.tabs.scenarios, content: <Scenarios /> }
  return (
    <>
      <ScreenTitle title={words.title} />
      <Tabs label={words.title} tabs={mode === 'test' ? [...tabs, scenarios] : tabs} />
    </>
  )
}
