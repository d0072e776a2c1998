import { inTransaction, newRow, type Service } from '../../service.ts'
import type { RemovableKind } from '../../store/tables/accounts/user-tables.ts'
import type { Merchant } from './merchant.ts'

export interface NewMerchant {
  name: string
  email: string
  verified?: boolean
  demo?: boolean
  /** It exists for demonstration, and may be removed as a whole. */
  removable_as?: RemovableKind
}

/** The operator creates merchants; there is no route for it. */
export async function createMerchant(service: Service, wanted: NewMerchant): Promise<Merchant> {
  return inTransaction(service, async (tx) => {
    const { id, created_on } = newRow(tx)
    const merchant = await tx.db
      .insertInto('merchants')
      .values({
        id,
        name: wanted.name,
        email: wanted.email,
        notification_email: null,
        finance_notification_email: null,
        verified: wanted.verified ?? false,
        demo: wanted.demo ?? false,
        configuration: JSON.stringify({}),
        created_on,
        updated_on: created_on,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (wanted.removable_as) {
      const mark = { merchant_id: id, kind: wanted.removable_as, created_on }
      await tx.db.insertInto('removable_merchants').values(mark).execute()
    }
    return merchant
  })
}
