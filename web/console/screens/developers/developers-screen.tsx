import { useMode } from '../../api/mode.ts'
import { loadedLater } from '../../parts/screen/loaded-later.ts'
import { WithRight } from '../../parts/screen/missing-right.tsx'
import { ScreenTitle } from '../../parts/screen/screen-title.tsx'
import { Tabs } from '../../parts/screen/tabs.tsx'
import { useWords } from '../../words/language.tsx'
import { developers_words } from './developers-words.ts'
import { EventFeed } from './event-feed.tsx'
import { Deliveries } from './webhooks/deliveries.tsx'
import { Webhooks } from './webhooks/webhooks.tsx'
import './developers.css'

const AppTokens = loadedLater(() => import('./app-tokens.tsx'), 'AppTokens')

const RequestLog = loadedLater(() => import('./request-log.tsx'), 'RequestLog')

const Scenarios = loadedLater(() => import('./scenarios/scenarios.tsx'), 'Scenarios')

/** A developer's view: sent, received and answered requests and events. */
export function DevelopersScreen() {
  const words = useWords(developers_words)
  const mode = useMode()
  const tabs = [
    { name: 'webhooks', right: 'webhooks:read', content: <Webhooks /> },
    { name: 'deliveries', right: 'webhooks:read', content: <Deliveries /> },
    { name: 'events', right: null, content: <EventFeed /> },
    { name: 'requests', right: 'requests:read', content: <RequestLog /> },
    { name: 'keys', right: 'app_tokens:read', content: <AppTokens /> },
    ...(mode === 'test'
      ? [{ name: 'scenarios', right: null, content: <Scenarios /> } as const]
      : []),
  ] as const
  return (
    <>
      <ScreenTitle title={words.title} />
      <Tabs
        label={words.title}
        tabs={tabs.map(({ name, right, content }) => ({
          name,
          label: words.tabs[name],
          content: right ? <WithRight right={right}>{content}</WithRight> : content,
        }))}
      />
    </>
  )
}
