import { useState } from 'react'
import { readStored, writeStored } from '../api/url-state.ts'

export type Theme = 'system' | 'light' | 'dark'

/** The same choice as on the other pages; theme.js sets it before the first paint. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(() => (readStored('theme') ?? 'system') as Theme)
  const choose = (wanted: Theme) => {
    const { dataset } = document.documentElement
    if (wanted === 'system') delete dataset.theme
    else dataset.theme = wanted
    writeStored('theme', wanted === 'system' ? null : wanted)
    setTheme(wanted)
  }
  return [theme, choose]
}
