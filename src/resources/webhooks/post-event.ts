import { type AttemptEnd, readRetryAfter } from '../../core/delivery-policy.ts'
import { signMessage } from '../../core/webhook-signature.ts'
import type { Service } from '../../service.ts'
import type { DeliveryTry } from '../../store/webhook-tables.ts'
import { compatibilityOf } from '../compatibility.ts'
import { authTokenText, type Webhook } from './webhook.ts'
import { secretsOf } from './webhook-secret.ts'

/** What is posted. */
export interface DeliverableEvent {
  readonly id: string
  /** Its name as the webhook spells it. */
  readonly trigger: string
  /** The resource as JSON. */
  readonly data: string
  readonly resource_id: string
  readonly sequence: number
  readonly created_on: Date
}

export interface Attempt extends AttemptEnd {
  readonly kept: DeliveryTry
}

/** The body is the same at every attempt; nothing in it is taken apart on the way. */
export function deliveryBody(event: DeliverableEvent): string {
  const { id, trigger, data, resource_id, sequence, created_on } = event
  const rest = JSON.stringify({ created_on: created_on.toISOString(), resource_id, sequence })
  return `{"id":"${id}","event":"${trigger}","data":${data},${rest.slice(1)}`
}

/** Posts an event once. Signatures carry the machine's time, since a receiver checks it by its own. */
export async function postEvent(
  service: Service,
  webhook: Webhook,
  event: DeliverableEvent,
  url: string = webhook.url,
): Promise<Attempt> {
  const body = deliveryBody(event)
  const timestamp = Math.floor(service.wall_clock.now() / 1000)
  const auth_token = authTokenText(service, webhook)
  const { deliveryAuthorization } = compatibilityOf(service.config)
  const fired_on = new Date(service.clock.now()).toISOString()
  const result = await service.outbound.post({
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Kaikei-Webhooks/1',
      'idempotency-key': event.id,
      'webhook-id': event.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signMessage(secretsOf(service, webhook), {
        id: event.id,
        timestamp,
        body,
      }),
      // Never given to another address than its own.
      ...(auth_token && url === webhook.url
        ? { authorization: deliveryAuthorization(auth_token) }
        : {}),
    },
  })
  const { status, error, answer, retry_after, duration_ms } = result
  return {
    status,
    retry_after_ms: readRetryAfter(retry_after, service.wall_clock.now()),
    kept: { fired_on, duration_ms, status, error, answer },
  }
}
