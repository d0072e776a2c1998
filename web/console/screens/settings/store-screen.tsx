import { useParams } from 'wouter'
import { useChange, useRead } from '../../api/api-hooks.ts'
import type { UpdateStore } from '../../api/call-api.ts'
import { useCan, useSession } from '../../api/session.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import type { Column } from '../../parts/data-table.tsx'
import { FormError } from '../../parts/form-fields.tsx'
import { ScreenTitle } from '../../parts/screen-title.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { TableSection } from '../../parts/table-section.tsx'
import { useToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/language.tsx'
import { settings_words } from './settings-words.ts'
import { type Setting, settingsOf } from './store-settings.ts'
import './settings.css'

/** The settings of a store beside those of its merchant. Switches can be changed here. */
export function StoreScreen() {
  const words = useWords(settings_words)
  const { merchant } = useSession()
  const { store_id } = useParams() as { store_id: string }
  const store = useRead(['store', store_id], (api) => api.stores.get(store_id))
  const owner = useRead(['merchant', merchant.id], (api) => api.merchant.get())
  const error = store.error ?? owner.error
  if (error) return <ErrorState error={error} retry={() => void store.refetch()} />
  if (!store.data || !owner.data) return <Loading />
  const settings = settingsOf(owner.data.configuration, store.data.configuration)
  return (
    <>
      <BackLink href="/settings?tab=stores" label={words.tabs.stores} />
      <ScreenTitle title={store.data.name} />
      <p className="screen-intro">{words.effective_hint}</p>
      <Settings store_id={store_id} settings={settings} />
    </>
  )
}

function Settings({ store_id, settings }: { store_id: string; settings: readonly Setting[] }) {
  const words = useWords(settings_words)
  const toast = useToast()
  const may_change = useCan('settings:write')
  const save = useChange(
    (api, configuration: UpdateStore['configuration']) =>
      api.stores.update(store_id, configuration ? { configuration } : {}),
    [['store', store_id], ['stores']],
  )
  const text = (value: unknown) =>
    value === null || value === undefined
      ? words.not_set
      : typeof value === 'boolean'
        ? value
          ? words.on
          : words.off
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value)
  const columns: readonly Column<Setting>[] = [
    {
      name: 'setting',
      label: words.setting,
      phone: 'title',
      show: ({ path }) => <code>{path.slice(path.length > 1 ? 1 : 0).join('.')}</code>,
    },
    {
      name: 'inherited',
      label: words.inherited,
      phone: 'note',
      show: ({ inherited }) => text(inherited),
    },
    {
      name: 'own',
      label: words.own,
      phone: 'value',
      show: ({ path, own, is_switch }) =>
        is_switch && may_change ? (
          <select
            className="input small-input"
            aria-label={path.join('.')}
            value={String(own)}
            onChange={(event) =>
              save.mutate(bodyOf(path, event.target.value), {
                onSuccess: () => toast(words.saved),
              })
            }
          >
            <option value="null">{words.inherit}</option>
            <option value="true">{words.on}</option>
            <option value="false">{words.off}</option>
          </select>
        ) : own === null || own === undefined ? (
          words.inherit
        ) : (
          text(own)
        ),
    },
  ]
  return (
    <>
      <FormError error={save.error} />
      {groupsOf(settings).map(([group, rows]) => (
        <TableSection
          key={group}
          title={group || words.general}
          none=""
          columns={columns}
          rows={rows}
          idOf={({ path }) => path.join('.')}
        />
      ))}
    </>
  )
}

/** The settings of one object of the API belong together; those that are in none come first. */
function groupsOf(settings: readonly Setting[]): [group: string, settings: Setting[]][] {
  const groups = new Map<string, Setting[]>([['', []]])
  for (const setting of settings) {
    const { path } = setting
    const group = path.length > 1 ? (path[0] ?? '') : ''
    groups.set(group, [...(groups.get(group) ?? []), setting])
  }
  return [...groups]
}

/** `{ card_configuration: { enabled: true } }` from a path and the text of a choice. */
function bodyOf(path: readonly string[], chosen: string): UpdateStore['configuration'] {
  const value: unknown = JSON.parse(chosen)
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as NonNullable<
    UpdateStore['configuration']
  >
}
