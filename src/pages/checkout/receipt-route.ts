import Type from 'typebox'
import { checkoutPath } from '../../api/hosted-links.ts'
import { isOwnOrigin } from '../../api/own-origin.ts'
import { page } from '../../api/routes/operation.ts'
import { admitVisit } from '../../commerce/checkout/checkout-limits.ts'
import { type CheckoutSession, findSession } from '../../commerce/checkout/checkout-session.ts'
import { checkoutView } from '../../commerce/checkout/customer/checkout-view.ts'
import {
  receiptAddress,
  sendReceipt,
  sendsReceipts,
} from '../../commerce/checkout/customer/send-receipt.ts'
import { Failure, fail } from '../../core/api/errors.ts'
import { formats } from '../../core/typed/formats.ts'
import { halfWidth } from '../../core/typed/half-width.ts'
import { atTimeOf, type Service } from '../../service.ts'
import type { Language } from '../hosted/hosted-view.ts'
import { wordsOf } from './checkout-page-words.ts'
import { receiptMail } from './receipt-lines.ts'
import type { ReceiptNotice } from './render-done.ts'

const ReceiptBody = Type.Object({ email: Type.Optional(Type.String({ maxLength: 1000 })) })

/** Sends the receipt to the customer, who sees on the page what became of it. */
export const receiptRoute = page({
  at: 'POST /checkout/:page/receipt',
  right: 'public',
  form: true,
  body: ReceiptBody,
  handle: async (request, reply) => {
    const { service: base, params, body } = request
    const found = await findSession(base, params.page)
    if (!found) fail('NOT_FOUND', { message: 'There is no such checkout session.' })
    if (!isOwnOrigin(base, request)) {
      fail('INVALID_PERMISSIONS', { message: 'Only the page of the session may do that.' })
    }
    const service = atTimeOf(base, found)
    const admit = () => admitVisit(base, request.ip, 'checkout_receipt')
    const view = await checkoutView(service, found)
    const words = wordsOf(request, view.locale as Language | null, view.store.time_zone)
    const asked = { base, service, session: found, typed: halfWidth(body.email ?? '').trim() }
    const notice = await mailReceipt(asked, admit, () => receiptMail(view, words))
    const path = `${checkoutPath(found)}?receipt=${notice}#receipt`
    return reply.header('referrer-policy', 'same-origin').redirect(path, 303)
  },
})

interface Asked {
  readonly base: Service
  /** At the time of the session. */
  readonly service: Service
  readonly session: CheckoutSession
  readonly typed: string
}

async function mailReceipt(
  { base, service, session, typed }: Asked,
  admit: () => Promise<void>,
  write: () => ReturnType<typeof receiptMail>,
): Promise<ReceiptNotice> {
  if (!sendsReceipts(service, session)) return 'enough'
  const to = typed === '' ? await receiptAddress(service, session) : typed
  if (to === null || !formats.email.accepts(to)) return 'wrong'
  try {
    await admit()
  } catch (error) {
    if (error instanceof Failure && error.code === 'BAD_REQUEST') return 'enough'
    throw error
  }
  return (await sendReceipt(base, session, { to, ...write() })) ? 'sent' : 'enough'
}
