import { ScreenTitle } from '../../parts/screen/screen-title.tsx'
import { Tabs } from '../../parts/screen/tabs.tsx'
import { useWords } from '../../words/language.tsx'
import { LedgerBalances } from './ledger-balances.tsx'
import { LedgerEntries } from './ledger-entries.tsx'
import { ledger_screen_words } from './ledger-screen-words.ts'
import { Payouts } from './payouts/payouts.tsx'

/** Explains every yen: a balance opens to its entries, an entry to its charge. */
export function LedgerScreen() {
  const words = useWords(ledger_screen_words)
  return (
    <>
      <ScreenTitle title={words.title} />
      <p className="screen-intro">{words.intro}</p>
      <Tabs
        label={words.title}
        tabs={[
          { name: 'balances', label: words.balances, content: <LedgerBalances /> },
          { name: 'entries', label: words.entries, content: <LedgerEntries /> },
          { name: 'payouts', label: words.payouts, content: <Payouts /> },
        ]}
      />
    </>
  )
}
