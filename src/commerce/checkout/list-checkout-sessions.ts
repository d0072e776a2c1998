import Type, { type Static } from 'typebox'
import { idRange } from '../../accounts/stores/list-scope.ts'
import type { Caller } from '../../core/access/caller.ts'
import { filters } from '../../core/api/common-fields.ts'
import { described } from '../../core/api/described-schemas.ts'
import { Id, PageParameters } from '../../core/api/schemas.ts'
import { statesOf } from '../../core/payments/states.ts'
import type { Service } from '../../service.ts'
import { type Page, readPage } from '../../store/sql/page.ts'
import { type CheckoutSession, sessionsOf } from './checkout-session.ts'

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
  const { status, payment_link_id, mode } = filter
  const { from, to } = idRange(filter)
  let sessions = sessionsOf(service, caller)
  if (store_id) sessions = sessions.where('store_id', '=', store_id)
  if (status) sessions = sessions.where('status', '=', status)
  if (payment_link_id) sessions = sessions.where('payment_link_id', '=', payment_link_id)
  if (mode) sessions = sessions.where('mode', '=', mode)
  if (from) sessions = sessions.where('id', '>=', from)
  if (to) sessions = sessions.where('id', '<', to)
  return readPage<CheckoutSession>(sessions, filter)
}
