import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { Id, Label, PageOf } from '../../core/api/schemas.ts'
import { customs_places } from '../../core/payments/customs.ts'
import { statesOf } from '../../core/payments/states.ts'
import { ChargeErrorView } from '../../methods/pieces/shown-pieces.ts'
import type { ChargePath } from '../../payments/charges/charge.ts'
import type { Service } from '../../service.ts'
import { requireRow } from '../../store/sql/reads/find-row.ts'
import type {
  CustomsAttemptTable,
  CustomsDeclarationTable,
} from '../../store/tables/commerce/customs-tables.ts'
import { type SealContext, seal, unseal } from '../../vault/seal.ts'

export type CustomsDeclaration = Selectable<CustomsDeclarationTable>
export type CustomsAttempt = Selectable<CustomsAttemptTable>

export const Declaration = named(
  'CustomsDeclarationInput',
  Type.Object({
    customs: described(Type.Enum([...customs_places]), 'The customs office.'),
    merchant_customs_no: described(Label(), 'Your number at the customs office.'),
    certificate_id: described(
      Label(),
      'The number on the certificate of the customer. It is stored encrypted.',
    ),
    certificate_name: described(
      Label(),
      'The name on the certificate of the customer. It is stored encrypted.',
    ),
  }),
  'What is declared.',
)
export type Declaration = Static<typeof Declaration>

/** The place cannot be changed; sent unchanged, as part of the whole, it is accepted. */
export const DeclarationChange = named(
  'CustomsDeclarationChange',
  Type.Object({
    merchant_customs_no: described(Type.Optional(Label()), 'Your number at the customs office.'),
    certificate_id: described(
      Type.Optional(Label()),
      'The number on the certificate of the customer. It is stored encrypted.',
    ),
    certificate_name: described(
      Type.Optional(Label()),
      'The name on the certificate of the customer. It is stored encrypted.',
    ),
    customs: Type.Optional(Type.String({ description: 'The customs office. It cannot change.' })),
  }),
  'What changes in a declaration.',
)
export type DeclarationChange = Static<typeof DeclarationChange>

export const Status = named(
  'CustomsDeclarationStatus',
  Type.Enum(statesOf('customs_declaration')),
  'The status of a customs declaration.',
)
const Result = named(
  'CustomsResult',
  Type.Object(
    {},
    {
      additionalProperties: Type.String(),
      description: 'What customs returned, in the words of the brand; empty until then.',
    },
  ),
)
const Time = Type.String({
  description: 'A time as ISO-8601 with zone offset.',
  examples: ['2026-11-15T01:02:03.456+00:00'],
})

export const CustomsDeclarationView = named(
  'CustomsDeclaration',
  Type.Object({
    id: described(Id, 'The id of the customs declaration.'),
    charge_id: described(Id, 'The charge that is declared.'),
    merchant_id: common.merchant_id,
    store_id: common.store_id,
    mode: common.mode,
    gateway: described(Type.String(), 'The brand of the charge: `we_chat_online`.'),
    declaration: described(
      named(
        'CustomsDeclarationData',
        Type.Object({
          customs: described(Type.String(), 'The customs office.'),
          merchant_customs_no: described(Type.String(), 'Your number at the customs office.'),
          certificate_id: described(
            Type.String(),
            'The number on the certificate of the customer; `****` in events.',
          ),
          certificate_name: described(
            Type.String(),
            'The name on the certificate of the customer; `****` in events.',
          ),
        }),
        'What is declared.',
      ),
      'What is declared.',
    ),
    declaration_result: described(Result, 'What customs returned; empty while it is pending.'),
    status: described(Status, 'Whether customs have accepted it: `pending` until then.'),
    error: ChargeErrorView,
    created_on: described(Time, 'When it was created, with zone offset.'),
    updated_on: described(Time, 'When it was last changed, with zone offset.'),
  }),
  'The declaration of a charge to customs.',
)
export const CustomsDeclarationPage = PageOf(CustomsDeclarationView)

