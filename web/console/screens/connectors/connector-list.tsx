import { useState } from 'react'
import { useRead } from '../../api/api-hooks.ts'
import type { Connector } from '../../api/call-api.ts'
import { Button } from '../../parts/forms/button.tsx'
import { type Column, DataTable } from '../../parts/lists/data-table.tsx'
import { openColumn } from '../../parts/lists/table-columns.tsx'
import { Empty } from '../../parts/screen/states.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { AddConnectorDialog } from './add-connector-dialog.tsx'
import { ConnectorDialog } from './connector-dialog.tsx'
import { ConnectorState, LastTest, useOwnersText } from './connector-parts.tsx'
import { connectors_words } from './connectors-words.ts'
import { kindName } from './setting-words.ts'
import './connectors.css'

/** What live payments go through, and how each answers. */
export function ConnectorList() {
  const words = useWords(connectors_words)
  const [is_adding, setAdding] = useState(false)
  const [opened, setOpened] = useState<string | null>(null)
  const { data, error, refetch } = useRead((api) => api.operator.listConnectors(), {
    refresh_ms: 10_000,
  })
  const open = data?.connectors.find(({ id }) => id === opened)
  const columns = useColumns((one) => setOpened(one.id))
  const add = (
    <Button kind="primary" icon="plus" disabled={!data} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <>
      {data?.connectors.length !== 0 && <div className="tab-actions">{add}</div>}
      <DataTable
        label={words.settings}
        columns={columns}
        rows={data?.connectors}
        idOf={({ id }) => id}
        error={error}
        retry={() => void refetch()}
        empty={
          <Empty
            icon="provider"
            title={words.no_connectors}
            text={words.no_connectors_text}
            action={add}
          />
        }
      />
      {is_adding && data && (
        <AddConnectorDialog kinds={data.kinds} close={() => setAdding(false)} />
      )}
      {open && data && (
        <ConnectorDialog connector={open} kinds={data.kinds} close={() => setOpened(null)} />
      )}
    </>
  )
}

function useColumns(open: (connector: Connector) => void): readonly Column<Connector>[] {
  const { language } = useLanguage()
  const words = useWords(connectors_words)
  const ownersText = useOwnersText()
  return [
    openColumn<Connector>(words.name, ({ name }) => name, open),
    { name: 'kind', label: words.kind, show: ({ kind }) => kindName(kind, language) },
    {
      name: 'state',
      label: words.state,
      phone: 'side',
      show: (connector) => <ConnectorState connector={connector} />,
    },
    { name: 'settings', label: words.settings, phone: 'note', show: ownersText },
    {
      name: 'hour',
      label: words.last_hour,
      show: ({ health }) => words.calls(health.calls, health.refused, health.unanswered),
    },
    {
      name: 'test',
      label: words.last_test,
      show: ({ last_test }) => <LastTest test={last_test} />,
    },
  ]
}
