import type { Customer } from '../../api/call-api.ts'
import type { Column } from '../../parts/lists/data-table.tsx'
import { ListView } from '../../parts/lists/list-view.tsx'
import { ScreenTitle } from '../../parts/screen/screen-title.tsx'
import { IdText } from '../../parts/values/id-text.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useWords } from '../../words/language.tsx'
import { customers_words } from './customers-words.ts'

/** Everybody who has paid, by their id or e-mail. */
export function CustomersScreen() {
  const words = useWords(customers_words)
  const columns: readonly Column<Customer>[] = [
    {
      name: 'name',
      label: words.name,
      phone: 'title',
      show: ({ name }) => name ?? <span className="none">{words.no_name}</span>,
    },
    { name: 'email', label: words.email, phone: 'note', show: ({ email }) => email },
    {
      name: 'customer_id',
      label: words.customer_id,
      show: ({ customer_id }) => customer_id && <IdText id={customer_id} />,
    },
    {
      name: 'created_on',
      label: words.since,
      phone: 'value',
      show: ({ created_on }) => <TimeText at={created_on} />,
    },
  ]
  return (
    <>
      <ScreenTitle title={words.title} />
      <ListView
        label={words.list}
        columns={columns}
        search={words.search}
        read={(api, query) => api.customers.list(query)}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/customers/${id}`}
        empty={{ icon: 'customers', title: words.empty_title, text: words.empty_text }}
      />
    </>
  )
}
