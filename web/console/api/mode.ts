import { useSyncExternalStore } from 'react'

export type Mode = 'test' | 'live'

const home = '/console'

/** The mode is in the address, so that a link shows the same to everybody. */
export function modeOf(path: string): Mode | null {
  const [, mode] = /^\/console\/(test|live)(?:\/|$)/.exec(path) ?? []
  return (mode as Mode | undefined) ?? null
}

export function currentMode(): Mode {
  return modeOf(location.pathname) ?? 'test'
}

export function baseOf(mode: Mode): string {
  return `${home}/${mode}`
}

function subscribe(changed: () => void): () => void {
  const names = ['popstate', 'pushState', 'replaceState']
  for (const name of names) addEventListener(name, changed)
  return () => {
    for (const name of names) removeEventListener(name, changed)
  }
}

export function useMode(): Mode {
  return useSyncExternalStore(subscribe, currentMode)
}
