import Type, { type TProperties } from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { described, named } from '../../core/described-schemas.ts'
import { Id, Instant, NoFields, nullable } from '../../core/schemas.ts'
import type { Http, RouteModule } from '../route.ts'
import { ownerName } from '../store-paths.ts'
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
import { requireWebhook } from './webhook.ts'
import { ownerOf } from './webhook-routes.ts'
import {
  ChangeSecret,
  changeSecret,
  viewSecret,
  WebhookSecretView,
  withSecret,
} from './webhook-secret.ts'

const tags = ['webhooks']

const places: { prefix: string; path: TProperties; of: string }[] = [
  { prefix: '', path: {}, of: 'of the merchant' },
  { prefix: '/stores/:store_id', path: pathIds('store_id'), of: 'of a store' },
]

/** The result of one immediate attempt. */
const AttemptView = named(
  'ImmediateDelivery',
  Type.Object({
    id: described(Id, 'The id of the event that was sent.'),
    fired_on: described(Instant, 'When it was sent.'),
    duration_ms: described(Type.Integer(), 'How long the attempt took, in milliseconds.'),
    status: described(
      nullable(Type.Integer()),
      'The HTTP status of the response; null when there was none.',
    ),
    error: described(
      nullable(Type.String()),
      'Why there was no response; null when there was one.',
    ),
    answer: described(
      nullable(Type.String()),
      'The beginning of an unsuccessful response; otherwise null.',
    ),
  }),
  'The result of an event that was sent at once.',
)

export const deliveryRoutes: RouteModule = (http) => {
  for (const place of places) {
    addLog(http, place)
    addReplays(http, place)
    addSecret(http, place)
  }
}

type Place = (typeof places)[number]

function at({ prefix, path }: Place) {
  return {
    url: `${prefix}/webhooks/:webhook_id`,
    owner: ownerName(prefix),
    config: { access: { level: 'store_id' in path ? 'any' : 'merchant' } } as const,
    params: Type.Object({ ...path, ...pathIds('webhook_id') }),
    of_event: Type.Object({ ...path, ...pathIds('webhook_id', 'event_id') }),
    of_replay: Type.Object({ ...path, ...pathIds('webhook_id', 'replay_id') }),
  }
}

function addLog(http: Http, place: Place): void {
  const { url, owner, config, params, of_event } = at(place)
  http.get(
    `${url}/events`,
    {
      config,
      schema: {
        tags,
        summary: `List what was sent to a webhook ${place.of}`,
        operationId: `list${owner}WebhookDeliveries`,
        params,
        querystring: DeliveryQuery,
        response: { 200: DeliveryPage },
      },
    },
    async ({ service, caller, params, query }) => {
      const owner = await ownerOf(service, caller, params)
      return listDeliveries(service, await requireWebhook(service, owner, params.webhook_id), query)
    },
  )

  http.get(
    `${url}/events/:event_id`,
    {
      config,
      schema: {
        tags,
        summary: `Read what was sent to a webhook ${place.of}`,
        operationId: `get${owner}WebhookDelivery`,
        params: of_event,
        response: { 200: DeliveryView },
      },
    },
    async ({ service, caller, params }) => {
      const owner = await ownerOf(service, caller, params)
      const webhook = await requireWebhook(service, owner, params.webhook_id)
      return viewDelivery(await getDelivery(service, webhook, params.event_id))
    },
  )

  http.post(
    `${url}/events/:event_id/redeliver`,
    {
      config,
      schema: {
        tags,
        summary: `Send an event to a webhook ${place.of} again, or once to another URL`,
        operationId: `redeliver${owner}WebhookEvent`,
        params: of_event,
        body: Redeliver,
        response: { 200: AttemptView, 202: DeliveryView },
      },
    },
    async ({ service, caller, params, body }, reply) => {
      const owner = await ownerOf(service, caller, params)
      const webhook = await requireWebhook(service, owner, params.webhook_id)
      const { event_id } = params
      if (body.url) {
        return { id: event_id, ...(await sendTestDelivery(service, webhook, event_id, body.url)) }
      }
      reply.code(202)
      return viewDelivery(await redeliver(service, webhook, event_id))
    },
  )

  http.post(
    `${url}/ping`,
    {
      config,
      schema: {
        tags,
        summary: `Send a test event to a webhook ${place.of} immediately and return the result`,
        operationId: `ping${owner}Webhook`,
        params,
        body: Type.Optional(NoFields),
        response: { 200: AttemptView },
      },
    },
    async ({ service, caller, params }) => {
      const owner = await ownerOf(service, caller, params)
      return pingWebhook(service, await requireWebhook(service, owner, params.webhook_id))
    },
  )
}

function addReplays(http: Http, place: Place): void {
  const { url, owner, config, params, of_replay } = at(place)
  http.post(
    `${url}/replays`,
    {
      config,
      schema: {
        tags,
        summary: `Send many events to a webhook ${place.of} again, or only count them`,
        operationId: `create${owner}WebhookReplay`,
        params,
        body: CreateReplay,
        response: { 200: ReplayPreview, 202: ReplayView },
      },
    },
    async ({ service, caller, params, body }, reply) => {
      const owner = await ownerOf(service, caller, params)
      const webhook = await requireWebhook(service, owner, params.webhook_id)
      if (body.preview) {
        const filter = readReplay(service, webhook, body)
        return { count: await countEvents(service, webhook, filter, body.url) }
      }
      reply.code(202)
      return viewReplay(await createReplay(service, webhook, body))
    },
  )

  http.get(
    `${url}/replays/:replay_id`,
    {
      config,
      schema: {
        tags,
        summary: `Read the progress of a replay of a webhook ${place.of}`,
        operationId: `get${owner}WebhookReplay`,
        params: of_replay,
        response: { 200: ReplayView },
      },
    },
    async ({ service, caller, params }) => {
      const owner = await ownerOf(service, caller, params)
      const webhook = await requireWebhook(service, owner, params.webhook_id)
      return viewReplay(await getReplay(service, webhook, params.replay_id))
    },
  )
}

function addSecret(http: Http, place: Place): void {
  const { url, owner, config, params } = at(place)
  http.get(
    `${url}/secret`,
    {
      config,
      schema: {
        tags,
        summary: `Read what verifies the signatures of a webhook ${place.of}`,
        operationId: `get${owner}WebhookSecret`,
        params,
        response: { 200: WebhookSecretView },
      },
    },
    async ({ service, caller, params }) => {
      const owner = await ownerOf(service, caller, params)
      const webhook = await requireWebhook(service, owner, params.webhook_id)
      return viewSecret(service, await withSecret(service, webhook))
    },
  )

  http.post(
    `${url}/secret`,
    {
      config,
      schema: {
        tags,
        summary: `Change the secret of a webhook ${place.of}`,
        operationId: `change${owner}WebhookSecret`,
        params,
        body: ChangeSecret,
        response: { 201: WebhookSecretView },
      },
    },
    async ({ service, caller, params, body }, reply) => {
      const owner = await ownerOf(service, caller, params)
      reply.code(201)
      return viewSecret(service, await changeSecret(service, owner, params.webhook_id, body))
    },
  )
}
