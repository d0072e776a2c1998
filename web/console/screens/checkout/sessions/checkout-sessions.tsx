import type { ListCheckoutSessionsQuery, PaymentLink } from '../../../api/call-api.ts'
import type { Filter } from '../../../parts/lists/filters.tsx'
import { ListView } from '../../../parts/lists/list-view.tsx'
import { useWords } from '../../../words/language.tsx'
import { checkout_words } from '../checkout-words.ts'
import { useSessionColumns } from './session-columns.tsx'
import { session_words } from './session-words.ts'

/** Checkout sessions of all links and programs, or of one link. */
export function CheckoutSessions({ of_link }: { of_link?: PaymentLink }) {
  const words = useWords(session_words)
  const { tabs, none_of_link, none_of_link_text } = useWords(checkout_words)
  const columns = useSessionColumns()
  const filters: readonly Filter[] = [
    {
      kind: 'choice',
      name: 'status',
      label: words.status,
      options: Object.entries(words.statuses),
    },
    { kind: 'range', name: 'from', to: 'to', of: 'days', label: words.period },
  ]
  const link_query = of_link ? { payment_link_id: of_link.id } : {}
  const empty = of_link
    ? { title: none_of_link, text: none_of_link_text }
    : { title: words.empty_title, text: words.empty_text }
  return (
    <ListView
      label={tabs.sessions}
      columns={columns}
      filters={filters}
      read={(api, query, chosen) =>
        api.checkoutSessions.list({ ...query, ...link_query } as ListCheckoutSessionsQuery, {
          store_id: of_link?.store_id ?? chosen,
        })
      }
      idOf={({ id }) => id}
      hrefOf={({ store_id, id }) => `/checkout/sessions/${store_id}/${id}`}
      empty={{ icon: 'checkout', ...empty }}
      refresh_ms={10_000}
    />
  )
}
