import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'

export type UrlValues = Readonly<Record<string, string>>

/** State in the address: it survives a reload and can be shared. Empty values are left out. */
export function useUrlState() {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const values: UrlValues = useMemo(() => Object.fromEntries(new URLSearchParams(search)), [search])
  const replaceAll = useCallback(
    (wanted: UrlValues, replace = false) => {
      const filled = Object.entries(wanted).filter(([, value]) => value !== '')
      const text = new URLSearchParams(filled).toString()
      navigate(text ? `${path}?${text}` : path, { replace })
    },
    [navigate, path],
  )
  const set = useCallback(
    (changes: UrlValues, replace = false) => replaceAll({ ...values, ...changes }, replace),
    [replaceAll, values],
  )
  return { values, set, replaceAll }
}

/** A choice that this browser remembers; storage may be missing. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

export function writeStored(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}
