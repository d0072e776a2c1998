import { useRead } from '../../api/api-hooks.ts'
import type { LedgerBalance, TrialBalance } from '../../api/call-api.ts'
import { useStoreChoice } from '../../frame/store-choice.tsx'
import { type Column, DataTable } from '../../parts/lists/data-table.tsx'
import { Empty, ErrorState, Loading } from '../../parts/screen/states.tsx'
import { Icon } from '../../parts/values/icon.tsx'
import { Money } from '../../parts/values/money.tsx'
import { formatMoney } from '../../words/format-values.ts'
import { useWords } from '../../words/language.tsx'
import { ledger_words } from '../../words/ledger-words.ts'
import { ledger_screen_words } from './ledger-screen-words.ts'
import './ledger.css'

/** The balance of every account, by currency, and the proof that nothing is missing. */
export function LedgerBalances() {
  const words = useWords(ledger_screen_words)
  const { data, error, refetch } = useBalances()
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  if (data.balances.length === 0) {
    return <Empty icon="ledger" title={words.nothing} text={words.nothing_text} />
  }
  const several = data.trial_balance.length > 1
  return (
    <>
      {data.trial_balance.map((trial) => (
        <Trial
          key={trial.currency}
          trial={trial}
          title={several ? `${words.trial} ${trial.currency}` : words.trial}
          balances={data.balances.filter(({ currency }) => currency === trial.currency)}
        />
      ))}
    </>
  )
}

function useBalances() {
  const { store_id } = useStoreChoice()
  return useRead((api) => api.ledgers.getBalances(store_id ? { store_id } : {}), {
    refresh_ms: 10_000,
  })
}

/** The balances of the account that the statement lists. */
export function usePayable(): readonly LedgerBalance[] {
  const { data } = useBalances()
  return data?.balances.filter(({ account }) => account === 'merchant_payable') ?? []
}

/** The one figure that merchants look for. A credit is negative: it is owed to them. */
export function Payable({ balances }: { balances: readonly LedgerBalance[] }) {
  const words = useWords(ledger_screen_words)
  return (
    <div className="figures">
      {balances.map(({ currency, balance }) => (
        <dl key={currency} className="figure">
          <dt>{words.balance_now}</dt>
          <dd className="figure-value">
            <Money amount={-balance} currency={currency} with_code={balances.length > 1} />
          </dd>
        </dl>
      ))}
    </div>
  )
}

interface TrialProps {
  title: string
  trial: TrialBalance
  balances: readonly LedgerBalance[]
}

function Trial({ title, trial, balances }: TrialProps) {
  const words = useWords(ledger_screen_words)
  const names = useWords(ledger_words).accounts
  const { currency, difference } = trial
  const side = (amount: number) => <Money amount={amount} currency={currency} />
  const columns: readonly Column<LedgerBalance>[] = [
    {
      name: 'account',
      label: words.account,
      phone: 'title',
      show: ({ account }) => names[account],
    },
    {
      name: 'debits',
      label: words.debits,
      align: 'right',
      phone: 'note',
      show: ({ balance }) => balance >= 0 && side(balance),
    },
    {
      name: 'credits',
      label: words.credits,
      align: 'right',
      phone: 'value',
      show: ({ balance }) => balance < 0 && side(-balance),
    },
  ]
  return (
    <section className="section">
      <h2>{title}</h2>
      <DataTable
        label={title}
        columns={columns}
        rows={balances}
        idOf={({ account }) => account}
        hrefOf={({ account }) => `/ledger?tab=entries&account=${account}&currency=${currency}`}
        empty={null}
      />
      <p className={difference === 0 ? 'proof' : 'proof wrong'}>
        <Icon name={difference === 0 ? 'check' : 'warning'} />
        {difference === 0
          ? words.in_balance
          : words.out_of_balance(formatMoney(difference, currency))}
      </p>
    </section>
  )
}
