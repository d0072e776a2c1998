import { lazy, Suspense, useState } from 'react'
import type { ListPaymentLinksQuery, PaymentLink } from '../../../api/call-api.ts'
import { useCan } from '../../../api/session.tsx'
import { useUrlState } from '../../../api/url-state.ts'
import { useStoreChoice } from '../../../frame/store-choice.tsx'
import { Button } from '../../../parts/forms/button.tsx'
import type { Column } from '../../../parts/lists/data-table.tsx'
import type { Filter } from '../../../parts/lists/filters.tsx'
import { ListView } from '../../../parts/lists/list-view.tsx'
import { dateColumn } from '../../../parts/lists/table-columns.tsx'
import { MissingRight } from '../../../parts/screen/missing-right.tsx'
import { useWords } from '../../../words/language.tsx'
import { checkout_words } from '../checkout-words.ts'
import { LinkBadge, UsesText } from './link-badge.tsx'
import { amountText, linkHref } from './payment-link-data.ts'

/** Loaded when it is opened. */
const NewLinkDialog = lazy(async () => ({
  default: (await import('./new-link-dialog.tsx')).NewLinkDialog,
}))

/** All payment links of the merchant or of the chosen store. */
export function PaymentLinks() {
  const words = useWords(checkout_words)
  const may_change = useCan('payments:write')
  const { stores } = useStoreChoice()
  const columns = useColumns()
  const { values } = useUrlState()
  const [is_adding, setAdding] = useState(values.new === 'link')
  const filters: readonly Filter[] = [
    {
      kind: 'choice',
      name: 'active',
      label: words.state,
      options: [
        ['true', words.switched_on],
        ['false', words.switched_off],
      ],
    },
  ]
  return (
    <>
      <MissingRight right="payments:write" />
      {may_change && stores.length > 0 && (
        <div className="tab-actions">
          <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
            {words.new_link}
          </Button>
        </div>
      )}
      <ListView
        label={words.tabs.links}
        columns={columns}
        filters={filters}
        read={(api, query, store_id) =>
          api.paymentLinks.list(query as ListPaymentLinksQuery, { store_id })
        }
        idOf={({ id }) => id}
        hrefOf={({ store_id, id }) => linkHref({ store_id, payment_link_id: id })}
        empty={{ icon: 'checkout', title: words.empty_title, text: words.empty_text }}
        refresh_ms={10_000}
      />
      <Suspense>{is_adding && <NewLinkDialog close={() => setAdding(false)} />}</Suspense>
    </>
  )
}

function useColumns(): readonly Column<PaymentLink>[] {
  const words = useWords(checkout_words)
  const { stores, store_id } = useStoreChoice()
  const with_store = stores.length > 1 && store_id === null
  return [
    { name: 'name', label: words.name, phone: 'title', show: ({ name }) => name },
    {
      name: 'amount',
      label: words.amount,
      align: 'right',
      phone: 'value',
      show: (link) => <span className="money">{amountText(link, words.range)}</span>,
    },
    {
      name: 'uses',
      label: words.uses,
      align: 'right',
      phone: 'note',
      show: (link) => <UsesText link={link} />,
    },
    { name: 'state', label: words.state, phone: 'side', show: (link) => <LinkBadge link={link} /> },
    ...(with_store
      ? [
          {
            name: 'store',
            label: words.store,
            show: (link: PaymentLink) => stores.find(({ id }) => id === link.store_id)?.name,
          },
        ]
      : []),
    { name: 'date', label: words.created, show: dateColumn<PaymentLink>('').show },
  ]
}
