import { queueText } from '../../../accounts/mails/mail.ts'
import { derivedId } from '../../../core/ids.ts'
import { receipt_mails } from '../../../core/limits/checkout-policy.ts'
import type { MailText } from '../../../outbound/mailer.ts'
import { inTransaction, now, type Service } from '../../../service.ts'
import type { CheckoutSession } from '../checkout-session.ts'

/** Whether the page offers to send the receipt: there is a mail server, and the payment is not long ago. */
export function sendsReceipts(
  service: Service,
  { status, completed_on }: CheckoutSession,
): boolean {
  if (!service.mailer.sends || status !== 'completed' || completed_on === null) return false
  return now(service).getTime() < completed_on.getTime() + receipt_mails.offered_ms
}

/**
 * Queues the receipt, unless as many were queued as a payment has. The mails of a payment have fixed ids, so
 * that concurrent requests cannot send more.
 */
export async function sendReceipt(
  service: Service,
  { id: session_id, merchant_id }: CheckoutSession,
  mail: MailText,
): Promise<boolean> {
  return inTransaction(service, async (tx) => {
    for (let nth = 1; nth <= receipt_mails.max; nth += 1) {
      const id = derivedId(session_id, `receipt ${nth}`)
      if (await queueText(tx, { merchant_id, id }, mail)) return true
    }
    return false
  })
}

/** The address that the payment has. */
export async function receiptAddress(
  { db }: Service,
  { merchant_id, transaction_token_id }: CheckoutSession,
): Promise<string | null> {
  if (!transaction_token_id) return null
  const token = await db
    .selectFrom('transaction_tokens')
    .select('email')
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', transaction_token_id)
    .executeTakeFirst()
  return token?.email ?? null
}

/** The customer's address as far as its owner recognises it: anyone with the link sees the page. */
export function maskedAddress(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}…${email.slice(at)}`
}
