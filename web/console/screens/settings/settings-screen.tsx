import { useSession } from '../../api/session.tsx'
import { loadedLater } from '../../parts/screen/loaded-later.ts'
import { ScreenTitle } from '../../parts/screen/screen-title.tsx'
import { Tabs } from '../../parts/screen/tabs.tsx'
import { useWords } from '../../words/language.tsx'
import { AuditLog } from './audit-log.tsx'
import { BankAccounts } from './bank-accounts.tsx'
import { MerchantSettings } from './merchant-settings.tsx'
import { SecuritySettings } from './security-settings.tsx'
import { settings_words } from './settings-words.ts'
import { StoreList } from './store-list.tsx'
import { UserList } from './user-list.tsx'
import './settings.css'

const OwnRouting = loadedLater(() => import('../connectors/routing/own-routing.tsx'), 'OwnRouting')

/** What a merchant decides about itself; tabs that the role does not include are left out. */
export function SettingsScreen() {
  const words = useWords(settings_words)
  const { rights } = useSession()
  const tabs = [
    { name: 'merchant', right: null, content: <MerchantSettings /> },
    { name: 'stores', right: null, content: <StoreList /> },
    { name: 'users', right: 'users:read', content: <UserList /> },
    { name: 'security', right: null, content: <SecuritySettings /> },
    { name: 'audit', right: 'audit:read', content: <AuditLog /> },
    { name: 'routing', right: null, content: <OwnRouting /> },
    { name: 'bank', right: 'bank_accounts:read', content: <BankAccounts /> },
  ] as const
  const shown = tabs.filter(({ right }) => right === null || rights.includes(right))
  return (
    <>
      <ScreenTitle title={words.title} />
      <Tabs
        label={words.title}
        tabs={shown.map(({ name, content }) => ({ name, label: words.tabs[name], content }))}
      />
    </>
  )
}
