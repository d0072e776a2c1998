import { Tabs as Base } from '@base-ui/react/tabs'
import { type ReactNode, Suspense } from 'react'
import { useUrlState } from '../../api/url-state.ts'
import { Loading } from './states.tsx'
import './tabs.css'

interface Tab {
  readonly name: string
  readonly label: string
  readonly content: ReactNode
}

/** Tabs of a screen; the open one is in the address. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const { values, replaceAll } = useUrlState()
  const open = tabs.find(({ name }) => name === values.tab)?.name ?? tabs[0]?.name
  return (
    <Base.Root value={open} onValueChange={(name) => replaceAll({ tab: String(name) }, true)}>
      <Base.List className="tabs" aria-label={label}>
        {tabs.map(({ name, label: text }) => (
          <Base.Tab key={name} value={name} className="tab">
            {text}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ name, content }) => (
        <Base.Panel key={name} value={name} className="tab-panel">
          <Suspense fallback={<Loading />}>{content}</Suspense>
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
