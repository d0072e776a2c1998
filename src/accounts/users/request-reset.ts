import { sql } from 'kysely'
import { login_limits, plainEmail } from '../../core/access/users.ts'
import { fail } from '../../core/api/errors.ts'
import { day_ms } from '../../core/time/clock.ts'
import { inTransaction, newRow, now, type Service, type Transacting } from '../../service.ts'
import { type Claimed, stillClaimed } from '../../store/due/due-work.ts'
import { queueMail } from '../mails/mail.ts'
import { makePasswordLink } from './password-link.ts'
import { findUserByEmail, lockUser } from './user.ts'

/** The user of the request is not known when it is written. */
const no_merchant = '00000000-0000-0000-0000-000000000000'

function aDayAgo(service: Service): Date {
  return new Date(service.clock.now() - day_ms)
}

/**
 * Accepts a request to choose a new password. Nothing here depends on whether there is such a user,
 * neither the response nor its time: the worker looks that up. The limit is counted per e-mail, so
 * users and others reach it alike.
 */
export async function requestReset(service: Service, given: string): Promise<void> {
  const email = plainEmail(given)
  await inTransaction(service, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`password reset ${email}`}, 0))`.execute(
      tx.db,
    )
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from password_reset_requests
      where email = ${email} and created_on > ${aDayAgo(tx)}`.execute(tx.db)
    if ((rows[0]?.count ?? 0) >= login_limits.resets_a_day) {
      fail('RESOURCE_LIMIT_REACHED', {
        message: `A password can be reset ${login_limits.resets_a_day} times a day at most.`,
      })
    }
    const { id, created_on } = newRow(tx)
    await tx.db
      .insertInto('password_reset_requests')
      .values({ merchant_id: no_merchant, id, email, created_on, due_on: created_on })
      .execute()
    tx.afterCommit(() => tx.signals.broadcast('work', 'password_reset_requests'))
  })
}

/** Sends the link, if there is such a user and the merchant has had fewer than five within a day. */
export async function processResetRequest(
  service: Service,
  request: Claimed<'password_reset_requests'>,
): Promise<void> {
  await inTransaction(service, async (tx) => {
    const taken = await tx.db
      .updateTable('password_reset_requests')
      .set({ due_on: null })
      .where(stillClaimed(request))
      .returning('id')
      .executeTakeFirst()
    const found = taken && (await findUserByEmail(tx, request.email))
    if (!found || !(await mayReset(tx, found.merchant_id))) return
    const user = await lockUser(tx, found)
    const link = await makePasswordLink(tx, user, 'user')
    await queueMail(tx, {
      merchant_id: user.merchant_id,
      to: user.email,
      lang: user.lang,
      name: 'password_reset',
      link,
    })
  })
}

/** Requests of one merchant's users are serialized. */
async function mayReset(tx: Transacting, merchant_id: string): Promise<boolean> {
  await sql`select from merchants where id = ${merchant_id} for no key update`.execute(tx.db)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from password_links
    where merchant_id = ${merchant_id} and asked_by = 'user' and created_on > ${aDayAgo(tx)}`.execute(
    tx.db,
  )
  const has_place = (rows[0]?.count ?? 0) < login_limits.resets_a_day
  if (!has_place) {
    tx.log.warn({ merchant_id }, 'no password reset link was sent: the daily limit is reached')
  }
  return has_place
}

/** Deletes what no rule needs any more: old requests, links, sessions and mails. */
export async function deleteOldLogins(service: Service, max_rows: number): Promise<number> {
  const before = aDayAgo(service)
  const at = now(service)
  let count = 0
  for (const [table, old] of [
    ['password_reset_requests', sql`created_on < ${before} and due_on is null`],
    ['password_links', sql`expires_on < ${before} and created_on < ${before}`],
    ['console_links', sql`expires_on < ${before}`],
    ['user_sessions', sql`expires_on < ${at}`],
    ['mails', sql`created_on < ${before} and due_on is null`],
  ] as const) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where (merchant_id, id) in
        (select merchant_id, id from ${sql.table(table)} where ${old} limit ${max_rows})`.execute(
      service.db,
    )
    count += Number(numAffectedRows)
  }
  return count
}
