import type { MailLanguage } from '../../core/access/users.ts'
import { mail_policy } from '../../core/limits/retry-policies.ts'
import type { MailText } from '../../outbound/mailer.ts'
import { newRow, now, type Service, type Transacting } from '../../service.ts'
import { type Claimed, stillClaimed } from '../../store/due/due-work.ts'
import { type SealContext, seal, unseal } from '../../vault/seal.ts'
import { type MailName, mail_texts } from './mail-texts.ts'

interface NewMail {
  merchant_id: string
  to: string
  lang: MailLanguage
  name: MailName
  link?: string
  code?: string
}

type Mail = Claimed<'mails'>

function contextOf({ merchant_id, id }: Pick<Mail, 'merchant_id' | 'id'>): SealContext {
  return { table: 'mails', column: 'body', merchant_id, row_id: id }
}

/** Writes a mail in the caller's transaction; it is sent only when that has committed. */
export async function queueMail(tx: Transacting, mail: NewMail): Promise<void> {
  const { merchant_id, to: recipient, lang, name, link = '', code = '' } = mail
  const { subject, text } = mail_texts[name][lang]
  const fill = (text: string) =>
    text.replace(/LINK|CODE/g, (word) => (word === 'LINK' ? link : code))
  const { id } = newRow(tx)
  await queueText(tx, { merchant_id, id }, { to: recipient, subject, text: fill(text) })
}

/** The same with a text of the caller. False: a mail has this id already, and no second one is sent. */
export async function queueText(
  tx: Transacting,
  { merchant_id, id }: Pick<Mail, 'merchant_id' | 'id'>,
  { to: recipient, ...content }: MailText,
): Promise<boolean> {
  const { created_on } = newRow(tx)
  const body = seal(tx.keys.vault, contextOf({ merchant_id, id }), JSON.stringify(content))
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('mails')
    .values({ merchant_id, id, recipient, body, created_on, due_on: created_on })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  tx.afterCommit(() => tx.signals.broadcast('work', 'mails'))
  return Number(numInsertedOrUpdatedRows) === 1
}

/** Sends a mail to the mail server, or postpones it. Sent and given up mails are not kept. */
export async function processMail(service: Service, mail: Mail): Promise<void> {
  if (!mail.body) return
  const content = JSON.parse(unseal(service.keys.vault, contextOf(mail), mail.body).toString())
  try {
    await service.mailer.send({ to: mail.recipient, ...content })
  } catch (error) {
    return putOff(service, mail, error)
  }
  await change(service, mail, { sent_on: now(service), body: null, due_on: null })
}

async function putOff(service: Service, mail: Mail, error: unknown): Promise<void> {
  const { id: mail_id, merchant_id, claims, created_on } = mail
  const now_ms = service.clock.now()
  const { first_wait_ms, max_wait_ms, give_up_ms } = mail_policy
  const is_over = now_ms - created_on.getTime() >= give_up_ms
  const wait_ms = Math.min(first_wait_ms * 2 ** Math.min(claims - 1, 10), max_wait_ms)
  const reason = error instanceof Error ? error.message : String(error)
  const what = is_over ? 'a mail was given up' : 'a mail could not be sent; it is tried again'
  service.log.error({ mail_id, merchant_id, reason, wait_ms }, what)
  const change_to = is_over ? { body: null, due_on: null } : { due_on: new Date(now_ms + wait_ms) }
  await change(service, mail, change_to)
}

async function change(service: Service, mail: Mail, values: Partial<Mail>): Promise<void> {
  await service.db.updateTable('mails').set(values).where(stillClaimed(mail)).execute()
}
