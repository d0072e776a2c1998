import { useState } from 'react'
import type { ListSubscriptionsQuery, SubscriptionItem } from '../../api/call-api.ts'
import { Button } from '../../parts/forms/button.tsx'
import type { Column } from '../../parts/lists/data-table.tsx'
import type { Filter } from '../../parts/lists/filters.tsx'
import { ListView } from '../../parts/lists/list-view.tsx'
import { ScreenTitle } from '../../parts/screen/screen-title.tsx'
import { Money } from '../../parts/values/money.tsx'
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { formatCalendarDay } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { status_words } from '../../words/status-words.ts'
import { PlanDialog } from './plan-dialog.tsx'
import { rhythmOf } from './subscription-data.ts'
import { subscriptions_words } from './subscriptions-words.ts'

const statuses = [
  'current',
  'unpaid',
  'suspended',
  'completed',
  'canceled',
  'unconfirmed',
  'unverified',
  'authorized',
] as const

export function SubscriptionsScreen() {
  const words = useWords(subscriptions_words)
  const status = useWords(status_words)
  const columns = useColumns()
  const [is_simulating, setSimulating] = useState(false)
  const filters: readonly Filter[] = [
    {
      kind: 'choice',
      name: 'status',
      label: words.status,
      options: statuses.map((name) => [name, status[name]]),
    },
  ]
  return (
    <>
      <ScreenTitle title={words.title}>
        <Button onClick={() => setSimulating(true)}>{words.simulate}</Button>
      </ScreenTitle>
      <ListView
        label={words.list}
        columns={columns}
        filters={filters}
        search={words.search}
        csv="subscriptions"
        read={(api, query, store_id) =>
          api.subscriptions.list(query as ListSubscriptionsQuery, { store_id })
        }
        idOf={({ id }) => id}
        hrefOf={({ store_id, id }) => `/subscriptions/${store_id}/${id}`}
        empty={{ icon: 'subscriptions', title: words.empty_title, text: words.empty_text }}
        refresh_ms={10_000}
      />
      {is_simulating && <PlanDialog close={() => setSimulating(false)} />}
    </>
  )
}

function useColumns(): readonly Column<SubscriptionItem>[] {
  const words = useWords(subscriptions_words)
  const { language } = useLanguage()
  return [
    {
      name: 'amount',
      label: words.amount,
      align: 'right',
      phone: 'value',
      show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      name: 'status',
      label: words.status,
      phone: 'side',
      show: ({ status }) => <StatusBadge status={status} />,
    },
    {
      name: 'customer',
      label: words.customer,
      phone: 'title',
      show: ({ user_data }) =>
        user_data.cardholder_name ||
        user_data.email || <span className="none">{words.no_name}</span>,
    },
    { name: 'rhythm', label: words.rhythm, show: (one) => rhythmOf(one, words.periods) },
    {
      name: 'next',
      label: words.next,
      phone: 'note',
      show: ({ next_payment }) =>
        next_payment && formatCalendarDay(next_payment.due_date, language),
    },
    {
      name: 'created',
      label: words.created,
      show: ({ created_on }) => <TimeText at={created_on} />,
    },
  ]
}
