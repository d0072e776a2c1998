import { inTransaction, newRow, type Service } from '../../service.ts'
import type { Merchant } from './merchant.ts'

export interface NewMerchant {
  name: string
  email: string
  verified?: boolean
  demo?: boolean
}

/** The operator creates merchants; there is no route for it. */
export async function createMerchant(service: Service, wanted: NewMerchant): Promise<Merchant> {
  return inTransaction(service, async (tx) => {
    const { id, created_on } = newRow(tx)
    return tx.db
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
  })
}
