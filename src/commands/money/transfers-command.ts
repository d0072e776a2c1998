import { createTransfers } from '../../commerce/transfers/create-transfers.ts'
import { createDueTransfers } from '../../commerce/transfers/due-transfers.ts'
import { moveTransfer, type TransferAction } from '../../commerce/transfers/move-transfer.ts'
import { viewTransfer } from '../../commerce/transfers/transfer.ts'
import type { Run } from '../command-table.ts'
import { readTime } from '../line/read-time.ts'
import { moneyText, showJson, showList, statusColor, timeText } from '../line/show.ts'
import { withMerchant, withService } from '../line/with-service.ts'

const max_listed = 100

export const listTransfers: Run<'transfers list'> = async (context, [given], options) => {
  const found = await withMerchant(context.config, given, (service, merchant_id) =>
    service.db
      .selectFrom('transfers')
      .selectAll()
      .where('merchant_id', '=', merchant_id)
      .orderBy('id', 'desc')
      .limit(max_listed)
      .execute(),
  )
  const transfers = found.map(viewTransfer)
  showList(
    context.terminal,
    transfers,
    [
      { title: 'ID', text: (one) => one.id },
      {
        title: 'AMOUNT',
        text: (one) => moneyText(one.amount, one.currency),
        align: 'right',
      },
      {
        title: 'STATUS',
        text: (one) => one.status,
        color: (one) => statusColor(one.status),
      },
      { title: 'MODE', text: (one) => one.mode },
      { title: 'FROM', text: (one) => timeText(one.from) },
      { title: 'TO', text: (one) => timeText(one.to) },
      { title: 'NOTE', text: (one) => one.error_text ?? one.note ?? '', shrinks: true },
    ],
    options,
  )
  return 0
}

export const createTransfersCommand: Run<'transfers create'> = async (context, args, options) => {
  const { to, mode } = options
  const until = to === undefined ? null : readTime('to', to)
  const created = await withMerchant(context.config, args[0], (service, merchant_id) =>
    createTransfers(service, {
      merchant_id,
      started_by: 'operator',
      ...(until ? { to: until } : {}),
      ...(mode ? { mode } : {}),
    }),
  )
  showJson(context.terminal, created.map(viewTransfer))
  return 0
}

/** For a cron job of the operator. */
export const createDue: Run<'transfers due'> = async (context) => {
  const created = await withService(context.config, ({ service }) => createDueTransfers(service))
  showJson(context.terminal, created.map(viewTransfer))
  return 0
}

/** The command that does one step of a transfer. */
export function newTransferStep(action: TransferAction): Run<'transfers pay'> {
  return async (context, [id = ''], { reason }) => {
    const moved = await withService(context.config, ({ service }) =>
      moveTransfer(service, id, action, reason),
    )
    showJson(context.terminal, viewTransfer(moved))
    return 0
  }
}
