import type { TSchema } from 'typebox'
import { recordOf } from '../../../core/read-unknown.ts'
import { printJson } from '../../../core/text/formats/print-json.ts'
import { minute_ms } from '../../../core/time/clock.ts'
import { max_skew_ms, signature_headers } from '../messages/sign-message.ts'
import { acquirer_operations, isRepeatable } from './acquirer-operations.ts'
import { NotificationBody } from './acquirer-responses.ts'

const { key, timestamp, signature } = signature_headers

const introduction = `What an acquirer implements so that Kaikei can take payments with it, in any
language. Kaikei is the client of everything but the notifications.

## Signatures

Every request, and every notification, has three headers: \`${key}\`, the id of the key;
\`${timestamp}\`, whole seconds since 1970; \`${signature}\`, the HMAC-SHA256 in lower-case
hexadecimal, with the secret of the key, of

    timestamp + "\\n" + method + "\\n" + path + "\\n" + body

The path is that of the request line, from the first slash on. Of a notification it is
\`/callbacks/{connector}\`, also where the address has a merchant's id behind that. Compare in constant
time, and refuse what is older or newer than ${max_skew_ms / minute_ms} minutes with status 401. While keys
are rotated, accept both, by their ids.

## Repetition

\`reference\`, also in \`Idempotency-Key\`, names an operation. Kaikei repeats a call whose answer was
lost, and inquires it. A repeated reference must have no second effect and gets the first outcome.

## Answers

Every answer that says what became of an operation has status 200. An answer of another shape, with a
field that is not described, or with another status is no answer: the operation is inquired. Only
\`not_taken\` may have another status.`

/** All three are in every message. */
const signed = {
  key: [key, 'The id of the key that signed.'],
  timestamp: [timestamp, 'Whole seconds since 1970.'],
  signature: [signature, 'HMAC-SHA256 of timestamp, method, path and body.'],
} as const

const header = (name: string, description: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
})

/** Schemas with a name are described once. Copies of the libraries' objects have no hidden keys. */
function newComponents() {
  const schemas: Record<string, unknown> = {}
  function place(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(place)
    if (typeof part !== 'object' || part === null) return part
    const { title, ...rest } = recordOf(part)
    const inner = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, place(one)]))
    if (typeof title !== 'string') return inner
    schemas[title] = inner
    return { $ref: `#/components/schemas/${title}` }
  }
  return { schemas, refer: (schema: TSchema) => place(JSON.parse(JSON.stringify(schema))) }
}

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })

/** The API of acquirers, as `docs/acquirer-api/openapi.json` has it. */
export function describeAcquirerApi(): string {
  const { schemas, refer } = newComponents()
  const refused = { description: 'The signature is not valid.' }
  const paths = Object.entries(acquirer_operations).map(([operationId, operation]) => {
    const { method, path, summary, request, response } = operation
    const parameters = [header('traceparent', 'W3C trace context.', false)]
    if (isRepeatable(operationId)) {
      parameters.push(header('idempotency-key', 'The `reference` of the body.'))
    }
    const body = request ? { requestBody: { required: true, ...json(refer(request)) } } : {}
    const responses = {
      200: { description: 'The answer.', ...json(refer(response)) },
      401: refused,
    }
    const described = { operationId, summary, parameters, ...body, responses }
    return [path, { [method.toLowerCase()]: described }]
  })
  const notified = {
    operationId: 'notify',
    summary: 'Tell Kaikei that something is new: POST to the address of the connector',
    requestBody: { required: true, ...json(refer(NotificationBody)) },
    responses: {
      204: { description: 'It is stored. Send it again after any other status.' },
      401: refused,
    },
  }
  const securitySchemes = Object.entries(signed).map(([name, [sent_as, description]]) => [
    name,
    { type: 'apiKey', in: 'header', name: sent_as, description },
  ])
  return `${printJson({
    openapi: '3.1.0',
    info: {
      title: 'Acquirer API of Kaikei',
      version: '1.0.0',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'https://acquirer.example', description: 'The `base_url` of the connector.' }],
    security: [{ key: [], timestamp: [], signature: [] }],
    paths: Object.fromEntries(paths),
    webhooks: { notification: { post: notified } },
    components: { securitySchemes: Object.fromEntries(securitySchemes), schemas },
  })}\n`
}
