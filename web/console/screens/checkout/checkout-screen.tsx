import { loadedLater } from '../../parts/screen/loaded-later.ts'
import { ScreenTitle } from '../../parts/screen/screen-title.tsx'
import { Tabs } from '../../parts/screen/tabs.tsx'
import { useWords } from '../../words/language.tsx'
import { CardTesting } from './card-testing.tsx'
import { checkout_words } from './checkout-words.ts'
import { PaymentLinks } from './links/payment-links.tsx'
import { CheckoutSessions } from './sessions/checkout-sessions.tsx'
import './checkout.css'

/** Most people come for the links: the editor is loaded when it is opened. */
const Appearance = loadedLater(() => import('./appearance/appearance.tsx'), 'Appearance')

/** The pages on which customers pay: links to them, what happens on them, how they look. */
export function CheckoutScreen() {
  const words = useWords(checkout_words)
  const tabs = [
    { name: 'links', content: <PaymentLinks /> },
    { name: 'sessions', content: <CheckoutSessions /> },
    { name: 'appearance', content: <Appearance /> },
    { name: 'protection', content: <CardTesting /> },
  ] as const
  return (
    <>
      <ScreenTitle title={words.title} />
      <Tabs
        label={words.title}
        tabs={tabs.map(({ name, content }) => ({ name, label: words.tabs[name], content }))}
      />
    </>
  )
}
