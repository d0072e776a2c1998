import { Link, useParams } from 'wouter'
import { useChange, useRead } from '../../api/api-hooks.ts'
import type { UpdateStore } from '../../api/call-api.ts'
import { useCan } from '../../api/session.tsx'
import { FormError } from '../../parts/forms/form-fields.tsx'
import type { Column } from '../../parts/lists/data-table.tsx'
import { TableSection } from '../../parts/lists/table-section.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { MissingRight } from '../../parts/screen/missing-right.tsx'
import { RecordScreen } from '../../parts/screen/record-screen.tsx'
import { useWords } from '../../words/language.tsx'
import { useSettingText } from './setting-value.ts'
import { settings_words } from './settings-words.ts'
import {
  type Configurations,
  type Setting,
  type SettingGroup,
  settingsOf,
  store_settings,
} from './store-settings.ts'
import { store_settings_words, useSettingName } from './store-settings-words.ts'
import './settings.css'

/** The settings of a store beside those of its merchant. Switches can be changed here. */
export function StoreScreen() {
  const words = useWords(settings_words)
  const { store_id } = useParams() as { store_id: string }
  const store = useRead((api) => api.stores.get(store_id))
  const owner = useRead((api) => api.merchant.get())
  const platform = useRead((api) => api.merchant.getDefaults())
  const query = {
    data: store.data &&
      owner.data &&
      platform.data && { store: store.data, merchant: owner.data, platform: platform.data },
    error: store.error ?? owner.error ?? platform.error,
    refetch: () => Promise.all([store.refetch(), owner.refetch(), platform.refetch()]),
  }
  return (
    <RecordScreen
      back={{ href: '/settings?tab=stores', label: words.tabs.stores }}
      query={query}
      titleOf={({ store: { name } }) => name}
      head={({ store: { name } }) => ({ heading: name, is_name: true })}
    >
      {(data) => (
        <>
          <p className="record-note">{words.effective_hint}</p>
          <MissingRight right="settings:write" />
          <Settings
            store_id={store_id}
            of={{
              store: data.store.configuration,
              merchant: data.merchant.configuration,
              platform: data.platform,
            }}
          />
        </>
      )}
    </RecordScreen>
  )
}

interface Props {
  store_id: string
  of: Configurations
}

function Settings({ store_id, of }: Props) {
  const { groups, appearance } = useWords(store_settings_words)
  const save = useChange(
    (api, configuration: NonNullable<UpdateStore['configuration']>) =>
      api.stores.update(store_id, { configuration }),
    ['stores', 'stores'],
  )
  const columns = useColumns((configuration, options) => save.mutate(configuration, options))
  return (
    <>
      <FormError error={save.error} />
      {(Object.keys(store_settings) as SettingGroup[]).map((group) => (
        <TableSection
          key={group}
          title={groups[group]}
          none=""
          columns={columns}
          rows={settingsOf(group, of)}
          idOf={({ path }) => path}
        />
      ))}
      <p className="section">
        <Link href="/checkout?tab=appearance">{appearance}</Link>
      </p>
    </>
  )
}

type Save = (
  configuration: NonNullable<UpdateStore['configuration']>,
  options: { onSuccess: () => void },
) => void

function useColumns(save: Save): readonly Column<Setting>[] {
  const words = useWords(settings_words)
  const nameOf = useSettingName()
  const toast = useToast()
  const may_change = useCan('settings:write')
  const textOf = useSettingText()
  return [
    {
      name: 'setting',
      label: words.setting,
      phone: 'title',
      show: ({ path }) => (
        <span className="setting-name" title={path}>
          {nameOf(path)}
        </span>
      ),
    },
    {
      name: 'effective',
      label: words.effective,
      phone: 'note',
      show: ({ path, effective, source }) => (
        <>
          {textOf(path, effective)}
          {source && <span className="setting-source">{words.sources[source]}</span>}
        </>
      ),
    },
    {
      name: 'own',
      label: words.own,
      phone: 'value',
      show: ({ path, own, is_switch }) =>
        is_switch && may_change ? (
          <select
            className="input small-input"
            aria-label={nameOf(path)}
            value={String(own)}
            onChange={(event) =>
              save(bodyOf(path, event.target.value), { onSuccess: () => toast(words.saved) })
            }
          >
            <option value="null">{words.inherit}</option>
            <option value="true">{words.on}</option>
            <option value="false">{words.off}</option>
          </select>
        ) : own === null || own === undefined ? (
          words.inherit
        ) : (
          textOf(path, own)
        ),
    },
  ]
}

/** `{ card_configuration: { enabled: true } }` from a path and the text of a choice. */
function bodyOf(path: string, chosen: string): NonNullable<UpdateStore['configuration']> {
  const value: unknown = JSON.parse(chosen)
  return path
    .split('.')
    .reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as NonNullable<
    UpdateStore['configuration']
  >
}
