import { type Dispute, viewDispute } from '../../commerce/disputes/dispute.ts'
import { PlainError } from '../../core/api/plain-error.ts'
import { findRow } from '../../store/sql/reads/find-row.ts'
import type { Run } from '../command-table.ts'
import {
  type Column,
  moneyText,
  showList,
  showRecord,
  statusColor,
  timeText,
} from '../line/show.ts'
import { withMerchant } from '../line/with-service.ts'

const max_listed = 100

type Shown = ReturnType<typeof viewDispute>

const columns: readonly Column<Shown>[] = [
  { title: 'ID', text: (one) => one.id },
  { title: 'CREATED', text: (one) => timeText(one.created_on) },
  { title: 'AMOUNT', text: (one) => moneyText(one.amount, one.currency), align: 'right' },
  { title: 'STATUS', text: (one) => one.status, color: (one) => statusColor(one.status) },
  { title: 'REASON', text: (one) => one.reason },
  { title: 'RESPOND BY', text: (one) => timeText(one.respond_by) },
  { title: 'CHARGE', text: (one) => one.charge_id },
]

/** Evidence is for the merchant and the bank: the operator does not see it. */
export const listDisputesCommand: Run<'disputes list'> = async (context, [given], options) => {
  const { status } = options
  const found = await withMerchant(context.config, given, (service, merchant_id) => {
    let disputes = service.db
      .selectFrom('disputes')
      .selectAll()
      .where('merchant_id', '=', merchant_id)
    if (status) disputes = disputes.where('status', '=', status as Dispute['status'])
    return disputes.orderBy('id', 'desc').limit(max_listed).execute()
  })
  const shown = found.map((one) => viewDispute(one))
  showList(context.terminal, shown, columns, options)
  return 0
}

export const showDispute: Run<'disputes show'> = async (context, [given, id = ''], options) => {
  const found = await withMerchant(context.config, given, (service, merchant_id) =>
    findRow(service, 'disputes', { merchant_id, id }),
  )
  if (!found) throw new PlainError(`The merchant has no dispute ${id}.`)
  showRecord(context.terminal, viewDispute(found), columns, options)
  return 0
}
