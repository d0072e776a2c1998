import Type from 'typebox'
import { operation, type Route } from '../../../api/routes/operation.ts'
import { list_paths, type StorePath } from '../../../api/routes/store-paths.ts'
import { described, named } from '../../../core/api/described-schemas.ts'
import { Id, Instant, NoFields, nullable } from '../../../core/api/schemas.ts'
import { ownerOf, partsOf, webhookOf } from '../webhook-routes.ts'
import {
  ChangeSecret,
  changeSecret,
  viewSecret,
  WebhookSecretView,
  withSecret,
} from '../webhook-secret.ts'
import {
  DeliveryPage,
  DeliveryQuery,
  DeliveryView,
  getDelivery,
  listDeliveries,
  viewDelivery,
} from './delivery.ts'
import {
  CreateReplay,
  countEvents,
  createReplay,
  getReplay,
  ReplayPreview,
  ReplayView,
  readReplay,
  viewReplay,
} from './replay.ts'
import { pingWebhook, Redeliver, redeliver, sendTestDelivery } from './send-again.ts'

/** The result of one immediate attempt. */
const AttemptView = named(
  'ImmediateDelivery',
  Type.Object({
    id: described(Id, 'The id of the event that was sent.'),
    fired_on: described(Instant, 'The sending time.'),
    duration_ms: described(Type.Integer(), 'How long the attempt took, in milliseconds.'),
    status: described(
      nullable(Type.Integer()),
      'The HTTP status of the response; null when there was none.',
    ),
    error: described(
      nullable(Type.String()),
      'The reason for a missing response; null with a response.',
    ),
    answer: described(
      nullable(Type.String()),
      'The beginning of an unsuccessful response; otherwise null.',
    ),
  }),
  'The result of an event that was sent immediately.',
)

function logRoutes(prefix: StorePath): Route[] {
  const { owner, of, access } = partsOf(prefix)
  const url = `${prefix}/webhooks/:webhook_id` as const
  return [
    operation({
      at: `GET ${url}/events`,
      id: `list${owner}WebhookDeliveries`,
      client: 'webhooks.listDeliveries',
      tag: 'webhooks',
      summary: `List the deliveries of a webhook ${of}`,
      text: 'Every event sent to this webhook, with each attempt, newest first.',
      right: 'webhooks',
      access,
      query: DeliveryQuery,
      responses: { 200: DeliveryPage },
      handle: async ({ service, caller, params, query }) =>
        listDeliveries(service, await webhookOf(service, caller, params), query),
    }),
    operation({
      at: `GET ${url}/events/:event_id`,
      id: `get${owner}WebhookDelivery`,
      client: 'webhooks.getDelivery',
      tag: 'webhooks',
      summary: `Get a delivery of a webhook ${of}`,
      text: 'One delivery with its event, its attempts and its state.',
      right: 'webhooks',
      access,
      responses: { 200: DeliveryView },
      handle: async ({ service, caller, params }) => {
        const webhook = await webhookOf(service, caller, params)
        return viewDelivery(await getDelivery(service, webhook, params.event_id))
      },
    }),
  ]
}

function sendRoutes(prefix: StorePath): Route[] {
  const { owner, of, access } = partsOf(prefix)
  const url = `${prefix}/webhooks/:webhook_id` as const
  return [
    operation({
      at: `POST ${url}/events/:event_id/redeliver`,
      id: `redeliver${owner}WebhookEvent`,
      client: 'webhooks.redeliverEvent',
      tag: 'webhooks',
      summary: `Redeliver an event to a webhook ${of}`,
      text:
        'The event is sent with the same id and body. With `url` it is sent there once, to test a ' +
        'receiver.',
      right: 'webhooks',
      access,
      errors: ['WEBHOOK_INACTIVE'],
      body: Redeliver,
      responses: { 200: AttemptView, 202: DeliveryView },
      handle: async ({ service, caller, params, body }, reply) => {
        const webhook = await webhookOf(service, caller, params)
        const { event_id } = params
        if (body.url) {
          return { id: event_id, ...(await sendTestDelivery(service, webhook, event_id, body.url)) }
        }
        reply.code(202)
        return viewDelivery(await redeliver(service, webhook, event_id))
      },
    }),
    operation({
      at: `POST ${url}/ping`,
      id: `ping${owner}Webhook`,
      client: 'webhooks.ping',
      tag: 'webhooks',
      summary: `Send a test event to a webhook ${of}`,
      text: 'The response contains the result. The test event is not retried and not listed as a delivery.',
      right: 'webhooks',
      access,
      errors: ['WEBHOOK_INACTIVE'],
      body: Type.Optional(NoFields),
      responses: { 200: AttemptView },
      handle: async ({ service, caller, params }) =>
        pingWebhook(service, await webhookOf(service, caller, params)),
    }),
  ]
}

