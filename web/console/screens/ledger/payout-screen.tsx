import { useParams } from 'wouter'
import { useRead } from '../../api/api-hooks.ts'
import type { Ledger } from '../../api/call-api.ts'
import { BackLink } from '../../parts/back-link.tsx'
import type { Column } from '../../parts/data-table.tsx'
import { IdText } from '../../parts/id-text.tsx'
import { KeyValues } from '../../parts/key-values.tsx'
import { ListView } from '../../parts/list-view.tsx'
import { Money } from '../../parts/money.tsx'
import { ScreenTitle } from '../../parts/screen-title.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { TimeText } from '../../parts/time-text.tsx'
import { formatMoney } from '../../words/format-values.ts'
import { useWords } from '../../words/language.tsx'
import { ledger_words } from '../../words/ledger-words.ts'
import { ledger_screen_words } from './ledger-screen-words.ts'

/** One payout, with everything that it contains. */
export function PayoutScreen() {
  const words = useWords(ledger_screen_words)
  const { transfer_id } = useParams() as { transfer_id: string }
  const { data, error, refetch } = useRead((api) => api.transfers.get(transfer_id))
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink href="/ledger?tab=payouts" label={words.payouts} />
      <ScreenTitle title={`${words.transfer} ${formatMoney(data.amount, data.currency)}`} />
      <KeyValues
        rows={[
          [words.status, <StatusBadge key="status" status={data.status} />],
          ...(data.error_text ? [[words.error, data.error_text] as const] : []),
          [words.period, `${data.from} – ${data.to}`],
          [words.date, <TimeText key="on" at={data.created_on} exact />],
          [words.id, <IdText key="id" id={data.id} whole />],
        ]}
      />
      <Contents transfer_id={transfer_id} />
    </>
  )
}

function Contents({ transfer_id }: { transfer_id: string }) {
  const words = useWords(ledger_screen_words)
  const { kinds } = useWords(ledger_words)
  const columns: readonly Column<Ledger>[] = [
    {
      name: 'date',
      label: words.date,
      phone: 'note',
      show: ({ created_on }) => <TimeText at={created_on} exact />,
    },
    { name: 'kind', label: words.kind, phone: 'title', show: ({ kind }) => kinds[kind] },
    {
      name: 'amount',
      label: words.amount,
      align: 'right',
      phone: 'value',
      show: ({ amount, currency }) => <Money amount={amount} currency={currency} with_code />,
    },
    {
      name: 'cause',
      label: words.cause,
      show: ({ charge_id }) => charge_id && <IdText id={charge_id} />,
    },
  ]
  return (
    <section className="section">
      <h2>{words.contents}</h2>
      <ListView
        label={words.contents}
        columns={columns}
        read={(api, query) => api.transfers.listLedgers(transfer_id, query)}
        idOf={({ id }) => id}
        hrefOf={({ charge_id, store_id }) =>
          charge_id ? `/payments/${store_id}/${charge_id}` : `/ledger/payouts/${transfer_id}`
        }
        empty={{ icon: 'ledger', title: words.nothing, text: words.nothing_text }}
      />
    </section>
  )
}
