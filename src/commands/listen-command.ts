import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { PlainError } from '../core/plain-error.ts'
import { second_ms, systemClock } from '../core/time/clock.ts'
import { isWebhookSecret, newWebhookSecret, signMessage } from '../core/webhook-signature.ts'
import { answer_within_ms } from '../outbound/outbound.ts'
import { deliveryBody } from '../resources/webhooks/post-event.ts'
import { type ApiClient, newApiClient } from './api-client.ts'

interface FeedEvent {
  id: string
  event: string
  data: unknown
  created_on: string
  resource_id: string
  sequence: number
}

/**
 * Prints the events of the demo store as they happen and posts them to a local program, as a webhook
 * would: same body, same headers, signed with the printed secret.
 */
export async function listenCommand(config: Config, args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      'forward-to': { type: 'string' },
      events: { type: 'string' },
      secret: { type: 'string' },
    },
  })
  const url = values['forward-to']
  if (url !== undefined && !URL.canParse(url)) {
    throw new PlainError(`"${url}" is no address. Example: --forward-to http://localhost:3000/hook`)
  }
  if (values.secret !== undefined && !isWebhookSecret(values.secret)) {
    throw new PlainError(
      '--secret must be whsec_ and 24 to 64 bytes in base64. Leave it out to have one made.',
    )
  }
  const api = newApiClient(config)
  const secret = values.secret ?? newWebhookSecret('hmac')
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

  const stopped = once(stopping.signal, 'abort')
  let cursor = (await api.call('GET', '/events?limit=10')).items[0]?.id as string | undefined
  print(`Listening to the events of store ${api.credentials.store_id}. Stop with Ctrl-C.`)
  if (url) print(`Forwarding to ${url}, signed with ${secret}`)
  while (!stopping.signal.aborted) {
    const events = await nextEvents(api, cursor, values.events, stopped)
    for (const event of events) {
      cursor = event.id
      const end = url ? ` -> ${await forward(url, secret, event)}` : ''
      print(`${event.created_on} ${event.event} ${event.resource_id}${end}`)
    }
  }
  return 0
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Long-polls for events after the cursor. Retries while the service restarts. */
async function nextEvents(
  api: ApiClient,
  cursor: string | undefined,
  events: string | undefined,
  stopped: Promise<unknown>,
): Promise<FeedEvent[]> {
  const query = new URLSearchParams({ cursor_direction: 'asc', polling: 'true', limit: '100' })
  if (cursor) query.set('cursor', cursor)
  if (events) query.set('event', events)
  try {
    const page = await Promise.race([api.call('GET', `/events?${query}`), stopped])
    return page?.items ?? []
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    await Promise.race([sleep(second_ms), stopped])
    return []
  }
}

async function forward(url: string, secret: string, event: FeedEvent): Promise<string> {
  const { id, event: trigger, resource_id, sequence } = event
  const data = JSON.stringify(event.data)
  const created_on = new Date(event.created_on)
  const body = deliveryBody({ id, trigger, data, resource_id, sequence, created_on })
  const timestamp = Math.floor(systemClock.now() / 1000)
  const started_ms = systemClock.monotonic()
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(answer_within_ms),
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signMessage([secret], { id, timestamp, body }),
      },
      body,
    })
    await response.body?.cancel()
    return `${response.status} (${systemClock.monotonic() - started_ms} ms)`
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } }
    return `no answer: ${cause?.code ?? message}`
  }
}
