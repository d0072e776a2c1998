import { recordOf } from '../../../../src/core/read-unknown.ts'
import { isNameIn } from '../../../../src/core/table-names.ts'
import { useRead } from '../../api/api-hooks.ts'
import type { Event } from '../../api/call-api.ts'
import { type Column, DataTable } from '../../parts/lists/data-table.tsx'
import { Money } from '../../parts/values/money.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useWords } from '../../words/language.tsx'
import { time_words } from './time-words.ts'

type Data = Readonly<Record<string, unknown>>

/** The amounts of resources, by their fields; the first that there is counts. */
const amount_fields = [
  ['charged_amount', 'charged_currency'],
  ['requested_amount', 'requested_currency'],
  ['amount', 'currency'],
] as const

function amountOf(data: Data): { amount: number; currency: string } | null {
  for (const [amount_field, currency_field] of amount_fields) {
    const [amount, currency] = [data[amount_field], data[currency_field]]
    if (typeof amount === 'number' && typeof currency === 'string') return { amount, currency }
  }
  return null
}

/** The screen of what an event is about; null: it has none. */
function hrefOf({ event, resource_id, store_id, data }: Event): string | null {
  const { charge_id } = recordOf(data)
  if (event.startsWith('transfer_')) return `/ledger/payouts/${resource_id}`
  if (!store_id) return null
  if (event.startsWith('charge_')) return `/payments/${store_id}/${resource_id}`
  if (event.startsWith('subscription_')) return `/subscriptions/${store_id}/${resource_id}`
  if (event.startsWith('dispute_')) return `/disputes/${store_id}/${resource_id}`
  if (event.startsWith('checkout_')) return `/checkout/sessions/${store_id}/${resource_id}`
  return typeof charge_id === 'string' ? `/payments/${store_id}/${charge_id}` : null
}

/** The results of moving the clock: everything that a shop knows, and the row leads to it. */
export function HappenedEvents({ since }: { since: string }) {
  const words = useWords(time_words)
  const { data, error } = useRead((api) =>
    api.events.list({ limit: 100, cursor_direction: 'desc' }),
  )
  const columns: readonly Column<Event>[] = [
    {
      name: 'on',
      label: words.when,
      phone: 'note',
      show: ({ created_on }) => <TimeText at={created_on} exact />,
    },
    {
      name: 'event',
      label: words.what,
      phone: 'title',
      show: ({ event }) => (isNameIn(words.events, event) ? words.events[event] : event),
    },
    {
      name: 'amount',
      label: words.amount,
      align: 'right',
      phone: 'value',
      show: (event) => {
        const money = amountOf(recordOf(event.data))
        return money && <Money {...money} with_code />
      },
    },
  ]
  const rows = data?.items.filter(
    ({ created_on, event }) => created_on > since && isNameIn(words.events, event),
  )
  return (
    <section className="section">
      <h2>{words.happened}</h2>
      <DataTable
        label={words.happened}
        columns={columns}
        rows={rows}
        idOf={({ id }) => id}
        hrefOf={(event) => hrefOf(event) ?? '/developers?tab=events'}
        error={error}
        empty={<p className="none-yet">{words.nothing_happened}</p>}
      />
    </section>
  )
}
