import Type, { type Static } from 'typebox'
import { idRange } from '../../accounts/stores/list-scope.ts'
import type { Caller } from '../../core/access/caller.ts'
import { filters } from '../../core/api/common-fields.ts'
import { described } from '../../core/api/described-schemas.ts'
import { Id, PageParameters } from '../../core/api/schemas.ts'
import { dispute_reasons } from '../../core/payments/disputes.ts'
import { statesOf } from '../../core/payments/states.ts'
import type { Service } from '../../service.ts'
import { type Page, readPage } from '../../store/sql/page.ts'
import { type Dispute, disputesOf } from './dispute.ts'

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
  const { status, reason, charge_id, mode } = filter
  const { from, to } = idRange(filter)
  let disputes = disputesOf(service, caller)
  if (store_id) disputes = disputes.where('store_id', '=', store_id)
  if (status) disputes = disputes.where('status', '=', status)
  if (reason) disputes = disputes.where('reason', '=', reason)
  if (charge_id) disputes = disputes.where('charge_id', '=', charge_id)
  if (mode) disputes = disputes.where('mode', '=', mode)
  if (from) disputes = disputes.where('id', '>=', from)
  if (to) disputes = disputes.where('id', '<', to)
  return readPage<Dispute>(disputes, filter)
}
