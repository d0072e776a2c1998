import { sql } from 'kysely'
import Type from 'typebox'
import { Value } from 'typebox/value'
import { type Sensitive, sensitive } from '../../core/cards/sensitive.ts'
import { derivedId, installation_id } from '../../core/ids.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Credentials } from '../../providers/provider-operations.ts'
import { announce, inTransaction, newRow, type Service } from '../../service.ts'
import type { Charge } from '../../store/tables/rows.ts'
import { seal, unseal } from '../../vault/seal.ts'
import { newRoutingCache } from './routing-cache.ts'

/** Whose credentials they are: a store's win over its merchant's, and these over the installation's. */
export interface CredentialOwner {
  readonly merchant_id: string
  readonly store_id: string | null
}

const Stored = Type.Record(Type.String(), Type.String())

function contextOf(merchant_id: string, row_id: string) {
  return { table: 'provider_credentials', column: 'credentials', merchant_id, row_id }
}

/** The credentials for a new payment; null if neither its merchant nor the installation has any. */
export async function findCredentials(
  { db, providers }: Service,
  provider: Provider,
  { merchant_id, store_id }: CredentialOwner,
): Promise<string | null> {
  const found = await db
    .selectFrom('provider_credentials')
    .select('id')
    .where('merchant_id', '=', merchant_id)
    .where('provider', '=', provider.name)
    .where((row) => row.or([row('store_id', 'is', null), row('store_id', '=', store_id)]))
    .orderBy(sql`store_id is null`)
    .limit(1)
    .executeTakeFirst()
  if (found) return found.id
  const connector = providers.connectors.get(provider.name)
  return connector?.has_settings ? connector.id : null
}

const cached = newRoutingCache<Sensitive<Credentials>>()

/** The credentials that a payment was made with, used for its follow-ups; null if its provider needs none. */
export async function credentialsFor(
  service: Service,
  provider: Provider,
  { merchant_id, provider_credentials_id: id }: Pick<Charge, 'merchant_id' | CredentialsColumn>,
): Promise<Sensitive<Credentials> | null> {
  if (!provider.capabilities.credentials) return null
  return cached(service, merchant_id, `${merchant_id} ${provider.name} ${id}`, async () => {
    const is_own = id === null || id !== service.providers.connectors.get(provider.name)?.id
    const settings = is_own ? null : await openInstallationSettings(service, provider.name)
    if (settings) return settings
    const [found] = id ? await openCredentials(service, provider, merchant_id, id) : []
    if (found) return found
    // The work is tried again when its claim ends: they may be stored by then.
    throw new Error(`The merchant ${merchant_id} has no credentials for ${provider.name}.`)
  })
}

type CredentialsColumn = 'provider_credentials_id'

/** All that a merchant and its stores have at a provider, or one of them. */
export async function openCredentials(
  service: Service,
  provider: Provider,
  merchant_id: string,
  id?: string,
): Promise<Sensitive<Credentials>[]> {
  let found = service.db
    .selectFrom('provider_credentials')
    .select(['id', 'credentials'])
    .where('merchant_id', '=', merchant_id)
    .where('provider', '=', provider.name)
    .orderBy('id')
  if (id) found = found.where('id', '=', id)
  return (await found.execute()).map((row) => {
    const opened = unseal(service.keys.vault, contextOf(merchant_id, row.id), row.credentials)
    return sensitive(Value.Parse(Stored, JSON.parse(opened.toString())))
  })
}

/** All that merchants and stores have at a provider. */
export async function openAllCredentials(
  service: Service,
  provider: Provider,
): Promise<Sensitive<Credentials>[]> {
  const owners = await service.db
    .selectFrom('provider_credentials')
    .select('merchant_id')
    .distinct()
    .where('provider', '=', provider.name)
    .orderBy('merchant_id')
    .execute()
  const opened: Sensitive<Credentials>[] = []
  for (const { merchant_id } of owners) {
    opened.push(...(await openCredentials(service, provider, merchant_id)))
  }
  return opened
}

/** The credentials of the installation at a connector; null if there are none. */
export async function openInstallationSettings(
  { db, keys }: Service,
  name: string,
): Promise<Sensitive<Credentials> | null> {
  const found = await db
    .selectFrom('connectors')
    .select(['id', 'settings'])
    .where('name', '=', name)
    .executeTakeFirst()
  if (!found?.settings) return null
  const opened = unseal(keys.vault, settingsContext(found.id), found.settings)
  return sensitive(Value.Parse(Stored, JSON.parse(opened.toString())))
}

export function settingsContext(row_id: string) {
  return { table: 'connectors', column: 'settings', merchant_id: installation_id, row_id }
}

/**
 * Stores credentials, sealed, and returns their id. They replace the previous ones, also for payments that
 * refer to those.
 */
export async function setCredentials(
  service: Service,
  provider: string,
  { merchant_id, store_id }: CredentialOwner,
  credentials: Credentials,
): Promise<string> {
  const { created_on } = newRow(service)
  // The seal is bound to the row's id, which stays the same.
  const id = derivedId(merchant_id, `credentials of ${store_id} for ${provider}`)
  const content = Buffer.from(JSON.stringify(credentials))
  const sealed = seal(service.keys.vault, contextOf(merchant_id, id), content)
  const row = { merchant_id, id, store_id, provider, credentials: sealed }
  await inTransaction(service, async (tx) => {
    await tx.db
      .insertInto('provider_credentials')
      .values({ ...row, created_on, updated_on: created_on })
      .onConflict((conflict) =>
        conflict
          .columns(['merchant_id', 'provider', 'store_id'])
          .doUpdateSet({ id, credentials: sealed, updated_on: created_on }),
      )
      .execute()
    await announce(tx, 'routing', merchant_id)
  })
  return id
}
