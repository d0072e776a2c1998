import { deliveryBody } from '../../accounts/webhooks/deliveries/post-event.ts'
import {
  isWebhookSecret,
  newWebhookSecret,
  signMessage,
} from '../../core/access/webhook-signature.ts'
import { PlainError } from '../../core/api/plain-error.ts'
import { faultOf } from '../../core/read-unknown.ts'
import { systemClock } from '../../core/time/clock.ts'
import { response_within_ms } from '../../outbound/outbound.ts'
import type { Run } from '../command-table.ts'
import { newApiClient } from '../line/api-client.ts'
import { type FeedEvent, followEvents } from './print-feed.ts'

/**
 * Prints the events of the demo store as they happen and posts them to a local program, as a webhook
 * would: same body, same headers, signed with the printed secret.
 */
export const listenToEvents: Run<'listen'> = async (context, _, options) => {
  const { config, terminal } = context
  const { 'forward-to': url, events, secret = newWebhookSecret('hmac') } = options
  if (url !== undefined && !URL.canParse(url)) {
    throw new PlainError(`"${url}" is no address. Example: --forward-to http://localhost:3000/hook`)
  }
  if (!isWebhookSecret(secret)) {
    throw new PlainError(
      '--secret must be whsec_ and 24 to 64 bytes in base64. Leave it out to have one made.',
    )
  }
  const api = newApiClient(config)
  const feed = followEvents(api, {
    events,
    last: 0,
    follow: true,
    stopped: context.untilStopped(),
    onListening: () => {
      const { store_id } = api.credentials
      terminal.write(`Listening to the events of store ${store_id}. Stop with Ctrl-C.\n`)
      if (url) terminal.write(`Forwarding to ${url}, signed with ${secret}\n`)
    },
    onTrouble: (message) => terminal.writeError(`${message}\n`),
  })
  for await (const event of feed) {
    const end = url ? ` -> ${await forward(url, secret, event)}` : ''
    terminal.write(`${event.created_on} ${event.event} ${event.resource_id}${end}\n`)
  }
  return 0
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
      signal: AbortSignal.timeout(response_within_ms),
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
    const { cause, message } = faultOf(error)
    return `no answer: ${faultOf(cause).code ?? message}`
  }
}
