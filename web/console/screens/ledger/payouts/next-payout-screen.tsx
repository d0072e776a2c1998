import { useRead } from '../../../api/api-hooks.ts'
import { useUrlState } from '../../../api/url-state.ts'
import { Choice } from '../../../parts/forms/choice.tsx'
import { BackLink } from '../../../parts/screen/back-link.tsx'
import { ScreenTitle } from '../../../parts/screen/screen-title.tsx'
import { useWords } from '../../../words/language.tsx'
import { ledger_screen_words } from '../ledger-screen-words.ts'
import { NextPayouts, nextPayoutPath } from './next-payout.tsx'
import { PayoutLines } from './payout-lines.tsx'
import { payout_words } from './payout-words.ts'

/** The next payout, and every line of it. */
export function NextPayoutScreen() {
  const words = useWords(ledger_screen_words)
  const { next } = useWords(payout_words)
  const { values, set } = useUrlState()
  const { data } = useRead((api) => api.transfers.getNext({}))
  const currencies = data?.payouts.map(({ currency }) => currency) ?? []
  const currency = values.currency ?? currencies[0]
  return (
    <>
      <BackLink href="/ledger?tab=payouts" label={words.payouts} />
      <ScreenTitle title={next}>
        {currencies.length > 1 && (
          <Choice
            label={words.currency}
            options={currencies.map((name) => [name, name])}
            chosen={currency ?? ''}
            choose={(name) => set({ currency: name, cursor: '' })}
          />
        )}
      </ScreenTitle>
      <NextPayouts {...(currency ? { currency } : {})} />
      {currency && (
        <PayoutLines
          path={nextPayoutPath(currency)}
          read={(api, query) => api.transfers.listNextLedgers({ ...query, currency })}
        />
      )}
    </>
  )
}
