import { sql } from 'kysely'
import type { Merchant } from '../../accounts/merchants/merchant.ts'
import type { Mode } from '../../core/access/caller.ts'
import { fail, failField } from '../../core/api/errors.ts'
import { PlainError } from '../../core/api/plain-error.ts'
import { isUuid } from '../../core/ids.ts'
import type { StateOf } from '../../core/payments/states.ts'
import type { Service } from '../../service.ts'
import { type Page, type PageQuery, readPage, viewPage } from '../../store/sql/reads/page.ts'
import { moveTransfer, type TransferAction } from '../transfers/move-transfer.ts'
import type { Transfer } from '../transfers/transfer.ts'

// These queries name no merchant: only routes for operators use them.

export async function listMerchants(service: Service, query: PageQuery & { search?: string }) {
  const { search } = query
  let merchants = service.db.selectFrom('merchants').selectAll()
  if (search !== undefined && isUuid(search)) merchants = merchants.where('id', '=', search)
  else if (search !== undefined) {
    const text = search.toLowerCase()
    merchants = merchants.where(
      sql<boolean>`position(${text} in lower(name)) > 0 or position(${text} in lower(email)) > 0`,
    )
  }
  return viewPage(await readPage<Merchant>(merchants, query), viewListed)
}

function viewListed(merchant: Merchant) {
  const { id, name, email, verified, demo, verification_data_id, created_on } = merchant
  const is_demo = demo
  return {
    id,
    name,
    email,
    verified,
    is_demo,
    verification_data_id,
    created_on: created_on.toISOString(),
  }
}

export async function findMerchant({ db }: Service, id: string): Promise<Merchant> {
  const merchants = db.selectFrom('merchants').selectAll().where('id', '=', id)
  return (await merchants.executeTakeFirst()) ?? fail('NOT_FOUND')
}

interface TransferFilter extends PageQuery {
  merchant_id?: string
  status?: StateOf<'transfer'>
  mode?: Mode
}

export function listTransfers(service: Service, filter: TransferFilter): Promise<Page<Transfer>> {
  const { merchant_id, status, mode } = filter
  let transfers = service.db.selectFrom('transfers').selectAll()
  if (merchant_id) transfers = transfers.where('merchant_id', '=', merchant_id)
  if (status) transfers = transfers.where('status', '=', status)
  if (mode) transfers = transfers.where('mode', '=', mode)
  return readPage<Transfer>(transfers, filter)
}

/** The names of the merchants of a page. */
export async function merchantNames(
  { db }: Service,
  rows: readonly { merchant_id: string }[],
): Promise<(row: { merchant_id: string }) => string> {
  const ids = [...new Set(rows.map(({ merchant_id }) => merchant_id))]
  const merchants = db.selectFrom('merchants').select(['id', 'name'])
  const found = ids.length === 0 ? [] : await merchants.where('id', 'in', ids).execute()
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return ({ merchant_id }) => names.get(merchant_id) ?? ''
}

/** An error sentence of the command is a field error here. */
export async function moveAnyTransfer(
  service: Service,
  id: string,
  action: TransferAction,
  reason: string | undefined,
): Promise<Transfer> {
  const transfers = service.db.selectFrom('transfers').select('id').where('id', '=', id)
  if (!(await transfers.executeTakeFirst())) fail('NOT_FOUND')
  return moveTransfer(service, id, action, reason).catch((error) => {
    if (!(error instanceof PlainError)) throw error
    return failField('action', 'NOT_ALLOWED_VALUE', `is not possible: ${error.message}`)
  })
}
