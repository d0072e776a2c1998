import { Dialog as Base } from '@base-ui/react/dialog'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useRead } from '../api/api-hooks.ts'
import type { SearchResult } from '../api/call-api.ts'
import { useMode } from '../api/mode.ts'
import { useSession } from '../api/session.tsx'
import { Button } from '../parts/forms/button.tsx'
import { Icon, type IconName } from '../parts/values/icon.tsx'
import { Money } from '../parts/values/money.tsx'
import { StatusBadge } from '../parts/values/status-badge.tsx'
import { TimeText } from '../parts/values/time-text.tsx'
import { frame_words } from '../words/frame-words.ts'
import { useLanguage, useWords } from '../words/language.tsx'
import { part_words } from '../words/part-words.ts'
import { search_words } from './find-words.ts'
import { commandsFor } from './search-commands.ts'
import { result_icons, resultPath } from './search-results.ts'
import { useStoreChoice } from './store-choice.tsx'
import './search.css'

const delay_ms = 150

interface Choice {
  readonly key: string
  readonly group: keyof (typeof search_words)['en']['groups']
  readonly path: string
  readonly show: ReactNode
}

/** The text as it was a moment ago: a search begins when the person pauses. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delay_ms)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** One field for everything: what is found, in groups, and what can be done. */
export function SearchDialog({ close }: { close: () => void }) {
  const { search_everything } = useWords(frame_words)
  return (
    <Base.Root open onOpenChange={(open) => !open && close()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className="search-dialog">
          <Base.Title className="unseen">{search_everything}</Base.Title>
          <Search close={close} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

function Search({ close }: { close: () => void }) {
  const words = useWords(search_words)
  const { close: close_word } = useWords(part_words)
  const { search_everything } = useWords(frame_words)
  const [, navigate] = useLocation()
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  /** Enter came before the results of the text. */
  const [is_awaited, setAwaited] = useState(false)
  const { choices, is_searching, error } = useChoices(text.trim())
  const active = Math.min(at, choices.length - 1)
  const open = (choice: Choice | undefined) => {
    if (!choice) return
    close()
    navigate(choice.path)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends the input of Japanese.
    if (event.nativeEvent.isComposing) return
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1 + choices.length,
      Enter: active,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    if (event.key === 'Enter') setAwaited(true)
    else if (choices.length > 0) setAt(next % choices.length)
  }
  useEffect(() => {
    if (!is_awaited || is_searching) return
    setAwaited(false)
    open(choices[active])
  })
  return (
    <>
      <div className="search-head">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={search_everything}
          aria-expanded={choices.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={choices[active] && `${id}-${active}`}
          autoComplete="off"
          spellCheck={false}
          placeholder={words.hint}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
            setAwaited(false)
          }}
          onKeyDown={onKeyDown}
        />
        <Button kind="quiet" icon="close" small aria-label={close_word} onClick={close} />
      </div>
      <Choices id={id} choices={choices} active={active} choose={setAt} open={open} />
      <p className="unseen" role="status">
        {is_searching ? words.searching : words.results(choices.length)}
      </p>
      {error ? (
        <p className="search-note" role="alert">
          {words.failed}
        </p>
      ) : (
        choices.length === 0 &&
        !is_searching && (
          <div className="search-note">
            <strong>{words.nothing}</strong>
            <p>{words.nothing_text}</p>
          </div>
        )
      )}
      <p className="search-keys" aria-hidden="true">
        {words.keys}
      </p>
    </>
  )
}

function useChoices(text: string) {
  const { language } = useLanguage()
  const { rights } = useSession()
  const mode = useMode()
  const { store_id } = useStoreChoice()
  const settled = useSettled(text)
  const { data, error, isFetching } = useRead(
    (api) => api.activity.search({ q: settled, mode, ...(store_id ? { store_id } : {}) }),
    { enabled: settled !== '' },
  )
  const is_searching = text !== settled || isFetching
  const found = settled === '' || text === '' ? [] : (data?.items ?? [])
  const choices: readonly Choice[] = [
    ...found.map((result) => ({
      key: result.id,
      group: result.type,
      path: resultPath(result),
      show: <Result result={result} />,
    })),
    ...commandsFor(text, { rights, mode, language }).map(({ name, label, path, icon }) => ({
      key: name,
      group: 'command' as const,
      path,
      show: <Line icon={icon} title={label} />,
    })),
  ]
  return { choices, is_searching, error: settled === '' ? null : error }
}

interface ChoicesProps {
  id: string
  choices: readonly Choice[]
  active: number
  choose: (at: number) => void
  open: (choice: Choice) => void
}

function Choices({ id, choices, active, choose, open }: ChoicesProps) {
  const words = useWords(search_words)
  const { search_everything } = useWords(frame_words)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector(`[id="${id}-${active}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [active, id])
  const groups = [...new Set(choices.map(({ group }) => group))]
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label={search_everything}
      className="search-list"
    >
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
        <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <div id={`${id}-${group}`} className="search-group" role="presentation">
            {words.groups[group]}
          </div>
          {choices.map(
            (choice, place) =>
              choice.group === group && (
                // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
                <div
                  key={choice.key}
                  id={`${id}-${place}`}
                  role="option"
                  aria-selected={place === active}
                  className="search-option"
                  onPointerMove={() => choose(place)}
                  onClick={() => open(choice)}
                >
                  {choice.show}
                </div>
              ),
          )}
        </div>
      ))}
    </div>
  )
}

function Result({ result }: { result: SearchResult }) {
  const words = useWords(search_words)
  const { type, name, email, last_four, amount, currency, status, created_on } = result
  const of_person = [name ?? email, last_four && `•••• ${last_four}`, name && email]
  const texts = of_person.filter(Boolean).join(' · ')
  const money =
    amount !== null && currency !== null ? (
      <Money amount={type === 'refund' ? -amount : amount} currency={currency} />
    ) : null
  const is_person = type === 'customer' || type === 'payment_link'
  return (
    <Line
      icon={result_icons[type]}
      title={is_person ? (name ?? email ?? words.no_name) : (money ?? texts)}
      note={is_person ? (name ? email : null) : texts}
    >
      {is_person && money}
      {status && <StatusBadge status={status} />}
      <TimeText at={created_on} />
    </Line>
  )
}

interface LineProps {
  icon: IconName
  title: ReactNode
  note?: ReactNode
  children?: ReactNode
}

function Line({ icon, title, note, children }: LineProps) {
  return (
    <>
      <Icon name={icon} />
      <span className="search-title">{title}</span>
      <span className="search-text">{note}</span>
      {children && <span className="search-facts">{children}</span>}
    </>
  )
}
