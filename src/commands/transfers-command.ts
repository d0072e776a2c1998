import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { isUuid } from '../core/ids.ts'
import { PlainError } from '../core/plain-error.ts'
import { readInstant } from '../core/text/formats.ts'
import { createTransfers } from '../resources/transfers/create-transfers.ts'
import { createDueTransfers } from '../resources/transfers/due-transfers.ts'
import {
  moveTransfer,
  type TransferAction,
  transfer_actions,
} from '../resources/transfers/move-transfer.ts'
import { viewTransfer } from '../resources/transfers/transfer.ts'
import { print, withService } from './with-service.ts'

interface Flags {
  to?: string
  mode?: string
  reason?: string
}

export async function transfersCommand(config: Config, args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { to: { type: 'string' }, mode: { type: 'string' }, reason: { type: 'string' } },
  })
  const [verb, id = ''] = positionals
  if (verb === 'due') return createDue(config)
  const action = transfer_actions.find((one) => one === verb)
  if (verb !== 'create' && verb !== 'list' && !action) {
    throw new PlainError(
      `Say "transfers due", "create", "list", ${transfer_actions.map((one) => `"${one}"`).join(', ')}; ` +
        '"kaikei help" shows how.',
    )
  }
  if (!isUuid(id)) {
    throw new PlainError('Ids are UUIDs; "kaikei merchants list" and "transfers list" show them.')
  }
  if (action) return move(config, id, action, values.reason)
  return verb === 'create' ? create(config, id, values) : list(config, id)
}

async function create(config: Config, merchant_id: string, { to, mode }: Flags): Promise<number> {
  const until = to === undefined ? null : readInstant(to)
  if (to !== undefined && !until) {
    throw new PlainError('Give --to as a day, 2026-01-31, or a time, 2026-01-31T00:00:00+09:00.')
  }
  if (mode !== undefined && mode !== 'test' && mode !== 'live') {
    throw new PlainError('The --mode is test or live.')
  }
  const wanted = { merchant_id, started_by: 'operator' }
  const made = await withService(config, ({ service }) =>
    createTransfers(service, {
      ...wanted,
      ...(until ? { to: until } : {}),
      ...(mode ? { mode } : {}),
    }),
  )
  print(made.map(viewTransfer))
  return 0
}

/** For a cron job of the operator: creates the payouts that all schedules ask for. */
async function createDue(config: Config): Promise<number> {
  const made = await withService(config, ({ service }) => createDueTransfers(service))
  print(made.map(viewTransfer))
  return 0
}

async function move(
  config: Config,
  id: string,
  action: TransferAction,
  reason?: string,
): Promise<number> {
  print(
    viewTransfer(
      await withService(config, ({ service }) => moveTransfer(service, id, action, reason)),
    ),
  )
  return 0
}

async function list(config: Config, merchant_id: string): Promise<number> {
  const transfers = await withService(config, ({ service }) =>
    service.db
      .selectFrom('transfers')
      .selectAll()
      .where('merchant_id', '=', merchant_id)
      .orderBy('id', 'desc')
      .limit(100)
      .execute(),
  )
  print(transfers.map(viewTransfer))
  return 0
}
