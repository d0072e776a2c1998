import type { Selectable } from 'kysely'
import Type from 'typebox'
import { mergeMetadata } from '../../api/merge-metadata.ts'
import type { Caller } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named, textOf } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, nullable, PageOf } from '../../core/api/schemas.ts'
import { statesOf } from '../../core/payments/states.ts'
import type { Metadata } from '../../core/text/metadata.ts'
import { ChargeErrorView } from '../../methods/pieces/shown-pieces.ts'
import { type Charge, type ChargePath, getCharge } from '../../payments/charges/charge.ts'
import { atTimeOf, inTransaction, newRow, now, type Service } from '../../service.ts'
import { requireRow } from '../../store/sql/reads/find-row.ts'
import type { CancelTable } from '../../store/tables/tables.ts'

export type Cancel = Selectable<CancelTable>

export const CancelView = named(
  'Cancel',
  Type.Object({
    id: described(Id, 'The id of the cancel.'),
    charge_id: described(Id, 'The charge that is canceled.'),
    store_id: common.store_id,
    status: described(
      textOf('CancelStatus', statesOf('cancel'), 'The status of a cancel.'),
      'Whether the provider has released the money: `pending` until it has responded.',
    ),
    error: ChargeErrorView,
    metadata: common.metadata,
    mode: common.mode,
    created_on: common.created_on,
    updated_on: common.updated_on,
  }),
  'The cancellation of an awaiting or authorized charge.',
)
export const CreateCancel = named(
  'CreateCancel',
  Type.Object({ metadata: Type.Optional(nullable(common.new_metadata)) }),
  'A new cancel of a charge.',
)
export const PatchCancel = named(
  'UpdateCancel',
  Type.Object({ metadata: Type.Optional(common.changed_metadata) }),
  'Changes to a cancel.',
)
export const CancelPage = PageOf(CancelView)

export function viewCancel(cancel: Cancel) {
  return {
    id: cancel.id,
    charge_id: cancel.charge_id,
    store_id: cancel.store_id,
    status: cancel.status,
    error: cancel.error,
    metadata: cancel.metadata,
    mode: cancel.mode,
    created_on: cancel.created_on.toISOString(),
    updated_on: cancel.updated_on.toISOString(),
  }
}

export async function getCancel(
  service: Service,
  caller: Pick<Caller, 'merchant_id' | 'mode'>,
  { store_id, charge_id, cancel_id }: ChargePath & { cancel_id: string },
  lock = false,
): Promise<Cancel> {
  const { merchant_id, mode } = caller
  const known = { merchant_id, store_id, charge_id, id: cancel_id, mode }
  return requireRow(service, 'cancels', known, lock)
}

/** Authorized and nothing begun: a challenge that was passed before does not matter any more. */
function isHeld({ status, pending_action }: Charge): boolean {
  return status === 'authorized' && pending_action === null
}

/** Only a charge that waits for its customer or is held, and has nothing else begun with it. */
export async function createCancel(
  service: Service,
  caller: Pick<Caller, 'merchant_id' | 'mode'>,
  path: ChargePath,
  metadata: Metadata | null | undefined,
): Promise<Cancel> {
  const checked = mergeMetadata({}, metadata ?? {})
  return inTransaction(service, async (base) => {
    const charge = await getCharge(base, caller, path, true)
    const tx = atTimeOf(base, charge)
    const cancelable = charge.status === 'awaiting' || charge.status === 'authorized'
    // Once the cardholder has passed the challenge, the money is being asked for.
    const busy = charge.pending_action !== null || charge.three_ds_passed_on !== null
    if (!cancelable || (busy && !isHeld(charge))) fail('CANCEL_NOT_ALLOWED')
    const { id, created_on } = newRow(tx)
    await tx.db
      .updateTable('charges')
      .set((column) => ({
        pending_action: 'cancel',
        updated_on: created_on,
        claims: column('claims', '+', 1),
        due_on: null,
      }))
      .where('merchant_id', '=', charge.merchant_id)
      .where('id', '=', charge.id)
      .execute()
    const cancel = await tx.db
      .insertInto('cancels')
      .values({
        merchant_id: charge.merchant_id,
        id,
        store_id: charge.store_id,
        charge_id: charge.id,
        mode: charge.mode,
        status: 'pending',
        error: null,
        metadata: JSON.stringify(checked),
        created_on,
        updated_on: created_on,
        due_on: created_on,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    tx.afterCommit(() => tx.signals.broadcast('work', 'cancels'))
    return cancel
  })
}

export async function patchCancel(
  service: Service,
  caller: Caller,
  path: ChargePath & { cancel_id: string },
  change: Metadata | undefined,
): Promise<Cancel> {
  return inTransaction(service, async (base) => {
    const before = await getCancel(base, caller, path, true)
    const tx = atTimeOf(base, before)
    const metadata = JSON.stringify(mergeMetadata(before.metadata, change))
    return tx.db
      .updateTable('cancels')
      .set({ metadata, updated_on: now(tx) })
      .where('merchant_id', '=', before.merchant_id)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}
