import { idempotency_limits, rate_limits } from '../../core/limits/limits.ts'
import { namesOf } from '../../core/table-names.ts'
import { idempotency_statuses, valid_key } from '../body/idempotency.ts'
import { usable_request_id } from '../reply/request-id.ts'
import type { Parameter, Reference } from './describe-operation.ts'

type Headers = Record<string, { description: string; schema: object }>

const bucket_words: Readonly<Record<keyof typeof rate_limits, string>> = {
  charge: 'calls that create charges or tokens',
  route: 'calls of this route',
  exact: 'calls of this address',
}

/** `x-request-id` as documents write it. */
function headerName(name: string): string {
  return name.replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())
}

const rate_headers: Headers = Object.fromEntries(
  namesOf(rate_limits).flatMap((bucket) => {
    const [limit, words] = [rate_limits[bucket], bucket_words[bucket]]
    return [
      [headerName(limit.remaining_header), `How many ${words} are possible at this moment.`],
      [headerName(limit.rate_header), `How many ${words} are possible in a minute.`],
    ].map(([name = '', description = '']) => [name, { description, schema: { type: 'integer' } }])
  }),
)

/** The headers of responses. */
export const header_components: Headers = {
  'X-Request-Id': {
    description:
      'Finds the request in the log. A request may send its own; otherwise the service makes one.',
    schema: { type: 'string', pattern: usable_request_id.source },
  },
  'Idempotency-Status': {
    description: 'The result for the `Idempotency-Key`.',
    schema: { type: 'string', enum: [...idempotency_statuses] },
  },
  'Retry-After': {
    description: 'The seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 0 },
  },
  ...rate_headers,
}

/** Parameters that no schema of a route has. */
export const header_parameters: Readonly<Record<string, Parameter>> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes retries safe: a request repeated with the same key within ' +
      `${idempotency_limits.stored_ms / 3_600_000} hours is not executed again and receives the ` +
      'first response.',
    schema: { type: 'string', pattern: valid_key.source, maxLength: idempotency_limits.key_length },
  },
}

export function headerReferences(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export const rate_header_names = Object.keys(rate_headers)
