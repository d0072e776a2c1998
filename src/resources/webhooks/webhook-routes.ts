import type { FastifyRequest } from 'fastify'
import Type, { type TProperties } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { filters, pathIds } from '../../core/common-fields.ts'
import { described } from '../../core/described-schemas.ts'
import { failIfAny } from '../../core/errors.ts'
import { PageParameters } from '../../core/schemas.ts'
import { readInstant } from '../../core/text/formats.ts'
import type { Service } from '../../service.ts'
import { type PageQuery, readPage } from '../../store/sql/page.ts'
import type { Http, RouteModule } from '../route.ts'
import { ownerName } from '../store-paths.ts'
import { requireStore } from '../stores/store.ts'
import { createWebhook } from './create-webhook.ts'
import { deleteWebhook, patchWebhook } from './patch-webhook.ts'
import {
  CreateWebhook,
  PatchWebhook,
  requireWebhook,
  triggerFaults,
  viewWebhook,
  type Webhook,
  type WebhookOwner,
  WebhookPage,
  WebhookView,
  webhooksOf,
} from './webhook.ts'

/** The paths of the same webhooks; those of the merchant have no store in them. */
const places: { prefix: string; path: TProperties }[] = [
  { prefix: '', path: {} },
  { prefix: '/merchants/:merchant_id', path: pathIds('merchant_id') },
  { prefix: '/stores/:store_id', path: pathIds('store_id') },
  {
    prefix: '/merchants/:merchant_id/stores/:store_id',
    path: pathIds('merchant_id', 'store_id'),
  },
]

const ListQuery = Type.Object({
  ...PageParameters,
  active: described(Type.Optional(Type.Boolean()), 'Only those that are switched on, or off.'),
  'created_on.from': filters.from,
  'created_on.to': filters.to,
})

interface ListFilter extends PageQuery {
  active?: boolean
  'created_on.from'?: string
  'created_on.to'?: string
}

type Path = { store_id?: string; webhook_id?: string }

/** The owner of the webhooks of a path; what the caller may not see does not exist. */
export async function ownerOf(service: Service, caller: Caller, path: Path): Promise<WebhookOwner> {
  const { merchant_id } = caller
  if (path.store_id === undefined) return { merchant_id, store_id: null }
  const { id } = await requireStore(service, caller, path.store_id)
  return { merchant_id, store_id: id }
}

async function listWebhooks(service: Service, owner: WebhookOwner, query: ListFilter) {
  const { active, 'created_on.from': from, 'created_on.to': to } = query
  let webhooks = webhooksOf(service, owner)
  if (active !== undefined) webhooks = webhooks.where('active', '=', active)
  if (from) webhooks = webhooks.where('created_on', '>=', readInstant(from))
  if (to) webhooks = webhooks.where('created_on', '<', readInstant(to))
  const { items, has_more } = await readPage<Webhook>(webhooks, query)
  return { items: items.map((item) => viewWebhook(service, item)), has_more }
}

export const webhookRoutes: RouteModule = (http) => {
  for (const { prefix, path } of places) addRoutes(http, prefix, path)
}

/** What the routes of a store's and of a merchant's webhooks have in common. */
function partsOf(prefix: string, path: TProperties) {
  const level = 'store_id' in path ? 'store' : 'merchant'
  const triggerRules = ({ body }: FastifyRequest) => [
    () => failIfAny(triggerFaults(level, (body as PatchWebhook).triggers ?? [])),
  ]
  const config = { access: { level: level === 'store' ? 'any' : 'merchant' } } as const
  const of = level === 'store' ? 'of a store' : 'of the merchant'
  return { tags: ['webhooks'], config, of, owner: ownerName(prefix), triggerRules }
}

function addRoutes(http: Http, prefix: string, path: TProperties): void {
  const { tags, config, of, owner, triggerRules } = partsOf(prefix, path)
  const params = Type.Object(path)

  http.get(
    `${prefix}/webhooks`,
    {
      config,
      schema: {
        tags,
        summary: `List webhooks ${of}`,
        operationId: `list${owner}Webhooks`,
        params,
        querystring: ListQuery,
        response: { 200: WebhookPage },
      },
    },
    async ({ service, caller, params, query }) =>
      listWebhooks(service, await ownerOf(service, caller, params), query),
  )

  http.post(
    `${prefix}/webhooks`,
    {
      config: { ...config, bodyRules: triggerRules },
      schema: {
        tags,
        summary: `Create a webhook ${of}`,
        operationId: `create${owner}Webhook`,
        params,
        body: CreateWebhook,
        response: { 201: WebhookView },
      },
    },
    async ({ service, caller, params, body }, reply) => {
      const owner = await ownerOf(service, caller, params)
      reply.code(201)
      return viewWebhook(service, await createWebhook(service, owner, body))
    },
  )
  addWebhookRoutes(http, prefix, path)
}

/** Routes of one webhook. */
function addWebhookRoutes(http: Http, prefix: string, path: TProperties): void {
  const { tags, config, of, owner, triggerRules } = partsOf(prefix, path)
  const one = Type.Object({ ...path, ...pathIds('webhook_id') })

  http.get(
    `${prefix}/webhooks/:webhook_id`,
    {
      config,
      schema: {
        tags,
        summary: `Read a webhook ${of}`,
        operationId: `get${owner}Webhook`,
        params: one,
        response: { 200: WebhookView },
      },
    },
    async ({ service, caller, params }) => {
      const owner = await ownerOf(service, caller, params)
      return viewWebhook(service, await requireWebhook(service, owner, params.webhook_id))
    },
  )

  http.patch(
    `${prefix}/webhooks/:webhook_id`,
    {
      config: { ...config, bodyRules: triggerRules },
      schema: {
        tags,
        summary: `Change a webhook ${of}`,
        operationId: `update${owner}Webhook`,
        params: one,
        body: PatchWebhook,
        response: { 200: WebhookView },
      },
    },
    async ({ service, caller, params, body }) => {
      const owner = await ownerOf(service, caller, params)
      return viewWebhook(service, await patchWebhook(service, owner, params.webhook_id, body))
    },
  )

  http.delete(
    `${prefix}/webhooks/:webhook_id`,
    {
      config,
      schema: {
        tags,
        summary: `Delete a webhook ${of}`,
        operationId: `delete${owner}Webhook`,
        params: one,
        response: { 204: Type.Null() },
      },
    },
    async ({ service, caller, params }, reply) => {
      const owner = await ownerOf(service, caller, params)
      await deleteWebhook(service, owner, params.webhook_id)
      reply.code(204)
      return null
    },
  )
}
