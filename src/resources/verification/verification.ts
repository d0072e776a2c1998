import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import { named } from '../../core/described-schemas.ts'
import { fail } from '../../core/errors.ts'
import { Id, Instant, Label, nullable } from '../../core/schemas.ts'
import { inTransaction, newRow, now, type Service } from '../../service.ts'
import { violatedIndex } from '../../store/open-store.ts'
import type { VerificationTable } from '../../store/tables/transfer-tables.ts'
import { type SealContext, seal, unseal } from '../../vault/seal.ts'

type Verification = Selectable<VerificationTable>

const Digits = Type.String({ pattern: '^\\d{1,15}$' })
const Phone = named(
  'VerificationPhone',
  Type.Object({
    country_code: Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      pattern: '^\\d{1,4}$',
    }),
    local_number: Digits,
  }),
)
const Email = Type.String({ format: 'email' })

const ContactInfo = named(
  'ContactInfo',
  Type.Object({
    name: Label(),
    company_name: Label(),
    phone_number: Phone,
    line1: Label(),
    line2: Type.Optional(nullable(Label())),
    city: Label(),
    state: Label(),
    country: Type.String({ format: 'country' }),
    zip: Label(32),
  }),
)

const required = {
  homepage_url: Type.String({ format: 'url' }),
  company_description: Label(2000),
  company_contact_info: ContactInfo,
  business_type: Label(),
}

const optional = {
  system_manager_name: nullable(Label()),
  system_manager_number: nullable(Phone),
  system_manager_email: nullable(Email),
  customer_contact_email: nullable(Email),
  customer_contact_number: nullable(Phone),
  recurring_token_request: nullable(Type.Enum(['none', 'bounded', 'infinite'])),
  recurring_token_request_reason: nullable(Label(2000)),
  allow_empty_cvv: nullable(Type.Boolean()),
}

export const CreateVerification = named(
  'CreateVerification',
  Type.Object({
    ...required,
    ...Type.Partial(Type.Object(optional)).properties,
  }),
)
type CreateVerification = Static<typeof CreateVerification>

export const PatchVerification = named(
  'UpdateVerification',
  Type.Object({
    ...Type.Partial(CreateVerification).properties,
    company_contact_info: Type.Optional(named('UpdateContactInfo', Type.Partial(ContactInfo))),
  }),
)
type PatchVerification = Static<typeof PatchVerification>

export const VerificationView = named(
  'Verification',
  Type.Object({
    id: Id,
    ...required,
    company_contact_info: named(
      'VerifiedContactInfo',
      Type.Object({
        ...ContactInfo.properties,
        line2: nullable(Type.String()),
      }),
    ),
    ...optional,
    created_on: Instant,
    updated_on: Instant,
  }),
)

type Content = Omit<Static<typeof VerificationView>, 'id' | 'created_on' | 'updated_on'>

/** Only the fields of the schema are stored, and every key is present. */
function contentOf(given: CreateVerification): Content {
  const pick = <T extends object>(from: object, names: T) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, Reflect.get(from, name) ?? null]))
  const contact = pick(given.company_contact_info, ContactInfo.properties)
  return {
    ...pick(given, { ...required, ...optional }),
    company_contact_info: contact,
  } as unknown as Content
}

function contextOf({ merchant_id, id }: Pick<Verification, 'merchant_id' | 'id'>): SealContext {
  return { table: 'verifications', column: 'data', merchant_id, row_id: id }
}

function open(service: Service, row: Verification): Content {
  return JSON.parse(unseal(service.keys.vault, contextOf(row), row.data).toString())
}

export function viewVerification(service: Service, row: Verification) {
  const { id, created_on, updated_on } = row
  const at = { created_on: created_on.toISOString(), updated_on: updated_on.toISOString() }
  return { id, ...open(service, row), ...at }
}

function verificationsOf(service: Service, merchant_id: string) {
  return service.db.selectFrom('verifications').selectAll().where('merchant_id', '=', merchant_id)
}

export async function getVerification(
  service: Service,
  merchant_id: string,
): Promise<Verification> {
  const found = await verificationsOf(service, merchant_id).executeTakeFirst()
  return found ?? fail('NOT_FOUND')
}

/** A merchant has one; later changes are patches. */
export async function createVerification(
  service: Service,
  merchant_id: string,
  body: CreateVerification,
): Promise<Verification> {
  return inTransaction(service, async (tx) => {
    const { id, created_on } = newRow(tx)
    const data = seal(
      tx.keys.vault,
      contextOf({ merchant_id, id }),
      JSON.stringify(contentOf(body)),
    )
    const made = await tx.db
      .insertInto('verifications')
      .values({ merchant_id, id, data, created_on, updated_on: created_on })
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch((error) => {
        if (violatedIndex(error) === 'verifications_by_merchant') fail('VERIFICATION_EXISTS')
        throw error
      })
    await tx.db
      .updateTable('merchants')
      .set({ verification_data_id: id })
      .where('id', '=', merchant_id)
      .execute()
    return made
  })
}

/** Given keys replace the old values; the address is merged key by key. */
export async function patchVerification(
  service: Service,
  merchant_id: string,
  patch: PatchVerification,
): Promise<Verification> {
  return inTransaction(service, async (tx) => {
    const row = await verificationsOf(tx, merchant_id).forUpdate().executeTakeFirst()
    if (!row) fail('NOT_FOUND')
    const before = open(tx, row)
    const contact = { ...before.company_contact_info, ...patch.company_contact_info }
    const after = contentOf({ ...before, ...patch, company_contact_info: contact })
    return tx.db
      .updateTable('verifications')
      .set({
        data: seal(tx.keys.vault, contextOf(row), JSON.stringify(after)),
        updated_on: now(tx),
      })
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}
