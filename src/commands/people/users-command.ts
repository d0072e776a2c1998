import { removeTotp } from '../../accounts/sessions/second-factor.ts'
import { createUser, disableUser } from '../../accounts/users/create-user.ts'
import { setOperator } from '../../accounts/users/manage-users.ts'
import { makePasswordLink } from '../../accounts/users/password-link.ts'
import { lockUser, viewUser } from '../../accounts/users/user.ts'
import { PlainError } from '../../core/api/plain-error.ts'
import { formats } from '../../core/typed/formats.ts'
import { inTransaction } from '../../service.ts'
import type { Run } from '../command-table.ts'
import { showJson, showList, timeText } from '../line/show.ts'
import { withMerchant } from '../line/with-service.ts'

export const listUsers: Run<'users list'> = async (context, [given], options) => {
  const found = await withMerchant(context.config, given, (service, merchant_id) =>
    service.db
      .selectFrom('users')
      .selectAll()
      .where('merchant_id', '=', merchant_id)
      .orderBy('id')
      .execute(),
  )
  const users = found.map((user) => ({
    ...viewUser(user),
    has_password: user.password_hash !== null,
    locked_until: user.locked_until,
    disabled_on: user.disabled_on,
  }))
  type User = (typeof users)[number]
  const state = ({ disabled_on, has_password }: User) => {
    if (disabled_on) return 'disabled'
    return has_password ? 'active' : 'invited'
  }
  showList(
    context.terminal,
    users,
    [
      { title: 'ID', text: (one) => one.id },
      { title: 'NAME', text: (one) => one.name, shrinks: true },
      { title: 'E-MAIL', text: (one) => one.email, shrinks: true },
      { title: 'ROLE', text: (one) => one.role },
      { title: 'STATE', text: state },
      { title: 'SECOND FACTOR', text: (one) => (one.totp_enabled ? 'yes' : 'no') },
      { title: 'LOCKED UNTIL', text: (one) => timeText(one.locked_until) },
    ],
    options,
  )
  return 0
}

export const createUserCommand: Run<'users create'> = async (context, args, options) => {
  const { email, name, role = 'owner', lang = 'ja', operator } = options
  if (!formats.email.accepts(email) || !/^[^\p{Cc}]{1,255}$/u.test(name)) {
    throw new PlainError('--name must not be empty, and --email must be an e-mail address.')
  }
  const { user, link } = await withMerchant(context.config, args[0], (service, merchant_id) =>
    createUser(service, { merchant_id, email, name, role, lang, is_operator: operator === true }),
  )
  showJson(context.terminal, { ...viewUser(user), password_link: link })
  return 0
}

export const disableUserCommand: Run<'users disable'> = async (context, [given, id = '']) => {
  await withMerchant(context.config, given, (service, merchant_id) =>
    disableUser(service, { merchant_id, id }),
  )
  context.terminal.write('Disabled.\n')
  return 0
}

/** Their sessions end: the next one has the other rights. */
export const changeOperator: Run<'users operator'> = async (context, [given, id = ''], options) => {
  const is_operator = options.remove !== true
  const { name } = await withMerchant(context.config, given, (service, merchant_id) =>
    setOperator(service, { merchant_id, id }, is_operator),
  )
  const now_is = is_operator ? 'operates' : 'no longer operates'
  context.terminal.write(`${name} ${now_is} this service. They have to log in again.\n`)
  return 0
}

/**
 * Prints another link to choose a password; with --totp, logging in asks for no code until it is set up
 * again.
 */
export const resetUser: Run<'users reset'> = async (context, [given, id = ''], { totp }) => {
  const password_link = await withMerchant(context.config, given, async (service, merchant_id) => {
    const path = { merchant_id, id }
    if (totp) await removeTotp(service, path)
    return inTransaction(service, async (tx) =>
      makePasswordLink(tx, await lockUser(tx, path), 'operator'),
    )
  })
  showJson(context.terminal, { password_link })
  return 0
}
