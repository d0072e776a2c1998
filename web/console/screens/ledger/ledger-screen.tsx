import { ScreenTitle } from '../../parts/screen/screen-title.tsx'
import { Tabs } from '../../parts/screen/tabs.tsx'
import { useWords } from '../../words/language.tsx'
import { AccountStatement } from './account-statement.tsx'
import { LedgerBalances } from './ledger-balances.tsx'
import { LedgerEntries } from './ledger-entries.tsx'
import { ledger_screen_words } from './ledger-screen-words.ts'
import { Payouts } from './payouts/payouts.tsx'

/** The account as its owner reads it; behind it the double-entry ledger for accountants. */
export function LedgerScreen() {
  const words = useWords(ledger_screen_words)
  return (
    <>
      <ScreenTitle title={words.title} />
      <Tabs
        label={words.title}
        tabs={[
          { name: 'statement', label: words.statement, content: <AccountStatement /> },
          { name: 'payouts', label: words.payouts, content: <Payouts /> },
          { name: 'balances', label: words.balances, content: <LedgerBalances /> },
          { name: 'entries', label: words.entries, content: <LedgerEntries /> },
        ]}
      />
    </>
  )
}
