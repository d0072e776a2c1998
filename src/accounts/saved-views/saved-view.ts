import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, Label, PageOf } from '../../core/api/schemas.ts'
import { inTransaction, newRow, now, type Service } from '../../service.ts'
import { listRows } from '../../store/sql/reads/list-rows.ts'
import { type PageQuery, viewPage } from '../../store/sql/reads/page.ts'
import type { SavedViewTable } from '../../store/tables/accounts/console-tables.ts'

type SavedView = Selectable<SavedViewTable>

const max_views = 50
const ViewFilters = named(
  'ViewFilters',
  Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), { maxProperties: 50 }),
  'Parameters of a list and their values.',
)
const fields = {
  name: described(Label(80), 'The name that the user gave it.'),
  list: described(Label(40), 'The list that it is a view of, such as `transaction_history`.'),
  filters: described(ViewFilters, 'The parameters of the list, by their names.'),
  columns: described(
    Type.Array(Label(64), { maxItems: 60 }),
    'The columns that are shown, in their order; empty for the default ones.',
  ),
}
export const CreateView = named(
  'CreateSavedView',
  Type.Object({
    name: fields.name,
    list: fields.list,
    filters: Type.Optional(fields.filters),
    columns: Type.Optional(fields.columns),
  }),
  'A new view of a list.',
)
type CreateView = Static<typeof CreateView>
export const PatchView = named(
  'UpdateSavedView',
  Type.Partial(Type.Object(fields)),
  'Changes to a view. What is absent stays as it is.',
)
type PatchView = Static<typeof PatchView>

export const SavedViewShape = named(
  'SavedView',
  Type.Object({
    id: described(Id, 'The id of the view.'),
    ...fields,
    created_on: common.created_on,
    updated_on: common.updated_on,
  }),
  'A view of a list that a user has saved: filters and columns under a name.',
)
export const SavedViewPage = PageOf(SavedViewShape)

export function showView({ id, name, list, filters, columns, created_on, updated_on }: SavedView) {
  return {
    ...{ id, name, list, filters, columns },
    created_on: created_on.toISOString(),
    updated_on: updated_on.toISOString(),
  }
}

function ownerOf({ merchant_id, user }: Caller) {
  return user ? { merchant_id, user_id: user.id } : fail('INVALID_PERMISSIONS')
}

export async function listViews(service: Service, caller: Caller, page: PageQuery) {
  return viewPage(await listRows(service, 'saved_views', ownerOf(caller), page), showView)
}

/** The row of the user is locked, so that views are counted one after the other. */
export async function createView(service: Service, caller: Caller, body: CreateView) {
  const { merchant_id, user_id } = ownerOf(caller)
  const { name, list, filters = {}, columns = [] } = body
  return inTransaction(service, async (tx) => {
    const { db } = tx
    await db
      .selectFrom('users')
      .select('id')
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', user_id)
      .forNoKeyUpdate()
      .execute()
    const { count } = await db
      .selectFrom('saved_views')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('merchant_id', '=', merchant_id)
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
    if (Number(count) >= max_views) {
      const message = `A user can have at most ${max_views} views; delete one first.`
      fail('RESOURCE_LIMIT_REACHED', { message })
    }
    const { id, created_on } = newRow(tx)
    const row = { merchant_id, id, user_id, name, list, columns, created_on }
    const created = await db
      .insertInto('saved_views')
      .values({ ...row, filters: JSON.stringify(filters), updated_on: created_on })
      .returningAll()
      .executeTakeFirstOrThrow()
    return showView(created)
  })
}

export async function patchView(service: Service, caller: Caller, id: string, body: PatchView) {
  const { merchant_id, user_id } = ownerOf(caller)
  // By their names: a body may have other fields.
  const { name, filters, columns } = body
  const changed = await service.db
    .updateTable('saved_views')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(filters ? { filters: JSON.stringify(filters) } : {}),
      ...(columns ? { columns } : {}),
      updated_on: now(service),
    })
    .where('merchant_id', '=', merchant_id)
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return changed ? showView(changed) : fail('NOT_FOUND')
}

export async function deleteView(service: Service, caller: Caller, id: string): Promise<void> {
  const { merchant_id, user_id } = ownerOf(caller)
  const deleted = await service.db
    .deleteFrom('saved_views')
    .where('merchant_id', '=', merchant_id)
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) fail('NOT_FOUND')
}
