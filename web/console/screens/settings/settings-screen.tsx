import { loadedLater } from '../../parts/screen/loaded-later.ts'
import { WithRight } from '../../parts/screen/missing-right.tsx'
import { ScreenTitle } from '../../parts/screen/screen-title.tsx'
import { Tabs } from '../../parts/screen/tabs.tsx'
import { useWords } from '../../words/language.tsx'
import { BankAccounts } from './bank-accounts.tsx'
import { MerchantSettings } from './merchant-settings.tsx'
import { settings_words } from './settings-words.ts'
import { StoreList } from './store-list.tsx'
import { UserList } from './user-list.tsx'
import './settings.css'

const SecuritySettings = loadedLater(() => import('./security-settings.tsx'), 'SecuritySettings')

const AuditLog = loadedLater(() => import('./audit-log.tsx'), 'AuditLog')

const OwnRouting = loadedLater(() => import('../connectors/routing/own-routing.tsx'), 'OwnRouting')

/** A merchant's own settings; a tab that the role does not include says who may see it. */
export function SettingsScreen() {
  const words = useWords(settings_words)
  const tabs = [
    { name: 'merchant', right: null, content: <MerchantSettings /> },
    { name: 'stores', right: null, content: <StoreList /> },
    { name: 'users', right: 'users:read', content: <UserList /> },
    { name: 'security', right: null, content: <SecuritySettings /> },
    { name: 'audit', right: 'audit:read', content: <AuditLog /> },
    { name: 'routing', right: null, content: <OwnRouting /> },
    { name: 'bank', right: 'bank_accounts:read', content: <BankAccounts /> },
  ] as const
  return (
    <>
      <ScreenTitle title={words.title} />
      <Tabs
        label={words.title}
        tabs={tabs.map(({ name, right, content }) => ({
          name,
          label: words.tabs[name],
          content: right ? <WithRight right={right}>{content}</WithRight> : content,
        }))}
      />
    </>
  )
}
