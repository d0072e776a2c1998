import { useLocation } from 'wouter'
import { baseOf, type Mode, useMode } from '../api/mode.ts'
import { useSession, useSignOut } from '../api/session.tsx'
import { Button } from '../parts/forms/button.tsx'
import { Menu, MenuChoice, MenuItem, MenuLine } from '../parts/overlays/menu.tsx'
import { Icon } from '../parts/values/icon.tsx'
import { screens } from '../screens.ts'
import { frame_words } from '../words/frame-words.ts'
import { type Language, useLanguage, useWords } from '../words/language.tsx'
import { useStoreChoice } from './store-choice.tsx'
import { type Theme, useTheme } from './theme.ts'

export function TopBar({ openMenu }: { openMenu: () => void }) {
  const words = useWords(frame_words)
  return (
    <header className="top-bar">
      <Button
        kind="quiet"
        icon="menu"
        className="only-narrow"
        aria-label={words.menu}
        onClick={openMenu}
      />
      <StoreSwitch />
      <ModeSwitch />
      <UserMenu />
    </header>
  )
}

const all = 'all'

function StoreSwitch() {
  const words = useWords(frame_words)
  const { merchant } = useSession()
  const { stores, store_id, choose } = useStoreChoice()
  const chosen = stores.find(({ id }) => id === store_id)
  return (
    <div className="store-switch">
      <Menu
        align="start"
        trigger={
          <Button kind="quiet" className="store-button">
            <Icon name="store" />
            <span className="store-names">
              <strong>{merchant.name}</strong>
              <span>{chosen?.name ?? words.all_stores}</span>
            </span>
            <Icon name="down" size={14} />
          </Button>
        }
      >
        <MenuChoice
          label={words.store}
          value={store_id ?? all}
          options={[[all, words.all_stores], ...stores.map(({ id, name }) => [id, name] as const)]}
          choose={(id) => choose(id === all ? null : id)}
        />
      </Menu>
    </div>
  )
}

/** Switches at once: the same list in the other mode. Nothing of one mode exists in the other. */
function ModeSwitch() {
  const words = useWords(frame_words)
  const mode = useMode()
  const { modes } = useSession()
  const [path, navigate] = useLocation()
  const list = screens.find(({ menu, path: of }) => menu && of !== '/' && path.startsWith(of))
  const change = (wanted: Mode) => {
    if (wanted !== mode) navigate(`~${baseOf(wanted)}${list?.path ?? ''}`)
  }
  return (
    <div className="mode-switch" role="radiogroup" aria-label={words.mode}>
      {(['test', 'live'] as const).map((one) => (
        <label key={one} className={`mode ${one}`}>
          <input
            type="radio"
            name="mode"
            checked={mode === one}
            disabled={!modes.includes(one)}
            onChange={() => change(one)}
          />
          <span title={modes.includes(one) ? undefined : words.live_locked}>{words[one]}</span>
        </label>
      ))}
    </div>
  )
}

function UserMenu() {
  const words = useWords(frame_words)
  const { user, role } = useSession()
  const { language, choose } = useLanguage()
  const [theme, setTheme] = useTheme()
  const signOut = useSignOut()
  const name = user.name || user.email
  return (
    <Menu
      trigger={
        <button type="button" className="user-button" aria-label={words.user_menu(name)}>
          <span aria-hidden="true">{[...name][0]}</span>
        </button>
      }
    >
      <div className="user-card">
        <strong>{name}</strong>
        <span>{user.email}</span>
        <span>{words.role[role]}</span>
      </div>
      <MenuLine />
      <MenuChoice
        label={words.language}
        value={language}
        options={[
          [
            'ja',
            <span key="ja" lang="ja">
              日本語
            </span>,
          ],
          [
            'en',
            <span key="en" lang="en">
              English
            </span>,
          ],
        ]}
        choose={(wanted) => choose(wanted as Language)}
      />
      <MenuLine />
      <MenuChoice
        label={words.theme}
        value={theme}
        options={[
          ['system', words.system],
          ['light', words.light],
          ['dark', words.dark],
        ]}
        choose={(wanted) => setTheme(wanted as Theme)}
      />
      <MenuLine />
      <MenuItem icon="right" onClick={() => void signOut()}>
        {words.sign_out}
      </MenuItem>
    </Menu>
  )
}
