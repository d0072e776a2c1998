import {
  keepPreviousData,
  type QueryKey,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Kaikei } from '../../../client/src/kaikei-client.ts'
import { callApi } from './call-api.ts'
import { useMode } from './mode.ts'

type Call<Result> = (api: Kaikei) => PromiseLike<Result>

interface ReadOptions {
  /** How often it is read again while the page is visible. */
  refresh_ms?: number | false
  enabled?: boolean
  /** Shows what was there until the new result has arrived: for filters and pages. */
  keep?: boolean
}

/** Reads from the API. The key names what is read, with everything that changes it but the mode. */
export function useRead<Result>(key: QueryKey, call: Call<Result>, options: ReadOptions = {}) {
  const mode = useMode()
  const { refresh_ms = false, enabled = true, keep = false } = options
  return useQuery({
    queryKey: [mode, ...key],
    queryFn: () => callApi(call),
    refetchInterval: refresh_ms,
    enabled,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
  })
}

/** Changes something, then reads again what the keys name: `['charge', id]` has all of a charge. */
export function useChange<Input, Result>(
  change: (api: Kaikei, input: Input) => PromiseLike<Result>,
  stale: readonly QueryKey[],
) {
  const mode = useMode()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => callApi((api) => change(api, input)),
    onSettled: async () => {
      const keys = stale.map((key) => queries.invalidateQueries({ queryKey: [mode, ...key] }))
      await Promise.all(keys)
    },
  })
}
