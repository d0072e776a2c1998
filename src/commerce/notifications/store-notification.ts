import { sql } from 'kysely'
import type { Mode } from '../../core/access/caller.ts'
import { atTimeOf, newRow, type Service, type Transacting } from '../../service.ts'

/** The charge or token that a notification is about. */
export interface NotifiedResource {
  readonly merchant_id: string
  readonly mode: Mode
  readonly resource_type: 'charge' | 'transaction_token'
  readonly resource_id: string
}

/** Stores a hint of a provider; the worker follows it when the transaction has committed. */
export async function storeNotification(
  base: Transacting,
  { merchant_id, mode, resource_type, resource_id }: NotifiedResource,
): Promise<void> {
  const tx = atTimeOf(base, { merchant_id, mode })
  const { id, created_on } = newRow(tx)
  await tx.db
    .insertInto('provider_notifications')
    .values({
      merchant_id,
      id,
      mode,
      resource_type,
      resource_id,
      created_on,
      due_on: created_on,
    })
    // One that waits for a worker says the same.
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'resource_id']).where(sql<boolean>`claims = 0`).doNothing(),
    )
    .execute()
  tx.afterCommit(() => tx.signals.broadcast('work', 'provider_notifications'))
}

/** The object that a hint names, if it exists and was sent to one of these providers. */
export async function findNotified(
  service: Service,
  providers: readonly string[],
  { merchant_id, resource_type, resource_id }: Omit<NotifiedResource, 'mode'>,
): Promise<NotifiedResource | null> {
  const found =
    resource_type === 'charge'
      ? await service.db
          .selectFrom('charges')
          .select('mode')
          .where('merchant_id', '=', merchant_id)
          .where('id', '=', resource_id)
          // A charge of the release before names no provider.
          .where((row) => row.or([row('provider', 'in', providers), row('provider', 'is', null)]))
          .executeTakeFirst()
      : await service.db
          .selectFrom('transaction_tokens')
          .select('mode')
          .where('merchant_id', '=', merchant_id)
          .where('id', '=', resource_id)
          .where(sql`authentication ->> 'provider'`, 'in', providers)
          .executeTakeFirst()
  return found ? { merchant_id, mode: found.mode, resource_type, resource_id } : null
}

/** A name is one payment's; merchants with accounts of their own may have the same. */
const max_namesakes = 10

/** The payments that have this name at their provider, of one merchant or of all. */
export async function findByProviderReference(
  service: Service,
  providers: readonly string[],
  provider_reference: string,
  merchant_id: string | null,
): Promise<NotifiedResource[]> {
  const named = sql`provider = any(${providers}) and provider_reference = ${provider_reference}
    and (${merchant_id}::uuid is null or merchant_id = ${merchant_id}::uuid)`
  // Each half has an index with its conditions.
  const { rows: operations } = await sql<{ merchant_id: string; charge_id: string }>`
    (select distinct merchant_id, charge_id from provider_operations
      where ${named} and outcome in ('waiting', 'unknown') limit ${max_namesakes})
    union
    (select distinct merchant_id, charge_id from provider_operations
      where ${named} and kind = 'authorize' and outcome = 'approved'
        and provider not in ('card_simulator', 'customer_simulator') limit ${max_namesakes})
  `.execute(service.db)
  const found = await Promise.all(
    operations.flatMap(({ merchant_id: owner, charge_id: resource_id }) =>
      (['charge', 'transaction_token'] as const).map((resource_type) =>
        findNotified(service, providers, { merchant_id: owner, resource_type, resource_id }),
      ),
    ),
  )
  return found.filter((one) => one !== null)
}