function replaysRoutes(prefix: StorePath): Route[] {
  const { owner, of, access } = partsOf(prefix)
  const url = `${prefix}/webhooks/:webhook_id` as const
  return [
    operation({
      at: `POST ${url}/replays`,
      id: `create${owner}WebhookReplay`,
      client: 'webhooks.createReplay',
      tag: 'webhooks',
      summary: `Create a replay of events to a webhook ${of}`,
      text:
        "Adds the events to the webhook's queue in their order. With `preview` they are only " +
        'counted.',
      right: 'webhooks',
      access,
      errors: ['RESOURCE_LIMIT_REACHED', 'WEBHOOK_INACTIVE'],
      body: CreateReplay,
      responses: { 200: ReplayPreview, 202: ReplayView },
      handle: async ({ service, caller, params, body }, reply) => {
        const webhook = await webhookOf(service, caller, params)
        if (body.preview) {
          const filter = readReplay(service, webhook, body)
          return { count: await countEvents(service, webhook, filter, body.url) }
        }
        reply.code(202)
        return viewReplay(await createReplay(service, webhook, body))
      },
    }),
    operation({
      at: `GET ${url}/replays/:replay_id`,
      id: `get${owner}WebhookReplay`,
      client: 'webhooks.getReplay',
      tag: 'webhooks',
      summary: `Get a replay of events to a webhook ${of}`,
      text: 'The number of events in total, queued and delivered so far.',
      right: 'webhooks',
      access,
      responses: { 200: ReplayView },
      handle: async ({ service, caller, params }) => {
        const webhook = await webhookOf(service, caller, params)
        return viewReplay(await getReplay(service, webhook, params.replay_id))
      },
    }),
  ]
}

function secretRoutes(prefix: StorePath): Route[] {
  const { owner, of, access } = partsOf(prefix)
  const url = `${prefix}/webhooks/:webhook_id` as const
  return [
    operation({
      at: `GET ${url}/secret`,
      id: `get${owner}WebhookSecret`,
      client: 'webhooks.getSecret',
      tag: 'webhooks',
      summary: `Get the signing secret of a webhook ${of}`,
      text: 'Verify signatures with it. You can get it at any time; store it like a password.',
      right: 'webhooks',
      confirm: 'always',
      access,
      responses: { 200: WebhookSecretView },
      handle: async ({ service, caller, params }) => {
        const webhook = await webhookOf(service, caller, params)
        return viewSecret(service, await withSecret(service, webhook))
      },
    }),
    operation({
      at: `POST ${url}/secret`,
      id: `change${owner}WebhookSecret`,
      client: 'webhooks.changeSecret',
      tag: 'webhooks',
      summary: `Rotate the signing secret of a webhook ${of}`,
      text: 'Both secrets sign during `overlap`, so receivers can switch.',
      right: 'webhooks',
      confirm: 'always',
      access,
      body: ChangeSecret,
      responses: { 201: WebhookSecretView },
      handle: async ({ service, caller, params, body }) => {
        const owner = await ownerOf(service, caller, params)
        return viewSecret(service, await changeSecret(service, owner, params.webhook_id, body))
      },
    }),
  ]
}

export const deliveryRoutes: readonly Route[] = list_paths.flatMap((prefix) => [
  ...logRoutes(prefix),
  ...sendRoutes(prefix),
  ...replaysRoutes(prefix),
  ...secretRoutes(prefix),
])
