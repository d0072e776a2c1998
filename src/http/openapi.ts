import fastifySwagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'

const description = `A payment service: tokens, charges, refunds, subscriptions, webhooks.
Requests carry \`Authorization: Bearer <secret>.<jwt>\`; people sign in with \`POST /authenticate\`
and may call what an application token of the merchant may. Bodies are JSON. Lists are paginated with
\`limit\`, \`cursor\` and \`cursor_direction\`. Every POST and PATCH may carry an \`Idempotency-Key\`.`

/** The API description is generated from the schemas that validate requests, so both always agree. */
export function addOpenApi(app: FastifyInstance): void {
  void app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Kaikei', version: '0.1.0', description, license: { name: 'MIT' } },
      components: {
        securitySchemes: {
          app_token: { type: 'http', scheme: 'bearer', description: '`<secret>.<jwt>`' },
          login_token: { type: 'http', scheme: 'bearer', description: '`<jwt>` of a user' },
        },
      },
      security: [{ app_token: [] }],
    },
  })
}
