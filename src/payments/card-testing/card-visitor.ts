import type { FastifyRequest } from 'fastify'
import { isOwnOrigin, parent_header } from '../../api/own-origin.ts'
import type { TestedShop } from './card-attack.ts'
import { admitCardAttempt, hashedStoredCard, type Visitor } from './card-attempts.ts'
import type { Challenged } from './challenge.ts'

/** By which pages and card fields send the answer to a challenge. */
const proof_header = 'x-checkout-proof'

/** The card fields of an application token. Nothing is stored of them, so every answer is accepted once. */
export const challengedFields = (token_id: string): Challenged => ({
  id: token_id,
  attempts: 0,
  declines: 0,
})

export function responseOf({ headers }: FastifyRequest): string | null {
  const { [proof_header]: response } = headers
  return typeof response === 'string' ? response : null
}

/**
 * The origin of a card attempt with an application token. Card fields are pages of ours, and can solve a
 * challenge.
 */
export function visitorOf(request: FastifyRequest): Visitor {
  const { ip, caller, headers, service } = request
  const { token_id, with_secret } = caller
  const of_fields = headers[parent_header] !== undefined && isOwnOrigin(service, request)
  const challenge = { of: challengedFields(token_id), response: responseOf(request) }
  return { ip, credential: token_id, with_secret, challenge: of_fields ? challenge : null }
}

/** Counts the check of a stored card. It needs the secret, so it is never refused. */
export async function countCardCheck(
  request: FastifyRequest,
  token: TestedShop & { readonly id: string },
): Promise<void> {
  const { service } = request
  await admitCardAttempt(service, token, hashedStoredCard(service, token.id), visitorOf(request))
}
