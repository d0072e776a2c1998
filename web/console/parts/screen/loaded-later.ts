import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { UnloadedScreen } from './unloaded-screen.tsx'

export type LoadedLater = LazyExoticComponent<ComponentType> & {
  /** Loads it before it is shown; a failure is shown when it is. */
  readonly begin: () => void
}

/** A chunk of its own, loaded when it is opened: a screen, or a tab that few people open. */
export function loadedLater<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): LoadedLater {
  const loaded = async () => (await load())[name]
  const Show = lazy(async () => ({ default: await loaded().catch(() => UnloadedScreen) }))
  return Object.assign(Show, { begin: () => void load().catch(() => {}) })
}
