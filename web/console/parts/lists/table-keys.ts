import { useEffect } from 'react'

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null
}

function isBlocked(event: KeyboardEvent): boolean {
  const in_dialog = document.querySelector('[role="dialog"], [role="menu"]') !== null
  return event.ctrlKey || event.metaKey || event.altKey || in_dialog || isTyping(event.target)
}

/** j and k move from row to row, / goes to the search. Enter opens a row by itself: it is a link. */
export function useTableKeys(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (isBlocked(event)) return
      if (event.key === '/') {
        event.preventDefault()
        document.querySelector<HTMLInputElement>('[data-search]')?.focus()
      }
      if (event.key === 'j' || event.key === 'k') focusRow(event.key === 'j' ? 1 : -1)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

function focusRow(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row-link]')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const next = at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)
  rows[next]?.focus()
  rows[next]?.scrollIntoView({ block: 'nearest' })
}
