import { useRead } from '../../api/api-hooks.ts'
import type { HistoryItem } from '../../api/call-api.ts'
import { useUrlState } from '../../api/url-state.ts'
import { useStoreChoice } from '../../frame/store-choice.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { ColumnMenu, useColumnChoice } from '../../parts/lists/column-choice.tsx'
import { csvColumns, DataTable } from '../../parts/lists/data-table.tsx'
import { ExportButton } from '../../parts/lists/export-button.tsx'
import { Filters, filterValues, SearchField } from '../../parts/lists/filters.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { SavedViews } from '../../parts/lists/saved-views.tsx'
import { ScreenTitle } from '../../parts/screen/screen-title.tsx'
import { Empty } from '../../parts/screen/states.tsx'
import { useWords } from '../../words/language.tsx'
import { usePaymentColumns } from './payments-columns.tsx'
import { usePaymentFilters } from './payments-filters.ts'
import { useHistoryQuery } from './payments-query.ts'
import { payments_words } from './payments-words.ts'
import './payments.css'

const list = 'transaction_history'
const page_size = 50
/** What came of each payment, as its ledger and payout say it. */
const settled_columns = ['gross', 'fee', 'net', 'payout_id', 'payout_status', 'payout_on'] as const
const refresh_ms = 5_000

/** Charges and refunds, newest first. */
export function PaymentsScreen() {
  const words = useWords(payments_words)
  const { values, replaceAll } = useUrlState()
  const { store_id } = useStoreChoice()
  const filters = usePaymentFilters()
  const active = filterValues(filters, values)
  const query = useHistoryQuery(active)
  const { cursor } = values
  const position = { limit: page_size, ...(cursor ? { cursor } : {}) }
  const { data, error, refetch, isPlaceholderData } = useRead(
    (api) => api.history.list({ ...query, ...position }, { store_id }),
    // Later pages do not change; the first one shows what happens.
    { keep: true, refresh_ms: cursor ? false : refresh_ms },
  )
  const has_currencies = new Set(data?.items.map(({ currency }) => currency)).size > 1
  const columns = usePaymentColumns(has_currencies)
  const choice = useColumnChoice(list, columns)
  const is_filtered = Object.keys(active).length > 0
  const empty = is_filtered ? (
    <Empty
      icon="search"
      title={words.nothing_title}
      text={words.nothing_text}
      action={<Button onClick={() => replaceAll({})}>{words.clear}</Button>}
    />
  ) : (
    <Empty
      icon="payments"
      title={words.empty_title}
      text={words.empty_text}
      guide={{ href: '/docs#quick-start', label: words.empty_guide }}
    />
  )
  return (
    <>
      <ScreenTitle title={words.title} />
      <SavedViews
        list={list}
        all={words.all}
        filters={active}
        columns={choice.names}
        chooseColumns={choice.choose}
      />
      <div className="list-bar">
        <SearchField placeholder={words.search} />
        <ColumnMenu columns={columns} choice={choice} />
        <ExportButton
          list="transactions"
          query={{ ...query, columns: csvColumns(choice.shown), store_id }}
          settled={settled_columns}
        />
      </div>
      <Filters filters={filters} />
      <DataTable
        label={words.list}
        columns={choice.shown}
        rows={data?.items}
        idOf={({ resource_id }) => resource_id}
        hrefOf={paymentHref}
        error={error}
        retry={() => void refetch()}
        is_stale={isPlaceholderData}
        empty={empty}
      />
      <Pager next={data?.has_more ? (data.items.at(-1)?.resource_id ?? null) : null} />
    </>
  )
}

/** A refund is on the screen of its charge. */
function paymentHref({ store_id, charge_id }: HistoryItem): string {
  return `/payments/${store_id}/${charge_id}`
}
