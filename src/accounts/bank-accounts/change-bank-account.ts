import { requirePlace } from '../../api/resource-limit.ts'
import { fail } from '../../core/api/errors.ts'
import { emit } from '../../events/emit.ts'
import type { EventName } from '../../events/event-names.ts'
import { inTransaction, newRow, now, type Service, type Transacting } from '../../service.ts'
import {
  type BankAccount,
  type CreateBankAccount,
  getBankAccount,
  type PatchBankAccount,
  protectNumber,
  refuseSameAccount,
  viewBankAccount,
} from './bank-account.ts'

/** The first account is the primary one; a later one becomes primary only on request. */
export async function createBankAccount(
  service: Service,
  merchant_id: string,
  body: CreateBankAccount,
): Promise<BankAccount> {
  return inTransaction(service, async (tx) => {
    await requirePlace(tx, 'bank_accounts', { merchant_id })
    const { id, created_on } = newRow(tx)
    const country = body.country.toUpperCase()
    const currency = body.currency.toUpperCase()
    const primary = body.primary === true || !(await hasPrimary(tx, merchant_id))
    if (primary) await clearPrimary(tx, merchant_id)
    const account = await tx.db
      .insertInto('bank_accounts')
      .values({
        merchant_id,
        id,
        country,
        currency,
        primary,
        holder_name: body.holder_name,
        bank_name: body.bank_name,
        branch_name: body.branch_name ?? null,
        bank_address: body.bank_address ?? null,
        routing_number: body.routing_number ?? null,
        swift_code: body.swift_code ?? null,
        ifsc_code: body.ifsc_code ?? null,
        routing_code: body.routing_code ?? null,
        account_type: body.account_type,
        ...protectNumber(tx, { merchant_id, id, country, currency }, body.account_number),
        status: 'new',
        created_on,
        updated_on: created_on,
        deleted_on: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(refuseSameAccount)
    await emitAccount(tx, 'bank_account_created', account)
    return account
  })
}

export async function patchBankAccount(
  service: Service,
  merchant_id: string,
  id: string,
  patch: PatchBankAccount,
): Promise<BankAccount> {
  return inTransaction(service, async (tx) => {
    await lockMerchant(tx, merchant_id)
    const before = await getBankAccount(tx, merchant_id, id)
    if (patch.primary === false && before.primary) {
      fail('VALIDATION_ERROR', {
        message: 'Make another account the primary one instead.',
        errors: [{ field: 'primary', reason: 'NOT_ALLOWED_VALUE' }],
      })
    }
    if (patch.primary) await clearPrimary(tx, merchant_id)
    const account = await changeAccount(tx, before, knownFields(patch))
    await emitAccount(tx, 'bank_account_updated', account)
    return account
  })
}

/** The body may contain more than a caller may set; only these fields are used. */
function knownFields(patch: PatchBankAccount): Partial<BankAccount> {
  const { holder_name, bank_name, branch_name, bank_address, account_type, primary } = patch
  const { routing_number, swift_code, ifsc_code, routing_code } = patch
  const names = { holder_name, bank_name, branch_name, bank_address, account_type, primary }
  const codes = { routing_number, swift_code, ifsc_code, routing_code }
  const given = Object.entries({ ...names, ...codes }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

/** While there are accounts one of them is primary: the oldest remaining one takes over. */
export async function deleteBankAccount(
  service: Service,
  merchant_id: string,
  id: string,
): Promise<void> {
  return inTransaction(service, async (tx) => {
    await lockMerchant(tx, merchant_id)
    const before = await getBankAccount(tx, merchant_id, id)
    const account = await changeAccount(tx, before, { deleted_on: now(tx), primary: false })
    await emitAccount(tx, 'bank_account_deleted', account)
    const heir = await tx.db
      .selectFrom('bank_accounts')
      .selectAll()
      .where('merchant_id', '=', merchant_id)
      .where('deleted_on', 'is', null)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!before.primary || !heir) return
    await emitAccount(tx, 'bank_account_updated', await changeAccount(tx, heir, { primary: true }))
  })
}

/** Changes of one merchant's accounts are serialized, because at most one may be primary. */
async function lockMerchant(tx: Transacting, merchant_id: string): Promise<void> {
  await tx.db
    .selectFrom('merchants')
    .select('id')
    .where('id', '=', merchant_id)
    .forNoKeyUpdate()
    .execute()
}

async function changeAccount(
  tx: Transacting,
  { merchant_id, id }: BankAccount,
  change: Partial<BankAccount>,
): Promise<BankAccount> {
  return tx.db
    .updateTable('bank_accounts')
    .set({ ...change, updated_on: now(tx) })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function hasPrimary(tx: Transacting, merchant_id: string): Promise<boolean> {
  const found = await tx.db
    .selectFrom('bank_accounts')
    .select('id')
    .where('merchant_id', '=', merchant_id)
    .where('primary', '=', true)
    .where('deleted_on', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

async function clearPrimary(tx: Transacting, merchant_id: string): Promise<void> {
  await tx.db
    .updateTable('bank_accounts')
    .set({ primary: false })
    .where('merchant_id', '=', merchant_id)
    .where('primary', '=', true)
    .execute()
}

async function emitAccount(tx: Transacting, name: EventName, account: BankAccount): Promise<void> {
  const { merchant_id, id } = account
  await emit(tx, name, { merchant_id, resource_id: id, data: viewBankAccount(account) })
}
