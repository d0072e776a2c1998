import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { KaikeiError } from './call-api.ts'

/** The last attempt failed because of the service or the connection, and not because of what was asked. */
function isOutage(error: unknown): boolean {
  return !(error instanceof KaikeiError) || error.status === null || error.status >= 500
}

/**
 * When the oldest data on the screen was read, if it could not be read again; null while all of it is current.
 */
export function useStaleSince(): { since: number | null; readAgain: () => void } {
  const queries = useQueryClient()
  const subscribe = useCallback(
    (changed: () => void) => queries.getQueryCache().subscribe(changed),
    [queries],
  )
  const read = useCallback(() => {
    const shown = queries.getQueryCache().findAll({ type: 'active' })
    const stale = shown
      .filter(({ state }) => state.data !== undefined && state.status === 'error')
      .filter(({ state }) => isOutage(state.error))
    return stale.length === 0 ? null : Math.min(...stale.map(({ state }) => state.dataUpdatedAt))
  }, [queries])
  const since = useSyncExternalStore(subscribe, read)
  const readAgain = () => void queries.refetchQueries({ type: 'active' })
  return { since, readAgain }
}
