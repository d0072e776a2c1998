import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../core/access/caller.ts'
import { type ErrorCode, fail, failField } from '../../core/api/errors.ts'
import { newId } from '../../core/ids.ts'
import { declaresCustoms } from '../../core/payments/customs.ts'
import { nextState } from '../../core/payments/states.ts'
import { type Charge, type ChargePath, getCharge } from '../../payments/charges/charge.ts'
import {
  atTimeOf,
  inTransaction,
  newRow,
  now,
  type Service,
  type Transacting,
} from '../../service.ts'
import { stillClaimed } from '../../store/due/due-work.ts'
import { lockRow } from '../../store/sql/reads/find-row.ts'
import {
  type CustomsDeclaration,
  type Declaration,
  type DeclarationChange,
  type DeclarationPath,
  getDeclaration,
  openDeclaration,
  sealDeclaration,
} from './customs-declaration.ts'

/**
 * Declares a charge, or declares it again after a failure. The charge row is locked first: two
 * requests for one charge then run one after the other, and the second sees the declaration.
 */
export async function createDeclaration(
  service: Service,
  caller: Caller,
  path: ChargePath,
  declaration: Declaration,
): Promise<CustomsDeclaration> {
  return inTransaction(service, async (base) => {
    const charge = await getCharge(base, caller, path, true)
    const tx = atTimeOf(base, charge)
    const before = await lockRow(tx, 'customs_declarations', {
      merchant_id: charge.merchant_id,
      charge_id: charge.id,
    })
    if (!before) return insertDeclaration(tx, charge, declaration)
    const status = requireNext(before, 'resubmit')
    if (declaration.customs !== before.customs && (await wasDeclared(tx, before))) refusePlace()
    return submitAgain(tx, before, status, declaration)
  })
}

async function insertDeclaration(
  tx: Transacting,
  charge: Charge,
  declaration: Declaration,
): Promise<CustomsDeclaration> {
  const { merchant_id, store_id, id: charge_id, mode, brand } = charge
  if (!declaresCustoms(brand)) fail('CUSTOMS_NOT_AVAILABLE')
  if (charge.status !== 'successful') fail('CANNOT_DECLARE_UNSUCCESSFUL_CHARGE')
  const { id, created_on } = newRow(tx)
  const inserted = await tx.db
    .insertInto('customs_declarations')
    .values({
      merchant_id,
      id,
      store_id,
      charge_id,
      mode,
      gateway: brand,
      ...sealDeclaration(tx, { merchant_id, id }, declaration),
      attempt_id: newId(created_on.getTime()),
      status: 'pending',
      error: null,
      declaration_result: '{}',
      created_on,
      updated_on: created_on,
      due_on: created_on,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  tx.afterCommit(() => tx.signals.broadcast('work', 'customs_declarations'))
  return inserted
}

/** Changes a successful declaration and sends it again. A change of nothing is not sent. */
export async function updateDeclaration(
  service: Service,
  caller: Caller,
  path: DeclarationPath,
  change: DeclarationChange,
): Promise<CustomsDeclaration> {
  return inTransaction(service, async (base) => {
    const before = await getDeclaration(base, caller, path, true)
    const tx = atTimeOf(base, before)
    const { customs } = before
    if ((change.customs ?? customs) !== customs) refusePlace()
    const status = requireNext(before, 'update')
    const declared = openDeclaration(tx, before)
    const { merchant_customs_no, certificate_id, certificate_name } = { ...declared, ...change }
    const wanted = { customs, merchant_customs_no, certificate_id, certificate_name }
    return isDeepStrictEqual(wanted, declared) ? before : submitAgain(tx, before, status, wanted)
  })
}

/** Customs have it already: at another place it would be a second declaration. */
function refusePlace(): never {
  failField('declaration.customs', 'CHANGE_PROHIBITED', 'cannot be changed by an update')
}

async function wasDeclared(
  tx: Transacting,
  { merchant_id, id }: CustomsDeclaration,
): Promise<boolean> {
  const found = await tx.db
    .selectFrom('customs_attempts')
    .select('id')
    .where('merchant_id', '=', merchant_id)
    .where('declaration_id', '=', id)
    .where('status', '=', 'successful')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

const refusals = {
  pending: 'CUSTOMS_DECLARATION_PENDING',
  successful: 'CUSTOMS_DECLARATION_SUCCESSFUL',
  failed: 'CUSTOMS_DECLARATION_FAILED',
  error: 'CUSTOMS_DECLARATION_FAILED',
} as const satisfies Record<CustomsDeclaration['status'], ErrorCode>

function requireNext(
  { status }: CustomsDeclaration,
  action: 'resubmit' | 'update',
): CustomsDeclaration['status'] {
  return nextState('customs_declaration', status, action) ?? fail(refusals[status])
}

/** A new attempt has a new reference: the provider takes it for what it is, another declaration. */
async function submitAgain(
  tx: Transacting,
  before: CustomsDeclaration,
  status: CustomsDeclaration['status'],
  declaration: Declaration,
): Promise<CustomsDeclaration> {
  const at = now(tx)
  const again = await tx.db
    .updateTable('customs_declarations')
    .set({
      ...sealDeclaration(tx, before, declaration),
      attempt_id: newId(at.getTime()),
      status,
      error: null,
      declaration_result: '{}',
      updated_on: at,
      due_on: at,
    })
    .where(stillClaimed(before, before.status))
    .returningAll()
    .executeTakeFirstOrThrow()
  tx.afterCommit(() => tx.signals.broadcast('work', 'customs_declarations'))
  return again
}
