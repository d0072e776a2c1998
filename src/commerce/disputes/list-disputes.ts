import Type, { type Static } from 'typebox'
import { idRange } from '../../accounts/stores/list-scope.ts'
import type { Caller } from '../../core/access/caller.ts'
import { filters } from '../../core/api/common-fields.ts'
import { described } from '../../core/api/described-schemas.ts'
import { Id, PageParameters } from '../../core/api/schemas.ts'
import { dispute_reasons } from '../../core/payments/disputes.ts'
import { statesOf } from '../../core/payments/states.ts'
import type { Service } from '../../service.ts'
import { listRows } from '../../store/sql/reads/list-rows.ts'
import type { Page } from '../../store/sql/reads/page.ts'
import type { Dispute } from './dispute.ts'

export const ListDisputes = Type.Object({
  ...PageParameters,
  status: described(Type.Optional(Type.Enum(statesOf('dispute'))), 'Only those with this status.'),
  reason: described(Type.Optional(Type.Enum([...dispute_reasons])), 'Only those with this reason.'),
  charge_id: described(Type.Optional(Id), 'Only those of this charge.'),
  mode: filters.mode,
  from: filters.from,
  to: filters.to,
})
type ListDisputes = Static<typeof ListDisputes>

export async function listDisputes(
  service: Service,
  caller: Caller,
  store_id: string | null,
  filter: ListDisputes,
): Promise<Page<Dispute>> {
  const { merchant_id, mode: of_caller } = caller
  const { status, reason, charge_id, mode } = filter
  const wanted = { status, reason, charge_id, mode, ...idRange(filter) }
  return listRows(service, 'disputes', { merchant_id, store_id, mode: of_caller }, filter, wanted)
}
