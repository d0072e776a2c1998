import { useRead } from '../../api/api-hooks.ts'
import type { ConsoleApi } from '../../api/console-client.ts'
import { type UrlValues, useUrlState } from '../../api/url-state.ts'
import { instantOf } from '../../api/zone-days.ts'
import { useStoreChoice } from '../../frame/store-choice.tsx'
import { useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { Button } from '../forms/button.tsx'
import { Empty } from '../screen/states.tsx'
import type { IconName } from '../values/icon.tsx'
import { useTimeFrame } from '../values/time-text.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { ExportButton } from './export-button.tsx'
import { type Filter, Filters, filterValues, SearchField } from './filters.tsx'
import { Pager } from './pager.tsx'

type Query = Readonly<Record<string, string | number>>

interface Page<Row> {
  readonly items: readonly Row[]
  readonly has_more: boolean
}

export interface ListProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  filters?: readonly Filter[]
  /** The hint of the search field, for lists that can be searched. */
  search?: string
  /** The name of its CSV, for lists that have one. */
  csv?: string
  /** The parameters of a file of one record, whatever store is chosen. */
  csv_query?: UrlValues
  read: (api: ConsoleApi, query: Query, store_id: string | null) => PromiseLike<Page<Row>>
  idOf: (row: Row) => string
  /** The cursor after a row, where it is not its id. */
  cursorOf?: (row: Row) => string
  hrefOf?: (row: Row) => string
  /** The future content, and how it comes about. */
  empty: { icon: IconName; title: string; text: string }
  refresh_ms?: number
  page_size?: number
}

/** The parameters of the API for filters in the address: days are days of the merchant's zone. */
function queryOf({ from, to, ...others }: UrlValues, zone: string): UrlValues {
  return {
    ...others,
    ...(from ? { from: instantOf(from, zone, 0) } : {}),
    ...(to ? { to: instantOf(to, zone, 1) } : {}),
  }
}

/** A list of the API with its search, filters, CSV and pages; all of them are in the address. */
export function ListView<Row>(props: ListProps<Row>) {
  const { label, columns, filters = [], search, csv, csv_query, read, idOf, hrefOf } = props
  const { cursorOf = idOf, refresh_ms = false, page_size = 50 } = props
  const { values } = useUrlState()
  const { store_id } = useStoreChoice()
  const { zone } = useTimeFrame()
  const query = queryOf(filterValues(filters, values), zone)
  const { cursor } = values
  const position = { limit: page_size, ...(cursor ? { cursor } : {}) }
  const { data, error, refetch, isPlaceholderData } = useRead(
    (api) => read(api, { ...query, ...position }, store_id),
    { keep: true, refresh_ms: cursor ? false : refresh_ms },
  )
  const last = data?.has_more ? data.items.at(-1) : undefined
  return (
    <>
      {(search || csv) && (
        <div className="list-bar">
          {search && <SearchField placeholder={search} />}
          {csv && (
            <ExportButton
              list={csv}
              query={{ ...query, ...(csv_query ?? (store_id ? { store_id } : {})) }}
              is_whole={csv_query !== undefined}
            />
          )}
        </div>
      )}
      {filters.length > 0 && <Filters filters={filters} />}
      <DataTable
        label={label}
        columns={columns}
        rows={data?.items}
        idOf={idOf}
        {...(hrefOf ? { hrefOf } : {})}
        error={error}
        retry={() => void refetch()}
        is_stale={isPlaceholderData}
        empty={<NothingThere is_filtered={Object.keys(query).length > 0} empty={props.empty} />}
      />
      <Pager next={last === undefined ? null : cursorOf(last)} />
    </>
  )
}

function NothingThere<Row>({
  is_filtered,
  empty,
}: Pick<ListProps<Row>, 'empty'> & { is_filtered: boolean }) {
  const words = useWords(part_words)
  const { replaceAll, values } = useUrlState()
  if (!is_filtered) return <Empty {...empty} />
  const clear = () => replaceAll(values.tab ? { tab: values.tab } : {})
  return (
    <Empty
      icon="search"
      title={words.nothing_found}
      text={words.nothing_found_text}
      action={<Button onClick={clear}>{words.clear_all}</Button>}
    />
  )
}
