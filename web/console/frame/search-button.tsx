import { lazy, Suspense, useEffect, useState } from 'react'
import { isBlocked } from '../parts/lists/table-keys.ts'
import { Icon } from '../parts/values/icon.tsx'
import { frame_words } from '../words/frame-words.ts'
import { useWords } from '../words/language.tsx'

/** Loaded when it is opened. */
const SearchDialog = lazy(async () => ({
  default: (await import('./search-dialog.tsx')).SearchDialog,
}))

/** Opens the search of the console, as the slash key and Ctrl-K do. */
export function SearchButton() {
  const words = useWords(frame_words)
  const [is_open, setOpen] = useState(false)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const is_slash = event.key === '/' && !isBlocked(event)
      const is_ctrl_k = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (!is_slash && !(is_ctrl_k && !document.querySelector('[role="dialog"]'))) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <button
        type="button"
        className="search-button"
        aria-label={words.search_everything}
        aria-keyshortcuts="/ Control+K"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        <span>{words.search}</span>
        <kbd>/</kbd>
      </button>
      <Suspense>{is_open && <SearchDialog close={() => setOpen(false)} />}</Suspense>
    </>
  )
}
