import { sql } from 'kysely'
import type { Charge } from '../../payments/charges/charge.ts'
import type { Token } from '../../payments/tokens/token.ts'
import { inTransaction, type Service } from '../../service.ts'
import { storeNotification } from './store-notification.ts'

type Returned =
  | { readonly kind: 'charge'; readonly charge: Charge }
  | { readonly kind: 'token'; readonly token: Token }

const max_fields = 32
const max_length = 8000

/** The parameters that a returning customer brings, within bounds: they are untrusted. */
function readReturned(given: object): Record<string, string> {
  const texts = Object.entries(given).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && entry[0].length <= 64 && isStorable(entry.join('')),
  )
  return Object.fromEntries(texts.slice(0, max_fields))
}

function isStorable(text: string): boolean {
  return text.length <= max_length && !text.includes('\u0000') && text.isWellFormed()
}

/** Keeps what the customer brought along for the provider, and has the worker ask the provider. */
export async function returnCustomer(
  service: Service,
  subject: Returned,
  given: object,
): Promise<void> {
  const returned = readReturned(given)
  // A customer who brings nothing along says only that they are back.
  const returned_with = Object.keys(returned).length > 0 ? JSON.stringify(returned) : null
  await inTransaction(service, async (tx) => {
    if (subject.kind === 'charge') {
      const { merchant_id, id, mode } = subject.charge
      if (returned_with) {
        await tx.db
          .updateTable('charges')
          .set({ returned_with })
          .where('merchant_id', '=', merchant_id)
          .where('id', '=', id)
          .where('status', '=', 'awaiting')
          .execute()
      }
      return storeNotification(tx, { merchant_id, mode, resource_type: 'charge', resource_id: id })
    }
    const { merchant_id, id, mode } = subject.token
    await tx.db
      .updateTable('transaction_tokens')
      .set({
        authentication: sql<string>`coalesce(authentication, '{}')
          || jsonb_build_object('returned_with', ${returned_with}::jsonb)`,
      })
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', id)
      .where('three_ds_expires_on', 'is not', null)
      .execute()
    const resource_type = 'transaction_token'
    await storeNotification(tx, { merchant_id, mode, resource_type, resource_id: id })
  })
}
