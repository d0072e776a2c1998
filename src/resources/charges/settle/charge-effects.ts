import { emit, type NewEvent } from '../../../events/emit.ts'
import type { EventName } from '../../../events/event-names.ts'
import type { Service, Transacting } from '../../../service.ts'
import { followCheckoutCharge } from '../../checkout/follow-checkout-charge.ts'
import { sendBackHeld } from '../../deposits/send-back.ts'
import { followCharge } from '../../subscriptions/follow-charge.ts'
import { finishCvvCheck } from '../../tokens/verify/cvv-authorization.ts'
import { type Charge, viewCharge } from '../charge.ts'
import { showInToken } from '../customer/issuer-token.ts'
import { purgeCard } from './purge-card.ts'

type Status = Charge['status']

/** What the new state of a charge causes beside its own row and the ledger. */
interface ChargeEffect {
  applies(charge: Charge, status: Status): boolean
  run(tx: Transacting, settled: Charge): Promise<unknown>
  /** The statement that settles charges does this itself when no other effect applies. */
  readonly in_statement?: true
}

/** The end of a charge without any money for the merchant. */
const unpaid_ends: readonly Status[] = ['failed', 'error', 'canceled']

/** In the order in which they lock rows: the subscription before the token, as everywhere. */
const charge_effects = {
  subscription: {
    applies: ({ subscription_id }) => subscription_id !== null,
    run: followCharge,
  },
  customer_instructions: {
    applies: (_, status) => status === 'awaiting',
    run: showInToken,
  },
  card_purge: {
    applies: (_, status) => status !== 'awaiting',
    run: purgeCard,
    in_statement: true,
  },
  cvv_check: {
    applies: ({ type }) => type === 'cvv_auth',
    run: finishCvvCheck,
  },
  deposits: {
    applies: ({ match_amount }, status) => match_amount !== null && unpaid_ends.includes(status),
    run: (tx, settled) =>
      sendBackHeld(tx, settled, settled.status === 'canceled' ? 'canceled' : 'expired'),
  },
  event: {
    applies: () => true,
    run: (tx, settled) => emit(tx, ...chargeEvent(tx, settled)),
    in_statement: true,
  },
  checkout: {
    applies: ({ checkout_session_id }) => checkout_session_id !== null,
    run: followCheckoutCharge,
  },
} as const satisfies Record<string, ChargeEffect>

const effects: readonly ChargeEffect[] = Object.values(charge_effects)

/** Whether a new state causes anything that the statement does not do itself. */
export function needsTransaction(charge: Charge, status: Status): boolean {
  return effects.some(({ in_statement, applies }) => !in_statement && applies(charge, status))
}

export async function runEffects(tx: Transacting, settled: Charge): Promise<void> {
  for (const { applies, run } of effects) {
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
