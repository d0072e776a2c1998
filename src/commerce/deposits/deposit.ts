import type { Selectable } from 'kysely'
import type { Charge } from '../../payments/charges/charge.ts'
import type { Service } from '../../service.ts'
import type { DepositTable } from '../../store/tables/commerce/deposit-tables.ts'

export type Deposit = Selectable<DepositTable>

/** The sum of the deposits that are held for the charge. */
export async function heldAmount(service: Service, { merchant_id, id }: Charge): Promise<number> {
  const rows = await service.db
    .selectFrom('deposits')
    .select('amount')
    .where('merchant_id', '=', merchant_id)
    .where('charge_id', '=', id)
    .where('status', '=', 'held')
    .execute()
  return rows.reduce((sum, { amount }) => sum + amount, 0)
}

/** All deposits of the charge, in the order of their arrival. */
export async function depositsOf(
  service: Service,
  { merchant_id, id }: Charge,
): Promise<Deposit[]> {
  return service.db
    .selectFrom('deposits')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('charge_id', '=', id)
    .orderBy('id')
    .execute()
}
