import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import type { Mode } from '../core/caller.ts'
import { isUuid } from '../core/ids.ts'
import { PlainError } from '../core/plain-error.ts'
import { day_ms } from '../core/time/clock.ts'
import { recordAppToken, viewAppToken } from '../resources/app-tokens/app-token.ts'
import { createAppToken } from '../resources/app-tokens/create-app-token.ts'
import { deleteAppToken } from '../resources/app-tokens/delete-app-token.ts'
import { print, withService } from './with-service.ts'

interface Flags {
  store?: string
  mode?: string
  domain?: string[]
  days?: string
}

export async function appTokensCommand(config: Config, args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      store: { type: 'string' },
      mode: { type: 'string' },
      domain: { type: 'string', multiple: true },
      days: { type: 'string' },
    },
  })
  const [verb, merchant_id = '', token_id = ''] = positionals
  const ids = [merchant_id, ...(verb === 'revoke' ? [token_id] : []), values.store ?? merchant_id]
  if (!ids.every(isUuid)) throw new PlainError('Ids are UUIDs; "kaikei merchants list" shows them.')
  if (verb === 'list') return list(config, merchant_id)
  if (verb === 'create') return create(config, merchant_id, values)
  if (verb === 'revoke') return revoke(config, merchant_id, token_id)
  throw new PlainError('Say "app-tokens list", "app-tokens create" or "app-tokens revoke".')
}

async function list(config: Config, merchant_id: string): Promise<number> {
  const tokens = await withService(config, ({ service }) =>
    service.db
      .selectFrom('app_tokens')
      .selectAll()
      .where('merchant_id', '=', merchant_id)
      .where('deleted_on', 'is', null)
      .orderBy('id')
      .execute(),
  )
  print(tokens.map((token) => ({ ...recordAppToken(token), expires_on: token.due_on })))
  return 0
}

async function create(config: Config, merchant_id: string, flags: Flags): Promise<number> {
  const { store: store_id, mode = 'test', domain: domains = [], days } = flags
  if (mode !== 'test' && mode !== 'live') throw new PlainError('The --mode is test or live.')
  if (days !== undefined && !/^[1-9]\d{0,3}$/.test(days)) {
    throw new PlainError('Give --days as a whole number from 1 to 9999.')
  }
  const store = store_id ? { store: { id: store_id, mode: mode as Mode, domains } } : {}
  await withService(config, async ({ service }) => {
    const expires_on = days ? new Date(service.clock.now() + Number(days) * day_ms) : null
    const made = await createAppToken(service, {
      merchant_id,
      creator_id: merchant_id,
      ...store,
      ...(expires_on ? { expires_on } : {}),
    })
    print({ ...(await viewAppToken(service, made.token)), secret: made.secret, expires_on })
  })
  return 0
}

async function revoke(config: Config, merchant_id: string, id: string): Promise<number> {
  await withService(config, async ({ service }) => {
    const token = await service.db
      .selectFrom('app_tokens')
      .select('store_id')
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', id)
      .executeTakeFirst()
    await deleteAppToken(service, { merchant_id, store_id: token?.store_id ?? null, id })
  })
  process.stdout.write('Revoked.\n')
  return 0
}
