// The receivers: `/ok…` responds immediately, `/slow…` after two and a half seconds, `/dead…` never.
// GET returns how long each message took since its event, or since its charge was created.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let taken_ms: number[] = []

const server = createServer((request, response) => {
  const { url = '', method } = request
  if (method === 'GET') {
    response.end(JSON.stringify(taken_ms))
    taken_ms = []
    return
  }
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (part) => {
    text += part
  })
  request.on('end', () => {
    if (url.startsWith('/dead')) return
    if (url.startsWith('/slow')) {
      setTimeout(() => response.end(), 2500)
      return
    }
    const { happened_ms, created_on } = JSON.parse(text).data
    taken_ms.push(Date.now() - (happened_ms ?? created_on))
    response.end()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`ready at http://127.0.0.1:${port}\n`)
})
