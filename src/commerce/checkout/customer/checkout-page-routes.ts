import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { checkoutPath, readPageKey } from '../../../api/hosted-links.ts'
import { isOwnOrigin } from '../../../api/own-origin.ts'
import { PollingQuery, poll } from '../../../api/responses/poll.ts'
import { page, type Route } from '../../../api/routes/operation.ts'
import { Failure, fail } from '../../../core/api/errors.ts'
import { responseOf } from '../../../payments/card-testing/card-visitor.ts'
import { proof_of_work } from '../../../payments/card-testing/challenge.ts'
import { atTimeOf, type Service } from '../../../service.ts'
import { admitVisit } from '../checkout-limits.ts'
import { type CheckoutSession, findSession } from '../checkout-session.ts'
import { ApplePayBody, applePaySession } from './apple-pay-session.ts'
import { type CheckoutView, checkoutView } from './checkout-view.ts'
import { leavePayment } from './leave-payment.ts'
import { type PaidWith, PaymentDetails, readPlainForm, SavedCard } from './payment-details.ts'
import { addressWithFault, isForm, keepTyped } from './plain-forms.ts'
import { startPayment } from './start-payment.ts'

type PageRequest = FastifyRequest<{ Params: { page: string } }>

const StateQuery = Type.Object({
  ...PollingQuery.properties,
  /** The step that the page shows: waits until it is another one. */
  step: Type.Optional(Type.String({ maxLength: 20 })),
})

interface OpenPage {
  readonly session: CheckoutSession
  /** At the time of the session's merchant and mode. */
  readonly service: Service
}

async function openPage(request: PageRequest): Promise<OpenPage> {
  const session = await findSession(request.service, request.params.page)
  if (!session) fail('NOT_FOUND', { message: 'There is no such checkout session.' })
  return { session, service: atTimeOf(request.service, session) }
}

/** Back to the page, which may be in a frame: it has to know where the customer comes from. */
function backTo(reply: FastifyReply, path: string): FastifyReply {
  return reply.header('referrer-policy', 'same-origin').redirect(path, 303)
}

/** The page as it is now, or the way to it. */
async function show(
  request: FastifyRequest,
  reply: FastifyReply,
  { service, session }: OpenPage,
): Promise<CheckoutView | FastifyReply> {
  if (isForm(request)) return backTo(reply, checkoutPath(session))
  return checkoutView(service, session)
}

/** A customer without scripts sees on the page what was wrong. */
function showFault(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const name = readPageKey((request as PageRequest).params.page)
  if (!isForm(request) || !name || !(error instanceof Failure || error.validation)) throw error
  const path = checkoutPath(name)
  keepTyped(request, reply, path)
  return backTo(reply, addressWithFault(path, error))
}

async function start(request: PageRequest, reply: FastifyReply, paid_with: PaidWith) {
  requireOwnPage(request)
  const { session, service } = await openPage(request)
  const visitor = { ip: request.ip, proof: responseOf(request) }
  const started = await startPayment(service, session, paid_with, visitor)
  if (isForm(request)) keepTyped(request, reply, checkoutPath(session))
  return show(request, reply, { service, session: started })
}

const from_form = { right: 'public', form: true, errorHandler: showFault } as const

/** The requests of a session's page. The secret in its address is the credential, for this session alone. */
export const checkoutPageRoutes: readonly Route[] = [
  page({
    at: 'GET /checkout/:page/state',
    right: 'public',
    query: StateQuery,
    handle: async (request) => {
      const { service, session } = await openPage(request)
      const { polling, step: known } = request.query
      const read = async () => {
        const found = await findSession(service, request.params.page)
        return checkoutView(service, found ?? session)
      }
      return poll(
        service,
        session.id,
        polling,
        read,
        (view) => !('wait_ms' in view) && (view.step === 'wait' || view.step === known),
      )
    },
  }),

  page({
    at: 'POST /checkout/:page/payments',
    ...from_form,
    admit_as: 'money',
    body: PaymentDetails,
    wrapBody: readPlainForm,
    handle: (request, reply) => start(request, reply, { kind: 'details', details: request.body }),
  }),

  page({
    at: 'POST /checkout/:page/saved_card',
    ...from_form,
    admit_as: 'money',
    body: SavedCard,
    handle: (request, reply) => start(request, reply, { kind: 'saved_card', card: request.body }),
  }),

  page({
    at: 'POST /checkout/:page/apple_pay',
    right: 'public',
    body: ApplePayBody,
    handle: async (request) => {
      requireOwnPage(request)
      const { session, service } = await openPage(request)
      await admitVisit(service, request.ip, 'checkout_wallet')
      return { session: await applePaySession(service, session, request.body) }
    },
  }),

  page({
    at: 'GET /checkout/:page/challenge',
    right: 'public',
    handle: async (request) => {
      const { service, session } = await openPage(request)
      return proof_of_work.issue(service, session)
    },
  }),

  page({
    at: 'POST /checkout/:page/leave',
    ...from_form,
    handle: async (request, reply) => {
      requireOwnPage(request)
      const page = await openPage(request)
      await leavePayment(page.service, page.session)
      return show(request, reply, page)
    },
  }),
]

function requireOwnPage(request: FastifyRequest): void {
  if (isOwnOrigin(request.service, request)) return
  fail('INVALID_PERMISSIONS', { message: 'Only the page of the checkout session may do that.' })
}
