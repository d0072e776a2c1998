import { useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { useMode } from '../api/mode.ts'
import { useSession } from '../api/session.tsx'
import { Button } from '../parts/forms/button.tsx'
import { Icon } from '../parts/values/icon.tsx'
import { screens } from '../screens.ts'
import { frame_words } from '../words/frame-words.ts'
import { useWords } from '../words/language.tsx'
import { part_words } from '../words/part-words.ts'
import { Logo } from './logo.tsx'

/** The screens that the role of the person includes, in groups. On a phone it slides in. */
export function Navigation({ open, close }: { open: boolean; close: () => void }) {
  const words = useWords(frame_words)
  const { close: close_word } = useWords(part_words)
  useEffect(() => {
    if (!open) return
    const listen = (event: KeyboardEvent) => event.key === 'Escape' && close()
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [open, close])
  const entries = useEntries()
  const groups = [...new Set(entries.map(({ group }) => group))]
  return (
    <>
      <nav className={`navigation ${open ? 'open' : ''}`} aria-label={words.navigation}>
        <div className="navigation-head">
          <Logo />
          <Button
            kind="quiet"
            icon="close"
            className="only-narrow"
            aria-label={close_word}
            onClick={close}
          />
        </div>
        {groups.map((group) => (
          <div key={group ?? ''} className="navigation-group">
            {group && <h2>{words.groups[group]}</h2>}
            {entries
              .filter((entry) => entry.group === group)
              .map(({ name, ...entry }) => (
                <Entry key={name} {...entry} label={words.screens[name]} />
              ))}
          </div>
        ))}
        <div className="navigation-group last">
          <a className="navigation-entry" href="/docs" target="_blank" rel="noreferrer">
            <Icon name="external" />
            {words.guide}
          </a>
        </div>
      </nav>
      {open && <div className="navigation-shade" onPointerDown={close} />}
    </>
  )
}

function useEntries() {
  const { rights } = useSession()
  const mode = useMode()
  return screens.flatMap(({ path, menu, Show }) => {
    if (!menu || (menu.right && !rights.includes(menu.right))) return []
    return menu.only_test && mode === 'live' ? [] : [{ ...menu, path, begin: Show.begin }]
  })
}

type EntryProps = {
  icon: Parameters<typeof Icon>[0]['name']
  path: string
  label: string
  /** Loads the screen: the pointer or the focus arrives before the click. */
  begin: () => void
}

function Entry({ icon, path, label, begin }: EntryProps) {
  const [here] = useLocation()
  const is_here = path === '/' ? here === '/' : here === path || here.startsWith(`${path}/`)
  return (
    <Link
      className="navigation-entry"
      href={path}
      aria-current={is_here ? 'page' : undefined}
      onPointerEnter={begin}
      onFocus={begin}
    >
      <Icon name={icon} />
      {label}
    </Link>
  )
}
