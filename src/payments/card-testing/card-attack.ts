import Type from 'typebox'
import type { Mode } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { Id } from '../../core/api/schemas.ts'
import { hour_ms } from '../../core/time/clock.ts'
import { emit } from '../../events/emit.ts'
import { inTransaction, newRow, type Service } from '../../service.ts'

export const CheckoutAttackView = named(
  'CheckoutAttack',
  Type.Object({
    id: described(Id, 'The id of this record.'),
    merchant_id: common.merchant_id,
    store_id: common.store_id,
    mode: common.mode,
    created_on: described(
      common.created_on,
      'The time of the first refused or challenged attempt.',
    ),
  }),
  'Card testing at a store: attempts were refused or challenged during one hour.',
)

/** The shop at which cards are tried. */
export interface TestedShop {
  readonly merchant_id: string
  readonly store_id: string
  readonly mode: Mode
}

/** Noted by this process already: the table decides, this only spares it. */
const noted = new Set<string>()
const max_noted = 10_000

/** Notes that a store is being attacked, once an hour, with an event. */
export async function noteAttack(
  service: Service,
  { merchant_id, store_id, mode }: TestedShop,
): Promise<void> {
  const { id, created_on } = newRow(service)
  const hour = new Date(Math.floor(created_on.getTime() / hour_ms) * hour_ms)
  const key = `${store_id} ${mode} ${hour.getTime()}`
  if (noted.has(key)) return
  if (noted.size >= max_noted) noted.clear()
  noted.add(key)
  service.log.warn(
    { merchant_id, store_id, mode },
    'possible card testing: many cards are declined in a short time',
  )
  await inTransaction(service, async (tx) => {
    const attack = { merchant_id, id, store_id, mode, created_on }
    const inserted = await tx.db
      .insertInto('checkout_attacks')
      .values({ ...attack, hour })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!inserted) return
    const data = { ...attack, created_on: created_on.toISOString() }
    await emit(tx, 'checkout_attacked', { merchant_id, store_id, mode, resource_id: id, data })
  })
}
