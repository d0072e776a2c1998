import Type from 'typebox'
import type { Caller, Mode } from '../../core/access/caller.ts'
import { filters } from '../../core/api/common-fields.ts'
import { described } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id } from '../../core/api/schemas.ts'
import { readInstant } from '../../core/typed/formats.ts'
import type { Service } from '../../service.ts'
import { idAt } from '../../store/sql/reads/page.ts'
import { requireStore } from './store.ts'

/** The rows a list may show: one store or all of the merchant, one mode or both. */
export interface ListScope {
  readonly merchant_id: string
  readonly store_id: string | null
  readonly modes: readonly Mode[]
}

/** Parameters of lists of the merchant. */
export const scope_filters = {
  store_id: described(Type.Optional(Id), 'Only items of this store.'),
  mode: filters.mode,
}

/** A list of what the merchant itself has can include what its stores have. */
export const with_stores = described(
  Type.Optional(Type.Boolean()),
  'Whether to include the items of all stores. By default only those of the merchant itself.',
)

interface ScopeQuery {
  readonly store_id?: string
  readonly mode?: Mode
}

/** The part of the requested rows that the caller may see; the store of another caller is not found. */
export async function scopeOf(
  service: Service,
  caller: Caller,
  { store_id, mode }: ScopeQuery,
): Promise<ListScope> {
  if (store_id && caller.store_id && store_id.toLowerCase() !== caller.store_id) fail('NOT_FOUND')
  if (store_id) await requireStore(service, caller, store_id)
  const modes = (['test', 'live'] as const).filter(
    (one) => one === (caller.mode ?? one) && one === (mode ?? one),
  )
  return { merchant_id: caller.merchant_id, store_id: store_id ?? caller.store_id, modes }
}

/** One mode, for sums that must not mix them: the caller's, the one that is asked for, or live mode. */
export function oneMode({ modes }: ListScope): Mode {
  return modes.length === 1 && modes[0] ? modes[0] : 'live'
}

/** A range of time as a range of ids. Rows may be younger than their ids by this much. */
export function idRange({ from, to }: { from?: string; to?: string }, max_age_ms = 0) {
  return {
    from:
      from === undefined
        ? undefined
        : idAt(new Date((readInstant(from)?.getTime() ?? 0) - max_age_ms)),
    to: to === undefined ? undefined : idAt(readInstant(to)),
  }
}