export const CustomsAttemptPage = PageOf(
  named(
    'CustomsAttempt',
    Type.Object({
      id: described(Id, 'The id of the attempt.'),
      declaration: described(
        named(
          'CustomsAttemptData',
          Type.Object({
            customs: described(Type.String(), 'The customs office.'),
            merchant_customs_no: described(Type.String(), 'Your number at the customs office.'),
          }),
          'What was declared, without the customer.',
        ),
        'What was declared, without the customer.',
      ),
      declaration_result: described(Result, 'What customs returned.'),
      status: described(Status, 'How the attempt ended.'),
      error: ChargeErrorView,
      created_on: described(Time, 'When it began, with zone offset.'),
      finished_on: described(Time, 'When it ended, with zone offset.'),
    }),
    'An attempt of a customs declaration that has ended.',
  ),
)

/** The interface writes the times of this resource with an offset, not with a `Z`. */
function withOffset(time: Date): string {
  return time.toISOString().replace('Z', '+00:00')
}

type SealedColumn = 'certificate_id' | 'certificate_name'
type RowKey = Pick<CustomsDeclaration, 'merchant_id' | 'id'>

function contextOf({ merchant_id, id }: RowKey, column: SealedColumn): SealContext {
  return { table: 'customs_declarations', column, merchant_id, row_id: id }
}

/** The columns of what is declared. The customer's identity is sealed. */
export function sealDeclaration({ keys }: Service, row: RowKey, declaration: Declaration) {
  const sealed = (column: SealedColumn) =>
    seal(keys.vault, contextOf(row, column), declaration[column])
  return {
    customs: declaration.customs,
    merchant_customs_no: declaration.merchant_customs_no,
    certificate_id: sealed('certificate_id'),
    certificate_name: sealed('certificate_name'),
  }
}

export function openDeclaration({ keys }: Service, row: CustomsDeclaration): Declaration {
  const opened = (column: SealedColumn) =>
    unseal(keys.vault, contextOf(row, column), row[column]).toString()
  return {
    customs: row.customs,
    merchant_customs_no: row.merchant_customs_no,
    certificate_id: opened('certificate_id'),
    certificate_name: opened('certificate_name'),
  }
}

export function viewDeclaration(service: Service, row: CustomsDeclaration) {
  return { ...recordDeclaration(row), declaration: openDeclaration(service, row) }
}

const hidden = '****'

/** The declaration for the record, which is stored for ever: without the customer's identity. */
export function recordDeclaration(row: CustomsDeclaration) {
  const { customs, merchant_customs_no } = row
  const certificate = { certificate_id: hidden, certificate_name: hidden }
  return {
    id: row.id,
    charge_id: row.charge_id,
    merchant_id: row.merchant_id,
    store_id: row.store_id,
    mode: row.mode,
    gateway: row.gateway,
    declaration: { customs, merchant_customs_no, ...certificate },
    declaration_result: row.declaration_result,
    status: row.status,
    error: row.error,
    created_on: withOffset(row.created_on),
    updated_on: withOffset(row.updated_on),
  }
}

export function viewAttempt(attempt: CustomsAttempt) {
  const { customs, merchant_customs_no } = attempt
  return {
    id: attempt.id,
    declaration: { customs, merchant_customs_no },
    declaration_result: attempt.declaration_result,
    status: attempt.status,
    error: attempt.error,
    created_on: withOffset(attempt.created_on),
    finished_on: withOffset(attempt.finished_on),
  }
}

export type DeclarationPath = ChargePath & { customs_declaration_id: string }

export async function getDeclaration(
  service: Service,
  caller: Pick<Caller, 'merchant_id' | 'mode'>,
  { store_id, charge_id, customs_declaration_id }: DeclarationPath,
  lock = false,
): Promise<CustomsDeclaration> {
  const { merchant_id, mode } = caller
  const known = { merchant_id, store_id, charge_id, id: customs_declaration_id, mode }
  return requireRow(service, 'customs_declarations', known, lock)
}
