import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from './call-api.ts'
import type { ConsoleApi } from './console-client.ts'
import { useMode } from './mode.ts'
import { type Call, isSameSubject, queryKeyOf, type Stale, staleKey } from './query-key.ts'

interface ReadOptions {
  /** How often it is read again while the page is visible. */
  refresh_ms?: number | false
  /** How long the result counts as current when its screen is opened or the window comes back. */
  fresh_ms?: number
  enabled?: boolean
  /** Shows what was there until the new result has arrived: for filters and pages of the same thing. */
  keep?: boolean
  /** Read again when this changes: the request is the same, but not what it gives. */
  again_when?: unknown
}

/** Reads from the API. The request is its own key: nothing that changes the result can be missing in it. */
export function useRead<Result>(call: Call<Result>, options: ReadOptions = {}) {
  const mode = useMode()
  const { refresh_ms = false, fresh_ms, enabled = true, keep = false, again_when } = options
  const request = [mode, ...queryKeyOf(call)]
  return useQuery<Result>({
    queryKey: again_when === undefined ? request : [...request, { again_when }],
    queryFn: () => callApi(call),
    refetchInterval: refresh_ms,
    ...(fresh_ms === undefined ? {} : { staleTime: fresh_ms }),
    enabled,
    ...(keep
      ? {
          placeholderData: (before, query) =>
            query && isSameSubject(query.queryKey.slice(0, request.length), request)
              ? before
              : undefined,
        }
      : {}),
  })
}

/** Changes something, then reads again what is stale: `charges` is everything that was read with `api.charges`. */
export function useChange<Input, Result>(
  change: (api: ConsoleApi, input: Input) => PromiseLike<Result>,
  stale: readonly Stale[],
) {
  const readAgain = useReadAgain(stale)
  return useMutation({
    mutationFn: (input: Input) => callApi((api) => change(api, input)),
    onSettled: readAgain,
  })
}

/** Reads again what is stale. */
export function useReadAgain(stale: readonly Stale[]): () => Promise<void> {
  const mode = useMode()
  const queries = useQueryClient()
  return async () => {
    const keys = stale.map((one) =>
      queries.invalidateQueries({ queryKey: [mode, ...staleKey(one)] }),
    )
    await Promise.all(keys)
  }
}
