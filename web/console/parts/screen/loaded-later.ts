import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { UnloadedScreen } from './unloaded-screen.tsx'

/** A chunk of its own, loaded when it is opened: a screen, or a tab that few people open. */
export function loadedLater<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): LazyExoticComponent<ComponentType> {
  const loaded = async () => (await load())[name]
  return lazy(async () => ({ default: await loaded().catch(() => UnloadedScreen) }))
}
