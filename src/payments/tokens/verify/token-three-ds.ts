import Type from 'typebox'
import { operation, type Route } from '../../../api/routes/operation.ts'
import type { Caller } from '../../../core/access/caller.ts'
import { described, named } from '../../../core/api/described-schemas.ts'
import { fail, failField } from '../../../core/api/errors.ts'
import { nullable } from '../../../core/api/schemas.ts'
import { newUnguessableId } from '../../../core/ids.ts'
import { readRedirectEndpoint, redirectUrl } from '../../../core/typed/redirect-endpoint.ts'
import { payerOf } from '../../../methods/method-table.ts'
import { RedirectUrl } from '../../../methods/pieces/input-pieces.ts'
import { routePayment } from '../../../open-providers.ts'
import { atTimeOf, inTransaction, now, type Service, type Transacting } from '../../../service.ts'
import { countCardCheck } from '../../card-testing/card-visitor.ts'
import { creationMetadata } from '../create/creation-metadata.ts'
import { lockToken } from '../patch-token.ts'
import { getToken, type Token, TokenView, viewToken } from '../token.ts'
import { emitToken } from '../token-events.ts'
import { IssuerToken, viewThreeDsIssuerToken } from './issuer-token-shape.ts'

const StartThreeDs = named(
  'StartTokenThreeDs',
  Type.Object({
    redirect_endpoint: described(
      Type.Optional(nullable(RedirectUrl)),
      "The cardholder's destination after a challenge. Default: a page with the result.",
    ),
  }),
  'The 3-D Secure settings of a token.',
)

/** Begins the authentication of a recurring card token; the worker asks the issuer. */
async function enableThreeDs(
  service: Service,
  caller: Caller,
  { store_id, token_id }: { store_id: string; token_id: string },
  endpoint: string | null,
): Promise<Token> {
  return inTransaction(service, async (base) => {
    const token = await lockToken(base, caller, store_id, token_id)
    const tx = atTimeOf(base, token)
    if (token.payment_type !== 'card') failField('payment_type', 'ONLY_FOR_CARD_PAYMENT')
    if (token.type !== 'recurring') failField('type', 'NOT_ALLOWED_VALUE', 'must be recurring')
    if (token.three_ds.enabled) {
      failField('data.three_ds.enabled', 'CHANGE_PROHIBITED', 'is true already')
    }
    const redirect_endpoint = endpoint && readRedirectEndpoint(endpoint, token.mode)
    if (endpoint && !redirect_endpoint) failField('redirect_endpoint', 'INVALID_FORMAT_URL')
    const redirect_id = newUnguessableId()
    const { mode, payment_type } = token
    const { brand } = payerOf(token)
    // In live mode the worker decides, which knows the rules of the merchant.
    const routed = mode === 'test' && routePayment(tx.providers, { mode, payment_type, brand })
    const provider = routed ? routed.name : null
    const three_ds = { enabled: true, status: 'pending', redirect_endpoint, redirect_id }
    const begun = await change(tx, token, {
      three_ds: JSON.stringify({ ...three_ds, error: null, exempted: false }),
      page_id: redirect_id,
      authentication: JSON.stringify({ provider }),
      redirect_url:
        redirect_endpoint &&
        redirectUrl(redirect_endpoint, await creationMetadata(tx, token), {
          svcTokenId: token.id,
        }),
      due_on: now(tx),
    })
    tx.afterCommit(() => tx.signals.broadcast('work', 'tokens'))
    return begun
  })
}

/** The token is no longer authenticated; a challenge that was open leads nowhere. */
async function disableThreeDs(
  service: Service,
  caller: Caller,
  { store_id, token_id }: { store_id: string; token_id: string },
): Promise<Token> {
  return inTransaction(service, async (base) => {
    const token = await lockToken(base, caller, store_id, token_id)
    const tx = atTimeOf(base, token)
    if (!token.three_ds.enabled) {
      failField('data.three_ds.enabled', 'CHANGE_PROHIBITED', 'is false already')
    }
    const off = { enabled: false, status: null, redirect_endpoint: null, redirect_id: null }
    return change(tx, token, {
      three_ds: JSON.stringify({ ...off, error: null, exempted: false }),
      page_id: null,
      authentication: null,
      redirect_url: null,
      due_on: token.wipe_on,
    })
  })
}

interface Change {
  three_ds: string
  page_id: string | null
  authentication: string | null
  redirect_url: string | null
  due_on: Date | null
}

/** A worker that is asking the issuer now loses its claim. */
async function change(tx: Transacting, token: Token, to: Change): Promise<Token> {
  const changed = await tx.db
    .updateTable('transaction_tokens')
    .set((column) => ({
      ...to,
      three_ds_expires_on: null,
      updated_on: now(tx),
      claims: column('claims', '+', 1),
    }))
    .where('merchant_id', '=', token.merchant_id)
    .where('id', '=', token.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emitToken(tx, 'token_three_ds_updated', changed)
  return changed
}

export const tokenThreeDsRoutes: readonly Route[] = [
  operation({
    at: 'POST /stores/:store_id/tokens/:token_id/three_ds',
    id: 'startTokenThreeDs',
    client: 'tokens.startThreeDs',
    tag: 'transaction tokens',
    summary: 'Authenticate a recurring card token with 3-D Secure',
    text:
      'For recurring card tokens. The result is in `data.three_ds` of the token; a ' +
      'challenge has a form at `getTokenThreeDsIssuerToken`.',
    right: 'payments',
    body: StartThreeDs,
    responses: { 200: TokenView },
    handle: async (request) => {
      const { service, caller, params, body } = request
      const endpoint = body.redirect_endpoint ?? null
      const token = await enableThreeDs(service, caller, params, endpoint)
      await countCardCheck(request, token)
      return viewToken(token)
    },
  }),

  operation({
    at: 'DELETE /stores/:store_id/tokens/:token_id/three_ds',
    id: 'deleteTokenThreeDs',
    client: 'tokens.deleteThreeDs',
    tag: 'transaction tokens',
    summary: 'Delete the 3-D Secure authentication of a token',
    text: 'The token no longer counts as verified by 3-D Secure.',
    right: 'payments',
    responses: { 200: TokenView },
    handle: async ({ service, caller, params }) =>
      viewToken(await disableThreeDs(service, caller, params)),
  }),

  operation({
    at: 'GET /stores/:store_id/tokens/:token_id/three_ds/issuer_token',
    id: 'getTokenThreeDsIssuerToken',
    client: 'tokens.getThreeDsIssuerToken',
    tag: 'transaction tokens',
    summary: 'Get the 3-D Secure challenge form of a token',
    text: 'The address and the fields of the form that sends the customer to their bank.',
    right: 'payments',
    access: { without_secret: 'from_domains' },
    responses: { 200: IssuerToken },
    handle: async ({ service, caller, params }) => {
      const token = await getToken(service, caller, params.store_id, params.token_id)
      if (token.three_ds.status !== 'awaiting') {
        fail('VALIDATION_ERROR', {
          message: 'The token does not wait for its cardholder.',
          errors: [{ field: 'token_id', reason: 'ISSUER_TOKEN_EMPTY' }],
        })
      }
      const form = token.authentication?.form ?? null
      return viewThreeDsIssuerToken(service, token, 'transaction_token', form)
    },
  }),
]
