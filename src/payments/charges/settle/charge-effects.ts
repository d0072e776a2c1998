import { emit, type NewEvent } from '../../../events/emit.ts'
import type { EventName } from '../../../events/event-names.ts'
import type { ChargeEffect, Service, Transacting } from '../../../service.ts'
import { type Charge, viewCharge } from '../charge.ts'
import { showInToken } from '../customer/issuer-token.ts'
import { purgeCard } from './purge-card.ts'

export const customer_instructions: ChargeEffect = {
  applies: (_, status) => status === 'awaiting',
  run: showInToken,
}

export const card_purge: ChargeEffect = {
  applies: (_, status) => status !== 'awaiting',
  run: purgeCard,
  in_statement: true,
}

export const charge_event: ChargeEffect = {
  applies: () => true,
  run: (tx, settled) => emit(tx, ...chargeEvent(tx, settled)),
  in_statement: true,
}

/** Whether a new state causes anything that the statement does not do itself. */
export function needsTransaction(
  { effects }: Service,
  charge: Charge,
  status: Charge['status'],
): boolean {
  return effects.charge.some(
    ({ in_statement, applies }) => !in_statement && applies(charge, status),
  )
}

export async function runEffects(tx: Transacting, settled: Charge): Promise<void> {
  for (const { applies, run } of tx.effects.charge) {
    if (applies(settled, settled.status)) await run(tx, settled)
  }
}

export function chargeEvent(service: Service, charge: Charge): [EventName, NewEvent] {
  const { merchant_id, store_id, mode, id, status } = charge
  const between = status === 'awaiting' || status === 'authorized'
  const data = viewCharge(service, charge)
  return [
    between ? 'charge_updated' : 'charge_finished',
    { merchant_id, store_id, mode, resource_id: id, data },
  ]
}
