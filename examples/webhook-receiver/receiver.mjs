// A receiver of webhooks in plain Node, without any package:
//
//   WEBHOOK_SECRET=whsec_… node receiver.mjs
//
// It does the four things every receiver has to do: verify, de-duplicate, order, answer quickly.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET ?? ''
const port = Number(process.env.PORT ?? 3000)
const max_bytes = 1024 * 1024
const tolerance_s = 5 * 60

if (!secret.startsWith('whsec_')) {
  console.error('Set WEBHOOK_SECRET to the secret of the webhook: whsec_…')
  process.exit(1)
}
const key = Buffer.from(secret.slice('whsec_'.length), 'base64')

/** The sender and the time. The signature covers the bytes as they arrived: parse them later. */
function isGenuine(headers, body) {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const age_s = Math.abs(Date.now() / 1000 - Number(timestamp))
  // A message that somebody recorded and sends again is refused by its age.
  if (!id || !(age_s <= tolerance_s)) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  // There are two signatures while the secret is being changed; one that fits is enough.
  return String(headers['webhook-signature'])
    .split(' ')
    .some((part) => {
      const [version, text = ''] = part.split(',')
      const given = Buffer.from(text, 'base64')
      return (
        version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
      )
    })
}

// In a real shop both are tables, written in the same transaction as the order that they change.
const seen = new Set()
const newest = new Map()

/** Handles a genuine message. */
function take({ id, event, data, resource_id, sequence }) {
  // A delivery whose answer was lost comes again, with the same id.
  if (seen.has(id)) return 'seen before'
  seen.add(id)
  // A repeated delivery may arrive after a later one; its content is outdated by then.
  if (sequence <= (newest.get(resource_id) ?? 0)) return 'overtaken'
  newest.set(resource_id, sequence)
  console.log(`${event} ${resource_id} ${sequence} ${data.status ?? ''}`.trim())
  return 'taken'
}

const server = createServer((request, response) => {
  const parts = []
  let bytes = 0
  request.on('data', (part) => {
    bytes += part.length
    if (bytes > max_bytes) request.destroy()
    else parts.push(part)
  })
  request.on('end', () => {
    const body = Buffer.concat(parts)
    if (request.method !== 'POST' || !isGenuine(request.headers, body)) {
      response.writeHead(401).end('The signature is not valid.\n')
      return
    }
    // Respond first, process afterwards: a response after three seconds counts as a failure, and the
    // delivery is repeated.
    response.writeHead(200).end(`${take(JSON.parse(body))}\n`)
  })
})
server.listen(port, '127.0.0.1', () => {
  console.log(`receiver at http://127.0.0.1:${server.address().port}/`)
})
