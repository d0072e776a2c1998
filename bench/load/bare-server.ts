// The ceiling: a Fastify route that answers a small JSON object by a schema and does nothing else.
import { fastify } from 'fastify'
import { echo_schema } from './echo-schema.ts'

const app = fastify()
const merchant = { id: '019bbef3-b000-7650-9c59-ba71144b4313', name: 'Demo', verified: false }
const properties = {
  id: { type: 'string' },
  name: { type: 'string' },
  verified: { type: 'boolean' },
}
app.get(
  '/me',
  { schema: { response: { 200: { type: 'object', properties } } } },
  async () => merchant,
)
app.post(
  '/charges',
  { schema: { body: echo_schema, response: { 200: echo_schema } } },
  async ({ body }) => body,
)
process.stdout.write(`ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
