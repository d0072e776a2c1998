import { lazy, Suspense, useState } from 'react'
import { useRead } from '../../api/api-hooks.ts'
import type { HistoryItem } from '../../api/call-api.ts'
import { useCan } from '../../api/session.tsx'
import { useUrlState } from '../../api/url-state.ts'
import { useStoreChoice } from '../../frame/store-choice.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { ColumnMenu, useColumnChoice } from '../../parts/lists/column-choice.tsx'
import { csvColumns, DataTable, type Selection } from '../../parts/lists/data-table.tsx'
import { ExportButton } from '../../parts/lists/export-button.tsx'
import { Filters, filterValues, SearchField } from '../../parts/lists/filters.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { SavedViews } from '../../parts/lists/saved-views.tsx'
import { ScreenTitle } from '../../parts/screen/screen-title.tsx'
import { Empty } from '../../parts/screen/states.tsx'
import { formatMoney } from '../../words/format-values.ts'
import { useWords } from '../../words/language.tsx'
import type { BulkAction } from './bulk-data.ts'
import { bulk_words } from './bulk-words.ts'
import { usePaymentColumns } from './payments-columns.tsx'
import { usePaymentFilters } from './payments-filters.ts'
import { useHistoryQuery } from './payments-query.ts'
import { PaymentsTotals } from './payments-totals.tsx'
import { payments_words } from './payments-words.ts'
import './payments.css'

/** Loaded when it is opened. */
const BulkDialog = lazy(async () => ({
  default: (await import('./bulk-dialog.tsx')).BulkDialog,
}))

const list = 'transaction_history'
const page_size = 50
/** The proceeds of each payment, as its ledger and payout say it. */
const settled_columns = ['gross', 'fee', 'net', 'payout_id', 'payout_status', 'payout_on'] as const
const refresh_ms = 5_000

/** Charges and refunds, newest first. */
export function PaymentsScreen() {
  const words = useWords(payments_words)
  const { values, replaceAll } = useUrlState()
  const { store_id } = useStoreChoice()
  const may_act = useCan('payments:write')
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
  const { chosen, selection, clear } = useSelection(useWords(bulk_words))
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
      <PaymentsTotals query={query} />
      <BulkBar chosen={chosen} clear={clear} />
      <DataTable
        label={words.list}
        columns={choice.shown}
        rows={data?.items}
        idOf={({ resource_id }) => resource_id}
        hrefOf={paymentHref}
        {...(may_act ? { selection } : {})}
        error={error}
        retry={() => void refetch()}
        is_stale={isPlaceholderData}
        empty={empty}
      />
      <Pager next={data?.has_more ? (data.items.at(-1)?.resource_id ?? null) : null} />
    </>
  )
}

/** The selected rows, also of other pages; they stay as they were when they were selected. */
function useSelection(words: (typeof bulk_words)['en']) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, HistoryItem>>(new Map())
  const selection: Selection<HistoryItem> = {
    label: words.select_all,
    nameOf: ({ amount, currency }) => words.select(formatMoney(amount, currency)),
    has: ({ resource_id }) => chosen.has(resource_id),
    toggle: (rows, wanted) =>
      setChosen((before) => {
        const next = new Map(before)
        for (const row of rows) {
          if (wanted) next.set(row.resource_id, row)
          else next.delete(row.resource_id)
        }
        return next
      }),
  }
  return { chosen: [...chosen.values()], selection, clear: () => setChosen(new Map()) }
}

/** The actions for the selected rows. */
function BulkBar({ chosen, clear }: { chosen: readonly HistoryItem[]; clear: () => void }) {
  const words = useWords(bulk_words)
  const [action, setAction] = useState<BulkAction | null>(null)
  if (chosen.length === 0) return null
  const close = () => {
    setAction(null)
    clear()
  }
  return (
    <div className="bulk-bar">
      <strong role="status">{words.selected(chosen.length)}</strong>
      <Button small icon="refund" onClick={() => setAction('refund')}>
        {words.open.refund}
      </Button>
      <Button small icon="check" onClick={() => setAction('capture')}>
        {words.open.capture}
      </Button>
      <Button small kind="quiet" onClick={clear}>
        {words.clear}
      </Button>
      <Suspense>{action && <BulkDialog action={action} items={chosen} close={close} />}</Suspense>
    </div>
  )
}

/** A refund is on the screen of its charge. */
function paymentHref({ store_id, charge_id }: HistoryItem): string {
  return `/payments/${store_id}/${charge_id}`
}
