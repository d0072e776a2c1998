import { useState } from 'react'
import { useReadAgain } from '../../api/api-hooks.ts'
import { callApi, type HistoryItem } from '../../api/call-api.ts'
import { Button } from '../../parts/forms/button.tsx'
import type { Column } from '../../parts/lists/data-table.tsx'
import { DataTable } from '../../parts/lists/data-table.tsx'
import { Dialog, DialogActions } from '../../parts/overlays/dialog.tsx'
import { Money } from '../../parts/values/money.tsx'
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { formatMoney } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { errorText } from '../../words/part-words.ts'
import { stale_with_payment } from '../payment/payment-data.ts'
import { amountOf, type BulkAction, keyOf, sumsOfRows, whySkipped } from './bulk-data.ts'
import { bulk_words } from './bulk-words.ts'

/** The outcome of a row; absent: it was not sent yet. */
type Outcome = 'done' | { readonly error: unknown }

interface Props {
  action: BulkAction
  items: readonly HistoryItem[]
  close: () => void
}

/** Says what will happen to the selected rows, does it one row after the other, and reports each. */
export function BulkDialog({ action, items, close }: Props) {
  const words = useWords(bulk_words)
  const { language } = useLanguage()
  // The rows as they were selected: the list behind changes while they are sent.
  const [rows] = useState(items)
  const { outcomes, is_running, run } = useBulkRun(action)
  const included = rows.filter((item) => whySkipped(action, item) === null)
  const open = included.filter(({ resource_id }) => outcomes.get(resource_id) !== 'done')
  const done_count = included.length - open.length
  const has_begun = outcomes.size > 0
  const sum = sumsOfRows(action, open)
    .map(([currency, amount]) => formatMoney(amount, currency))
    .join(' + ')
  const skipped = rows.length - included.length
  const effect =
    included.length > 0 ? words.preview[action](included.length, sum) : words.nothing[action]
  const preview = skipped > 0 ? `${effect} ${words.skips(skipped)}` : effect
  const textOf = (item: HistoryItem) => {
    const why = whySkipped(action, item)
    if (why) return <span className="none">{words.skipped(words.why[why])}</span>
    const outcome = outcomes.get(item.resource_id)
    if (outcome === 'done') return <StatusBadge status="successful" word={words.done[action]} />
    if (outcome) return <StatusBadge status="failed" word={errorText(outcome.error, language)} />
    return words.ready
  }
  const columns: readonly Column<HistoryItem>[] = [
    {
      name: 'customer',
      label: words.customer,
      phone: 'title',
      show: ({ user_data, resource_id }) =>
        user_data.cardholder_name ?? user_data.cardholder_email_address ?? resource_id.slice(-6),
    },
    {
      name: 'amount',
      label: words.amount,
      align: 'right',
      phone: 'value',
      show: (item) => <Money amount={amountOf(action, item)} currency={item.currency} />,
    },
    { name: 'result', label: words.result, phone: 'note', show: textOf },
  ]
  return (
    <Dialog open close={close} title={words.title[action]} stays={is_running} wide>
      <p className="consequence" role="status">
        {has_begun ? words.progress(done_count, included.length) : preview}
      </p>
      <div className="bulk-rows">
        <DataTable
          label={words.title[action]}
          columns={columns}
          rows={rows}
          idOf={({ resource_id }) => resource_id}
          empty={null}
        />
      </div>
      <DialogActions {...(is_running ? {} : { close })} closing={has_begun}>
        {open.length > 0 && (
          <Button kind="primary" busy={is_running} onClick={() => void run(open)}>
            {has_begun ? words.again(open.length) : words.button[action](included.length, sum)}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

function useBulkRun(action: BulkAction) {
  const readAgain = useReadAgain(stale_with_payment)
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [is_running, setRunning] = useState(false)
  const run = async (items: readonly HistoryItem[]) => {
    setRunning(true)
    for (const item of items) {
      const outcome = await send(action, item)
      setOutcomes((before) => new Map(before).set(item.resource_id, outcome))
    }
    setRunning(false)
    await readAgain()
  }
  return { outcomes, is_running, run }
}

async function send(action: BulkAction, item: HistoryItem): Promise<Outcome> {
  const { charge_id, store_id, currency } = item
  const options = { store_id, idempotency_key: keyOf(action, item) }
  const money = { amount: amountOf(action, item), currency }
  try {
    await callApi<unknown>((api) =>
      action === 'refund'
        ? api.refunds.create(charge_id, money, options)
        : api.charges.capture(charge_id, money, options),
    )
    return 'done'
  } catch (error) {
    return { error }
  }
}
