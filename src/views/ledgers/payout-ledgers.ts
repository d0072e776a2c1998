import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { oneMode, scopeOf } from '../../accounts/stores/list-scope.ts'
import { nextLedgers } from '../../commerce/transfers/next-transfer.ts'
import { PartName } from '../../commerce/transfers/next-transfer-view.ts'
import { partOf } from '../../commerce/transfers/open-ledgers.ts'
import type { Caller } from '../../core/access/caller.ts'
import { filters } from '../../core/api/common-fields.ts'
import { described } from '../../core/api/described-schemas.ts'
import { PageParameters } from '../../core/api/schemas.ts'
import type { Service } from '../../service.ts'
import { type Page, type PageQuery, readPage } from '../../store/sql/reads/page.ts'
import { type Ledger, ledgersOf } from './ledger.ts'

const part = described(Type.Optional(PartName), 'Only those of this part of the payout.')

export const PartQuery = Type.Object({ ...PageParameters, part })
export const NextPartQuery = Type.Object({
  ...PageParameters,
  part,
  currency: described(
    Type.Optional(Type.String({ format: 'currency' })),
    'The currency of the payout; by default the first of the ledger.',
  ),
  mode: filters.mode,
})

/** The ledger transactions of a payout, given as a query of their ids and kinds, or those of one part. */
export async function listPartLedgers(
  service: Service,
  caller: Caller,
  paid: RawBuilder<unknown>,
  query: PageQuery & { part?: Static<typeof PartName> },
): Promise<Page<Ledger>> {
  const of_part = query.part
    ? sql`where ${partOf(caller.merchant_id, 'paid.kind', 'paid.id')} = ${query.part}`
    : sql``
  const ids = sql<string>`(select paid.id from (${paid}) as paid ${of_part})`
  return readPage<Ledger>(ledgersOf(service, caller).where('id', 'in', ids), query)
}

/** What `GET /transfers/next` sums in a currency. */
export async function listNextLedgers(
  service: Service,
  caller: Caller,
  query: Static<typeof NextPartQuery>,
): Promise<Page<Ledger>> {
  const scope = await scopeOf(service, caller, query)
  const of = { merchant_id: scope.merchant_id, mode: oneMode(scope) }
  const paid = await nextLedgers(service, of, query.currency?.toUpperCase() ?? null)
  if (!paid) return { items: [], has_more: false }
  return listPartLedgers(service, caller, paid, query)
}
