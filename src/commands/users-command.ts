import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { isUuid } from '../core/ids.ts'
import { PlainError } from '../core/plain-error.ts'
import { formats } from '../core/text/formats.ts'
import { mail_languages, roles } from '../core/users.ts'
import { createUser, disableUser } from '../resources/users/create-user.ts'
import { makePasswordLink } from '../resources/users/password-link.ts'
import { removeTotp } from '../resources/users/second-factor.ts'
import { lockUser, viewUser } from '../resources/users/user.ts'
import { inTransaction } from '../service.ts'
import { print, withService } from './with-service.ts'

interface Flags {
  email?: string
  name?: string
  role?: string
  lang?: string
  totp?: boolean
}

export async function usersCommand(config: Config, args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      name: { type: 'string' },
      role: { type: 'string' },
      lang: { type: 'string' },
      totp: { type: 'boolean' },
    },
  })
  const [verb, merchant_id = '', id] = positionals
  if (![merchant_id, id ?? merchant_id].every(isUuid)) {
    throw new PlainError('Ids are UUIDs; "kaikei merchants list" and "users list" show them.')
  }
  if (verb === 'create') return create(config, merchant_id, values)
  if (verb === 'list') return list(config, merchant_id)
  if (verb === 'disable' && id) return disable(config, { merchant_id, id })
  if (verb === 'reset' && id) return reset(config, { merchant_id, id }, values.totp ?? false)
  throw new PlainError('Say "users create", "list", "disable" or "reset"; "kaikei help" shows how.')
}

async function create(config: Config, merchant_id: string, flags: Flags): Promise<number> {
  const { email = '', name = '', role: given = 'owner', lang: spoken = 'ja' } = flags
  const role = roles.find((one) => one === given)
  const lang = mail_languages.find((one) => one === spoken)
  if (!formats.email.accepts(email) || !/^[^\p{Cc}]{1,255}$/u.test(name)) {
    throw new PlainError('Give the user a --name and a valid --email.')
  }
  if (!role) throw new PlainError('The --role is owner or staff.')
  if (!lang) throw new PlainError('The --lang is ja or en.')
  const wanted = { merchant_id, email, name, role, lang }
  const { user, link } = await withService(config, ({ service }) => createUser(service, wanted))
  print({ ...viewUser(user), password_link: link })
  return 0
}

async function list(config: Config, merchant_id: string): Promise<number> {
  const users = await withService(config, ({ service }) =>
    service.db
      .selectFrom('users')
      .selectAll()
      .where('merchant_id', '=', merchant_id)
      .orderBy('id')
      .execute(),
  )
  print(
    users.map((user) => ({
      ...viewUser(user),
      has_password: user.password_hash !== null,
      locked_until: user.locked_until,
      disabled_on: user.disabled_on,
    })),
  )
  return 0
}

async function disable(config: Config, path: { merchant_id: string; id: string }): Promise<number> {
  await withService(config, ({ service }) => disableUser(service, path))
  process.stdout.write('Disabled.\n')
  return 0
}

/**
 * Sends another link to choose a password; with --totp, logging in asks for no code until it is set up
 * again.
 */
async function reset(
  config: Config,
  path: { merchant_id: string; id: string },
  totp: boolean,
): Promise<number> {
  const password_link = await withService(config, async ({ service }) => {
    if (totp) await removeTotp(service, path)
    return inTransaction(service, async (tx) =>
      makePasswordLink(tx, await lockUser(tx, path), 'operator'),
    )
  })
  print({ password_link })
  return 0
}
