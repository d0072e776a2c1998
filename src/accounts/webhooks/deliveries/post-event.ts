import { compatibilityOf } from '../../../api/responses/compatibility.ts'
import { signMessage } from '../../../core/access/webhook-signature.ts'
import { type AttemptEnd, readRetryAfter } from '../../../core/limits/delivery-policy.ts'
import { childOf, type TraceContext, writeTraceparent } from '../../../core/log/trace-context.ts'
import type { OutboundResult } from '../../../outbound/outbound.ts'
import type { Service } from '../../../service.ts'
import type { StoredAttempt } from '../../../store/tables/accounts/webhook-tables.ts'
import { SealBroken } from '../../../vault/seal.ts'
import { authTokenText, type Webhook } from '../webhook.ts'
import { secretsOf } from '../webhook-secret.ts'

/** The event to post. */
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
  readonly stored: StoredAttempt
}

/** The body is the same at every attempt; `data` is inserted without parsing it. */
export function deliveryBody(event: DeliverableEvent): string {
  const { id, trigger, data, resource_id, sequence, created_on } = event
  const rest = JSON.stringify({ created_on: created_on.toISOString(), resource_id, sequence })
  return `{"id":"${id}","event":"${trigger}","data":${data},${rest.slice(1)}`
}

/** Posts an event once. */
export async function postEvent(
  service: Service,
  webhook: Webhook,
  event: DeliverableEvent,
  url: string = webhook.url,
): Promise<Attempt> {
  const data = compatibilityOf(service.config).deliveredData(event.data)
  const body = deliveryBody({ ...event, data })
  const fired_on = new Date(service.clock.now()).toISOString()
  const headers = headersFor(service, webhook, { id: event.id, body }, url)
  if (!headers) {
    const error = 'The stored credentials of the webhook cannot be opened.'
    const stored = { fired_on, duration_ms: 0, status: null, error, answer: null }
    return { status: null, retry_after_ms: null, stored }
  }
  const { traces } = service.observers
  const span = traces && childOf(traces.contextOf(event.resource_id))
  if (span) headers.traceparent = writeTraceparent(span)
  const result = await service.outbound.post({ url, body, headers })
  const { status, error, retry_after, duration_ms, answer } = result
  if (span) traceDelivery(service, event, span, url, result)
  return {
    status,
    retry_after_ms: readRetryAfter(retry_after, service.wall_clock.now()),
    stored: { fired_on, duration_ms, status, error, answer },
  }
}

/** Only the host of the address, because the rest can contain a secret. */
function traceDelivery(
  { observers, wall_clock }: Service,
  { id, trigger, resource_id }: DeliverableEvent,
  context: TraceContext,
  url: string,
  { status, duration_ms }: OutboundResult,
): void {
  observers.traces?.record({
    name: `POST webhook ${trigger}`,
    kind: 'client',
    context,
    parent_span_id: observers.traces.contextOf(resource_id).span_id,
    ended_ms: wall_clock.now(),
    duration_ms,
    has_failed: status === null || status >= 400,
    attributes: {
      'http.request.method': 'POST',
      'server.address': new URL(url).hostname,
      'http.response.status_code': status ?? undefined,
      'kaikei.event_id': id,
      'kaikei.resource_id': resource_id,
    },
  })
}

/** Signatures carry the machine's time, because a receiver compares it with its own. */
function headersFor(
  service: Service,
  webhook: Webhook,
  { id, body }: { id: string; body: string },
  url: string,
): Record<string, string> | null {
  const timestamp = Math.floor(service.wall_clock.now() / 1000)
  const { deliveryAuthorization } = compatibilityOf(service.config)
  try {
    // The credential is never sent to another URL than the webhook's own.
    const auth_token = url === webhook.url ? authTokenText(service, webhook) : null
    return {
      'content-type': 'application/json',
      'user-agent': 'Kaikei-Webhooks/1',
      'idempotency-key': id,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signMessage(secretsOf(service, webhook), { id, timestamp, body }),
      ...(auth_token ? { authorization: deliveryAuthorization(auth_token) } : {}),
    }
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    const { merchant_id, id: webhook_id } = webhook
    service.log.error(
      { security: 'seal broken', err: error, merchant_id, webhook_id },
      'a stored credential fails its integrity check: its row was changed outside the service',
    )
    return null
  }
}
