import { pascalCase } from '../../core/api/described-schemas.ts'
import { namesOf } from '../../core/table-names.ts'
import { event_names } from '../../events/event-names.ts'
import { deliveryShape } from '../../views/events/event-shapes.ts'
import { json_type } from '../reply/error-handler.ts'
import type { Parameter, Reference } from './describe-operation.ts'
import type { Components } from './name-components.ts'

/** The headers of a delivery, as "Standard Webhooks" names them. */
export const delivery_headers: Readonly<Record<string, Parameter>> = {
  DeliveryId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description:
      'The id of the event. It is the same at every attempt, so your program can process each event once.',
    schema: { type: 'string', format: 'uuid' },
  },
  DeliveryTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description:
      'The sending time, in seconds since 1970; refuse deliveries older than five minutes.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  DeliverySignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'Signatures of `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces: `v1,` with an ' +
      'HMAC-SHA256, or `v1a,` with an Ed25519 signature, in base64. One of them must be right.',
    schema: { type: 'string', pattern: '^v1a?,\\S+( v1a?,\\S+)*$' },
  },
  DeliveryAuthorization: {
    name: 'authorization',
    in: 'header',
    description: 'The `auth_token` of the webhook, if it has one.',
    schema: { type: 'string' },
  },
}

const parameters: readonly Reference[] = Object.keys(delivery_headers).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}))

const responses = {
  '2XX': { description: 'Received; otherwise it is sent again.' },
}

/**
 * Every event that a webhook can ask for, as the request that its receiver gets. `x-levels` says
 * whether webhooks of stores, of the merchant or both can.
 */
export function describeWebhooks(components: Components) {
  const names = namesOf(event_names).filter((name) => event_names[name].levels.length > 0)
  const described = names.map((name) => {
    const content = { [json_type]: { schema: components.write(deliveryShape(name)) } }
    const post = {
      tags: ['webhooks'],
      summary: `The event ${name}`,
      operationId: `on${pascalCase(name)}`,
      security: [],
      parameters,
      requestBody: { required: true, content },
      responses,
      'x-levels': event_names[name].levels,
    }
    return [name, { post }] as const
  })
  return Object.fromEntries(described)
}
