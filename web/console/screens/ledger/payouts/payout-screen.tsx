import { useParams } from 'wouter'
import { useRead } from '../../../api/api-hooks.ts'
import type { Transfer } from '../../../api/call-api.ts'
import { RecordScreen } from '../../../parts/screen/record-screen.tsx'
import { IdText } from '../../../parts/values/id-text.tsx'
import { KeyValues } from '../../../parts/values/key-values.tsx'
import { Money } from '../../../parts/values/money.tsx'
import { StatusBadge } from '../../../parts/values/status-badge.tsx'
import { TimeText } from '../../../parts/values/time-text.tsx'
import { formatMoney } from '../../../words/format-values.ts'
import { useWords } from '../../../words/language.tsx'
import { ledger_screen_words } from '../ledger-screen-words.ts'
import { usePayoutPeriod } from './payout-columns.tsx'
import { PayoutLines } from './payout-lines.tsx'
import { PayoutSum } from './payout-sum.tsx'
import { payout_words } from './payout-words.ts'

/** One payout: how it adds up, and everything that it contains. */
export function PayoutScreen() {
  const words = useWords(ledger_screen_words)
  const { title } = useWords(payout_words)
  const { transfer_id } = useParams() as { transfer_id: string }
  const transfer = useRead((api) => api.transfers.get(transfer_id), { refresh_ms: 30_000 })
  const path = `/ledger/payouts/${transfer_id}`
  return (
    <RecordScreen
      back={{ href: '/ledger?tab=payouts', label: words.payouts }}
      query={transfer}
      titleOf={({ amount, currency }) => title(formatMoney(amount, currency))}
      head={({ amount, currency, status, id }) => ({
        heading: <Money amount={amount} currency={currency} />,
        badge: <StatusBadge status={status} />,
        id,
      })}
    >
      {(data) => (
        <>
          <div className="payout-top section">
            <Facts transfer={data} />
            <Sum transfer={data} path={`${path}?`} />
          </div>
          <PayoutLines
            path={path}
            transfer_id={transfer_id}
            read={(api, query) => api.transfers.listLedgers(transfer_id, query)}
          />
        </>
      )}
    </RecordScreen>
  )
}

function Facts({ transfer }: { transfer: Transfer }) {
  const words = useWords(ledger_screen_words)
  const periodText = usePayoutPeriod()
  const { error_text, from, to, created_on, id } = transfer
  return (
    <KeyValues
      rows={[
        ...(error_text ? [[words.error, error_text] as const] : []),
        [words.period, periodText(from, to)],
        [words.date, <TimeText key="on" at={created_on} exact />],
        [words.id, <IdText key="id" id={id} whole />],
      ]}
    />
  )
}

function Sum({ transfer, path }: { transfer: Transfer; path: string }) {
  const { id, amount, currency } = transfer
  const { data } = useRead((api) => api.transfers.getParts(id))
  return <PayoutSum parts={data?.parts ?? []} amount={amount} currency={currency} path={path} />
}
