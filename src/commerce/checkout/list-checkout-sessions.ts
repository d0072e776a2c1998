import Type, { type Static } from 'typebox'
import { idRange } from '../../accounts/stores/list-scope.ts'
import type { Caller } from '../../core/access/caller.ts'
import { filters } from '../../core/api/common-fields.ts'
import { described } from '../../core/api/described-schemas.ts'
import { Id, PageParameters } from '../../core/api/schemas.ts'
import { statesOf } from '../../core/payments/states.ts'
import type { Service } from '../../service.ts'
import { listRows } from '../../store/sql/reads/list-rows.ts'
import type { Page } from '../../store/sql/reads/page.ts'
import type { CheckoutSession } from './checkout-session.ts'

export const ListCheckoutSessions = Type.Object({
  ...PageParameters,
  status: described(
    Type.Optional(Type.Enum(statesOf('checkout_session'))),
    'Only those with this status.',
  ),
  payment_link_id: described(Type.Optional(Id), 'Only those of this payment link.'),
  mode: filters.mode,
  from: filters.from,
  to: filters.to,
})
type ListCheckoutSessions = Static<typeof ListCheckoutSessions>

export async function listCheckoutSessions(
  service: Service,
  caller: Caller,
  store_id: string | null,
  filter: ListCheckoutSessions,
): Promise<Page<CheckoutSession>> {
  const { merchant_id, mode: of_caller } = caller
  const { status, payment_link_id, mode } = filter
  const known = { merchant_id, store_id, mode: of_caller }
  const wanted = { status, payment_link_id, mode, ...idRange(filter) }
  return listRows(service, 'checkout_sessions', known, filter, wanted)
}
