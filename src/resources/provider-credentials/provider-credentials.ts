import { sql } from 'kysely'
import Type from 'typebox'
import { Value } from 'typebox/value'
import { type Sensitive, sensitive } from '../../core/cards/sensitive.ts'
import type { Credentials, Provider } from '../../providers/provider.ts'
import { newRow, type Service } from '../../service.ts'
import { seal, unseal } from '../../vault/seal.ts'

/** Whose credentials they are: those of a store win over those of its merchant. */
export interface CredentialOwner {
  readonly merchant_id: string
  readonly store_id: string | null
}

const Stored = Type.Record(Type.String(), Type.String())

function contextOf(merchant_id: string, row_id: string) {
  return { table: 'provider_credentials', column: 'credentials', merchant_id, row_id }
}

/** What a merchant or a store signs in to a provider with; null: it needs nothing, or there is nothing. */
export async function credentialsFor(
  service: Service,
  provider: Provider,
  { merchant_id, store_id }: CredentialOwner,
): Promise<Sensitive<Credentials> | null> {
  if (!provider.capabilities.credentials) return null
  const found = await service.db
    .selectFrom('provider_credentials')
    .select(['id', 'credentials'])
    .where('merchant_id', '=', merchant_id)
    .where('provider', '=', provider.name)
    .where((row) => row.or([row('store_id', 'is', null), row('store_id', '=', store_id)]))
    .orderBy(sql`store_id is null`)
    .limit(1)
    .executeTakeFirst()
  if (!found) return null
  const opened = unseal(service.keys.vault, contextOf(merchant_id, found.id), found.credentials)
  return sensitive(Value.Parse(Stored, JSON.parse(opened.toString())))
}

/** Stores credentials, sealed; those of before are replaced. */
export async function setCredentials(
  service: Service,
  provider: string,
  { merchant_id, store_id }: CredentialOwner,
  credentials: Credentials,
): Promise<void> {
  const { id, created_on } = newRow(service)
  const content = Buffer.from(JSON.stringify(credentials))
  const sealed = seal(service.keys.vault, contextOf(merchant_id, id), content)
  const row = { merchant_id, id, store_id, provider, credentials: sealed }
  await service.db
    .insertInto('provider_credentials')
    .values({ ...row, created_on, updated_on: created_on })
    .onConflict((conflict) =>
      conflict
        .columns(['merchant_id', 'provider', 'store_id'])
        // The seal is bound to the row's id.
        .doUpdateSet({ id, credentials: sealed, updated_on: created_on }),
    )
    .execute()
}
