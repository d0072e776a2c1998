import { recordAppToken, viewAppToken } from '../../accounts/app-tokens/app-token.ts'
import { createAppToken } from '../../accounts/app-tokens/create-app-token.ts'
import { deleteAppToken } from '../../accounts/app-tokens/delete-app-token.ts'
import { PlainError } from '../../core/api/plain-error.ts'
import { day_ms } from '../../core/time/clock.ts'
import type { Run } from '../command-table.ts'
import { showJson, showList, timeText } from '../line/show.ts'
import { withMerchant } from '../line/with-service.ts'

export const listAppTokens: Run<'app-tokens list'> = async (context, [given], options) => {
  const found = await withMerchant(context.config, given, (service, merchant_id) =>
    service.db
      .selectFrom('app_tokens')
      .selectAll()
      .where('merchant_id', '=', merchant_id)
      .where('deleted_on', 'is', null)
      .orderBy('id')
      .execute(),
  )
  const tokens = found.map((token) => ({ ...recordAppToken(token), expires_on: token.due_on }))
  showList(
    context.terminal,
    tokens,
    [
      { title: 'TOKEN', text: (one) => one.jti },
      { title: 'STORE', text: (one) => one.store_id ?? 'all stores' },
      { title: 'MODE', text: (one) => one.mode ?? 'both' },
      { title: 'DOMAINS', text: (one) => one.domains.join(' '), shrinks: true },
      { title: 'EXPIRES', text: (one) => timeText(one.expires_on) },
    ],
    options,
  )
  return 0
}

const max_days = 9999

export const createAppTokenCommand: Run<'app-tokens create'> = async (context, args, options) => {
  const { store: store_id, mode = 'test', domain: domains = [], days } = options
  if (days && days > max_days) throw new PlainError(`--days must be between 1 and ${max_days}.`)
  const store = store_id ? { store: { id: store_id, mode, domains } } : {}
  const created = await withMerchant(context.config, args[0], async (service, merchant_id) => {
    const expires_on = days ? new Date(service.clock.now() + days * day_ms) : null
    const { token, secret } = await createAppToken(service, {
      merchant_id,
      creator_id: merchant_id,
      ...store,
      ...(expires_on ? { expires_on } : {}),
    })
    return { ...(await viewAppToken(service, token)), secret, expires_on }
  })
  showJson(context.terminal, created)
  return 0
}

export const revokeAppToken: Run<'app-tokens revoke'> = async (context, [given, id = '']) => {
  await withMerchant(context.config, given, async (service, merchant_id) => {
    const token = await service.db
      .selectFrom('app_tokens')
      .select('store_id')
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', id)
      .executeTakeFirst()
    await deleteAppToken(service, { merchant_id, store_id: token?.store_id ?? null, id })
  })
  context.terminal.write('Revoked.\n')
  return 0
}
