import { newWebhookSecret, signMessage } from '../../src/core/access/webhook-signature.ts'

/** Calls the function of the README with a message that the service has signed. */
function callReceiver(secret: string): string {
  const [id, timestamp] = ['e-1', Math.floor(Date.now() / 1000)]
  const data = { id: 'c-1', status: 'failed' }
  const body = JSON.stringify({ id, event: 'charge_finished', data })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signMessage([secret], { id, timestamp, body }),
  }
  const request = `new Request('http://127.0.0.1', ${JSON.stringify({ method: 'POST', headers, body })})`
  return `console.log('received', (await receive(${request})).status)`
}

/** Something happens while the feed is read. */
const another_token = `setTimeout(() => kaikei.tokens.create({ payment_type: 'online',
  data: { brand: 'alipay_online', call_method: 'http_get' } }), 500)`

/** The blocks of the client's README are one program; the last one, the feed of events, does not end. */
export function clientProgram(blocks: string[], secret = newWebhookSecret('hmac')) {
  const before_feed = [...blocks.slice(0, -1), callReceiver(secret), another_token]
  return { secret, text: [...before_feed, ...blocks.slice(-1)].join('\n') }
}

/** The output of the program, in this order; the list has one line for each charge of the store. */
export const client_output =
  /^That is too much\.\n([\da-f-]{36} \w+\n)+c-1 failed\nreceived 204\n([\da-f-]{36} \w+\n)*[\da-f-]{36} token_created\n/
