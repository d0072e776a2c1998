import { isUtf8 } from 'node:buffer'
import type { Static, TSchema } from 'typebox'
import { maskText } from '../../../core/cards/sensitive.ts'
import { recordOf } from '../../../core/read-unknown.ts'
import type { Reply } from '../../send-once.ts'
import { validatorOf } from '../api/acquirer-responses.ts'

/** An answer that can be relied on, or why there is none, in words without any value of it. */
export type ReadResponse<T> =
  | { readonly is_valid: true; readonly response: T }
  | { readonly is_valid: false; readonly problem: string }

const problem = (text: string) => ({ is_valid: false, problem: text }) as const

/** Fields with words of the acquirer's own, which are stored and shown. */
const texts = ['raw_code', 'raw_message', 'detail', 'reason'] as const

/**
 * Reads an answer. Anything but the described shape with status 200 is no answer; only `not_taken` may
 * come with another status. Secrets of the request are masked wherever the acquirer repeats them.
 */
export function readResponse<Schema extends TSchema>(
  schema: Schema,
  { status, body }: Pick<Extract<Reply, { kind: 'answered' }>, 'status' | 'body'>,
  secrets: readonly string[] = [],
): ReadResponse<Static<Schema>> {
  const response = parse(body, secrets)
  if (response === undefined) return problem(`The answer is not JSON (status ${status}).`)
  const validator = validatorOf(schema)
  if (!validator.Check(response)) {
    const fields = validator.Errors(response).map(({ instancePath }) => instancePath || '/')
    const named = [...new Set(fields)].slice(0, 5).join(', ')
    return problem(`The answer has a wrong shape (status ${status}): ${maskText(named)}.`)
  }
  const is_refusal = recordOf(response).outcome === 'not_taken'
  if (status !== 200 && !is_refusal) return problem(`The status is ${status}, not 200.`)
  return { is_valid: true, response: maskTexts(response as Static<Schema>) }
}

function parse(body: Buffer, secrets: readonly string[]): unknown {
  if (!isUtf8(body)) return undefined
  try {
    const response: unknown = JSON.parse(body.toString())
    if (secrets.length === 0) return response
    // Written again, digits have no escapes. A masked number is not JSON any more: that is no answer.
    const plain = JSON.stringify(response)
    const masked = secrets.reduce((text, secret) => text.replaceAll(secret, '[hidden]'), plain)
    return masked === plain ? response : JSON.parse(masked)
  } catch {
    return undefined
  }
}

function maskTexts<ApiResponse>(response: ApiResponse): ApiResponse {
  const fields = recordOf(response)
  for (const name of texts) {
    const text = fields[name]
    if (typeof text === 'string') fields[name] = maskText(text)
  }
  return response
}
