// The ceiling: a Fastify route that answers a small JSON object by a schema and does nothing else.
import { fastify } from 'fastify'

const app = fastify()
const answer = { id: '019bbef3-b000-7650-9c59-ba71144b4313', name: 'Demo', verified: false }
const properties = {
  id: { type: 'string' },
  name: { type: 'string' },
  verified: { type: 'boolean' },
}
app.get(
  '/me',
  { schema: { response: { 200: { type: 'object', properties } } } },
  async () => answer,
)
const echo = {
  type: 'object',
  required: ['transaction_token_id', 'amount', 'currency'],
  properties: {
    transaction_token_id: { type: 'string', pattern: '^[0-9a-f-]{36}$' },
    amount: { type: 'integer', minimum: 1 },
    currency: { type: 'string', minLength: 3, maxLength: 3 },
    metadata: { type: 'object', additionalProperties: true },
  },
}
app.post('/charges', { schema: { body: echo, response: { 200: echo } } }, async ({ body }) => body)
process.stdout.write(`ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
