import { parseArgs } from 'node:util'
import { Ajv } from 'ajv'
import type { Config } from '../config.ts'
import { isUuid } from '../core/ids.ts'
import { PlainError } from '../core/plain-error.ts'
import { formats } from '../core/text/formats.ts'
import { MerchantConfigurationPatch } from '../resources/merchants/configuration.ts'
import { createMerchant } from '../resources/merchants/create-merchant.ts'
import { viewMerchant } from '../resources/merchants/merchant.ts'
import { patchMerchant } from '../resources/merchants/patch-merchant.ts'
import { patchStore } from '../resources/stores/patch-store.ts'
import { viewStore } from '../resources/stores/store.ts'
import { print, withService } from './with-service.ts'

export async function merchantsCommand(config: Config, args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      email: { type: 'string' },
      verified: { type: 'boolean' },
      store: { type: 'string' },
    },
  })
  const [verb, merchant_id, json] = positionals
  if (![merchant_id, values.store].every((id) => id === undefined || isUuid(id))) {
    throw new PlainError('Ids are UUIDs; "kaikei merchants list" shows them.')
  }
  if (verb === 'list') return listMerchants(config)
  if (verb === 'create') return create(config, values)
  if (verb === 'verify' && merchant_id) return verify(config, merchant_id)
  if (verb === 'configure' && merchant_id && json) {
    return configure(config, merchant_id, values.store, json)
  }
  throw new PlainError(
    'Say "merchants list", "create", "verify" or "configure"; "kaikei help" shows how.',
  )
}

async function listMerchants(config: Config): Promise<number> {
  const merchants = await withService(config, ({ service }) =>
    service.db
      .selectFrom('merchants')
      .select(['id', 'name', 'email', 'verified', 'created_on'])
      .orderBy('id')
      .execute(),
  )
  print(merchants)
  return 0
}

async function create(
  config: Config,
  { name, email, verified }: { name?: string; email?: string; verified?: boolean },
): Promise<number> {
  if (!name || !email || !formats.email.accepts(email)) {
    throw new PlainError('Give the merchant a --name and a valid --email.')
  }
  const wanted = { name, email, verified: verified ?? false }
  print(viewMerchant(await withService(config, ({ service }) => createMerchant(service, wanted))))
  return 0
}

/** Enables live-mode tokens for the merchant. */
async function verify(config: Config, merchant_id: string): Promise<number> {
  const merchant = await withService(config, ({ service }) =>
    patchMerchant(service, merchant_id, { verified: true }, 'operator'),
  )
  print(viewMerchant(merchant))
  return 0
}

/** The operator may set every key, including fees and privileges; the types are still validated. */
async function configure(
  config: Config,
  merchant_id: string,
  store_id: string | undefined,
  json: string,
): Promise<number> {
  const configuration = readConfiguration(json)
  const view = await withService(config, async ({ service }) =>
    store_id
      ? viewStore(
          await patchStore(service, { merchant_id }, store_id, { configuration }, 'operator'),
        )
      : viewMerchant(await patchMerchant(service, merchant_id, { configuration }, 'operator')),
  )
  print(view.configuration)
  return 0
}

function readConfiguration(json: string): object {
  const ajv = new Ajv({ strict: false, allErrors: true })
  for (const [name, { accepts }] of Object.entries(formats)) ajv.addFormat(name, accepts)
  const check = ajv.compile(MerchantConfigurationPatch)
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new PlainError('The configuration must be JSON, for example \'{"percent_fee": 3.5}\'.')
  }
  if (!check(value)) throw new PlainError(`Not valid: ${ajv.errorsText(check.errors)}`)
  return value as object
}
