import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { isUuid } from '../core/ids.ts'
import { PlainError } from '../core/plain-error.ts'
import { explainCharge } from '../resources/charges/explain-charge.ts'
import { print, withService } from './with-service.ts'

export async function chargesCommand(config: Config, args: string[]): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
  const [verb, merchant_id = '', id = ''] = positionals
  if (verb !== 'explain' || !isUuid(merchant_id) || !isUuid(id)) {
    throw new PlainError('Say "charges explain MERCHANT CHARGE"; ids are UUIDs.')
  }
  const explained = await withService(config, ({ service }) =>
    explainCharge(service, merchant_id, id),
  )
  if (!explained) throw new PlainError(`The merchant ${merchant_id} has no charge ${id}.`)
  print(explained)
  return 0
}
