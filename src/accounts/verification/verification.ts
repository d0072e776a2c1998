import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, Label, nullable } from '../../core/api/schemas.ts'
import { typedDigits } from '../../core/typed/typed-digits.ts'
import { inTransaction, newRow, now, type Service } from '../../service.ts'
import { violatedIndex } from '../../store/sql/statements/database-errors.ts'
import type { VerificationTable } from '../../store/tables/commerce/transfer-tables.ts'
import { type SealContext, seal, unseal } from '../../vault/seal.ts'

type Verification = Selectable<VerificationTable>

const Digits = typedDigits(Type.String({ pattern: '^\\d{1,15}$' }))
const Phone = named(
  'VerificationPhone',
  Type.Object({
    country_code: described(
      typedDigits(
        Type.Unsafe<string | number>({
          type: ['string', 'integer'],
          pattern: '^\\d{1,4}$',
        }),
      ),
      'The country code in digits, such as 81.',
    ),
    local_number: described(Digits, 'The number in the country, in digits.'),
  }),
  'A phone number.',
)
const Email = Type.String({ format: 'email' })

const ContactInfo = named(
  'ContactInfo',
  Type.Object({
    name: described(Label(), 'The name of the person to contact.'),
    company_name: described(Label(), 'The name of the company.'),
    phone_number: described(Phone, 'The phone number of the company.'),
    line1: described(Label(), 'The first line of the address.'),
    line2: described(Type.Optional(nullable(Label())), 'The second line of the address.'),
    city: described(Label(), 'The city.'),
    state: described(Label(), 'The state or prefecture.'),
    country: described(
      Type.String({ format: 'country' }),
      'The country, as an ISO-3166 code of two letters.',
    ),
    zip: described(typedDigits(Label(32)), 'The postal code.'),
  }),
  'The address of a company.',
)

const required = {
  homepage_url: described(Type.String({ format: 'url' }), 'The homepage of the company.'),
  company_description: described(Label(2000), "The company's business, at most 2,000 characters."),
  company_contact_info: described(ContactInfo, 'The address of the company.'),
  business_type: described(Label(), 'The kind of business.'),
}

const optional = {
  system_manager_name: described(
    nullable(Label()),
    'The name of the system manager; null if not given.',
  ),
  system_manager_number: described(
    nullable(Phone),
    'The phone number of the system manager; null if not given.',
  ),
  system_manager_email: described(
    nullable(Email),
    'The e-mail of the system manager; null if not given.',
  ),
  customer_contact_email: described(
    nullable(Email),
    'The e-mail for customers; null if not given.',
  ),
  customer_contact_number: described(
    nullable(Phone),
    'The phone number for customers; null if not given.',
  ),
  recurring_token_request: described(
    nullable(Type.Enum(['none', 'bounded', 'infinite'])),
    'The recurring tokens that the merchant wants to create: none, only with a ' +
      '`usage_limit`, or all.',
  ),
  recurring_token_request_reason: described(
    nullable(Label(2000)),
    'The reason for this request; null if not given.',
  ),
  allow_empty_cvv: described(
    nullable(Type.Boolean()),
    'Whether the merchant wants to create card tokens without a security code; null if not given.',
  ),
}

export const CreateVerification = named(
  'CreateVerification',
  Type.Object({
    ...required,
    ...Type.Partial(Type.Object(optional)).properties,
  }),
  'The facts about a merchant that an operator checks before allowing live mode.',
)
type CreateVerification = Static<typeof CreateVerification>

export const PatchVerification = named(
  'UpdateVerification',
  Type.Object({
    ...Type.Partial(CreateVerification).properties,
    company_contact_info: described(
      Type.Optional(
        named(
          'UpdateContactInfo',
          Type.Partial(ContactInfo),
          'Changes to the address of the company.',
        ),
      ),
      'Changes to the address of the company.',
    ),
  }),
  'Changes to the verification. Absent fields stay unchanged.',
)
type PatchVerification = Static<typeof PatchVerification>

export const VerificationView = named(
  'Verification',
  Type.Object({
    id: described(Id, 'The id of the verification.'),
    ...required,
    company_contact_info: described(
      named(
        'VerifiedContactInfo',
        Type.Object({
          ...ContactInfo.properties,
          line2: described(
            nullable(Type.String()),
            'The second line of the address; null without one.',
          ),
        }),
        'The address of a company.',
      ),
      'The address of the company.',
    ),
    ...optional,
    created_on: common.created_on,
    updated_on: common.updated_on,
  }),
  "A merchant's application for live mode.",
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
    const created = await tx.db
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
    return created
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
