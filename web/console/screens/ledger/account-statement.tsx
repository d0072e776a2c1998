import type { Kaikei, StatementLine } from '../../api/call-api.ts'
import type { Column } from '../../parts/lists/data-table.tsx'
import type { Filter } from '../../parts/lists/filters.tsx'
import { ListView } from '../../parts/lists/list-view.tsx'
import { dateColumn } from '../../parts/lists/table-columns.tsx'
import { Money } from '../../parts/values/money.tsx'
import { useBrandName } from '../../words/brand-words.ts'
import { useWords } from '../../words/language.tsx'
import { method_words } from '../../words/status-words.ts'
import './ledger.css'
import { Payable, usePayable } from './ledger-balances.tsx'
import { ledger_screen_words } from './ledger-screen-words.ts'

/** What the shop is owed, as in a bank book: each line with the balance after it. */
export function AccountStatement() {
  const words = useWords(ledger_screen_words)
  const balances = usePayable()
  const filters: readonly Filter[] = [
    {
      kind: 'choice',
      name: 'currency',
      label: words.currency,
      options: balances.map(({ currency }) => [currency, currency] as const),
    },
  ]
  return (
    <div className="statement">
      <Payable balances={balances} />
      <ListView
        label={words.statement}
        columns={useColumns()}
        filters={balances.length > 1 ? filters : []}
        read={readPage}
        idOf={({ id }) => id}
        // The next page continues from the balance before its newer neighbour.
        cursorOf={({ id, balance, amount }) => `${id}~${balance - amount}`}
        hrefOf={causeOf}
        empty={{ icon: 'ledger', title: words.nothing, text: words.nothing_text }}
        refresh_ms={10_000}
      />
    </div>
  )
}

type Query = Readonly<Record<string, string | number>>

function readPage(api: Kaikei, { limit, currency, cursor }: Query, store_id: string | null) {
  const [after, balance] = String(cursor ?? '').split('~')
  return api.ledgers.getStatement({
    limit: Number(limit),
    ...(currency ? { currency: String(currency) } : {}),
    ...(after ? { cursor: after, balance: Number(balance) } : {}),
    ...(store_id ? { store_id } : {}),
  })
}

function causeOf({ charge_id, store_id, transfer_id }: StatementLine): string {
  if (charge_id) return `/payments/${store_id}/${charge_id}`
  return transfer_id ? `/ledger/payouts/${transfer_id}` : '/ledger?tab=entries'
}

function useColumns(): readonly Column<StatementLine>[] {
  const words = useWords(ledger_screen_words)
  return [
    dateColumn(words.date, true),
    { name: 'what', label: words.what, phone: 'title', show: (line) => <What line={line} /> },
    { name: 'amount', label: words.amount, align: 'right', phone: 'value', show: showAmount },
    {
      name: 'balance',
      label: words.balance,
      align: 'right',
      phone: 'side',
      show: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
    },
  ]
}

function showAmount({ amount, currency }: StatementLine) {
  return <Money amount={amount} currency={currency} />
}

/** 売上 Visa •••• 4242 佐藤 花子 */
function What({ line }: { line: StatementLine }) {
  const words = useWords(ledger_screen_words)
  const methods = useWords(method_words)
  const brandName = useBrandName()
  const { part, payment_type, brand, last_four, customer_name, note } = line
  const method = brand ? brandName(brand) : payment_type && methods[payment_type]
  const details = [method && last_four ? `${method} •••• ${last_four}` : method, customer_name]
  return (
    <>
      {words.parts[part]}
      <span className="statement-cause">
        {(payment_type ? details : [note]).filter(Boolean).join('　')}
      </span>
    </>
  )
}
