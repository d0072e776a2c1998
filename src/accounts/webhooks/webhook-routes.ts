import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { ownerName } from '../../api/routes/store-paths.ts'
import type { Caller } from '../../core/access/caller.ts'
import { filters } from '../../core/api/common-fields.ts'
import { described } from '../../core/api/described-schemas.ts'
import { failIfAny } from '../../core/api/errors.ts'
import { PageParameters } from '../../core/api/schemas.ts'
import { readInstant } from '../../core/typed/formats.ts'
import { atTimeOf, now, type Service } from '../../service.ts'

import { type PageQuery, readPage, viewPage } from '../../store/sql/reads/page.ts'
import { with_stores } from '../stores/list-scope.ts'

import { requireStore } from '../stores/store.ts'
import { createWebhook } from './create-webhook.ts'
import { deleteWebhook, patchWebhook } from './patch-webhook.ts'
import {
  allWebhooksOf,
  CreateWebhook,
  isPaused,
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

/** The paths of the same webhooks; the merchant's own have no store in their path. */
const places = [
  '',
  '/merchants/:merchant_id',
  '/stores/:store_id',
  '/merchants/:merchant_id/stores/:store_id',
] as const
type Place = (typeof places)[number]

const ListQuery = Type.Object({
  ...PageParameters,
  active: described(
    Type.Optional(Type.Boolean()),
    'Only active items (`true`), or only inactive ones (`false`).',
  ),
  paused: described(
    Type.Optional(Type.Boolean()),
    'With `true`, only webhooks that are paused or were deactivated after failures, in a ' +
      'mode of the caller.',
  ),
  'created_on.from': filters.from,
  'created_on.to': filters.to,
})

/** Only a path without a store can list those of all. */
const MerchantListQuery = Type.Object({ ...ListQuery.properties, with_stores })

interface ListFilter extends PageQuery {
  active?: boolean
  with_stores?: boolean
  paused?: boolean
  'created_on.from'?: string
  'created_on.to'?: string
}

type Path = { store_id?: string; webhook_id?: string }

/** The owner of the webhooks of a path; a webhook that the caller may not see does not exist for it. */
export async function ownerOf(service: Service, caller: Caller, path: Path): Promise<WebhookOwner> {
  const { merchant_id } = caller
  if (path.store_id === undefined) return { merchant_id, store_id: null }
  const { id } = await requireStore(service, caller, path.store_id)
  return { merchant_id, store_id: id }
}

/** The webhook of a path. */
export async function webhookOf(
  service: Service,
  caller: Caller,
  path: Path & { webhook_id: string },
): Promise<Webhook> {
  return requireWebhook(service, await ownerOf(service, caller, path), path.webhook_id)
}

async function listWebhooks(given: Service, caller: Caller, path: Path, query: ListFilter) {
  const owner = await ownerOf(given, caller, path)
  const { mode, merchant_id } = caller
  const service = atTimeOf(given, { merchant_id, mode: mode ?? 'live' })
  const { active, 'created_on.from': from, 'created_on.to': to } = query
  const lists_all = query.with_stores && owner.store_id === null
  let webhooks = lists_all ? allWebhooksOf(service, owner.merchant_id) : webhooksOf(service, owner)
  if (active !== undefined) webhooks = webhooks.where('active', '=', active)
  if (query.paused) webhooks = webhooks.where(isPaused(mode, now(service)))
  if (from) webhooks = webhooks.where('created_on', '>=', readInstant(from))
  if (to) webhooks = webhooks.where('created_on', '<', readInstant(to))
  return viewPage(await readPage<Webhook>(webhooks, query), (item) => viewWebhook(service, item))
}

/** The shared settings of the operations at one path. */
export function partsOf(prefix: string) {
  const level = prefix.includes(':store_id') ? 'store' : 'merchant'
  return {
    owner: ownerName(prefix),
    of: level === 'store' ? 'of a store' : 'of the merchant',
    access: { level: level === 'store' ? 'any' : level },
    triggerRules: ({ body }: { body: PatchWebhook }) => [
      () => failIfAny(triggerFaults(level, body.triggers ?? [])),
    ],
  } as const
}

function allWebhooks(prefix: Place): Route[] {
  const { owner, of, access, triggerRules } = partsOf(prefix)
  return [
    operation({
      at: `GET ${prefix}/webhooks`,
      id: `list${owner}Webhooks`,
      client: 'webhooks.list',
      tag: 'webhooks',
      summary: `List webhooks ${of}`,
      text: 'Newest first. Each webhook has its address and its events.',
      right: 'webhooks',
      access,
      query: prefix.includes(':store_id') ? ListQuery : MerchantListQuery,
      responses: { 200: WebhookPage },
      handle: ({ service, caller, params, query }) => listWebhooks(service, caller, params, query),
    }),

    operation({
      at: `POST ${prefix}/webhooks`,
      id: `create${owner}Webhook`,
      client: 'webhooks.create',
      tag: 'webhooks',
      summary: `Create a webhook ${of}`,
      text: "A store's webhook receives its store's events, a merchant's webhook those of all stores.",
      right: 'webhooks',
      access,
      errors: ['RESOURCE_LIMIT_REACHED', 'WEBHOOK_URL_EXISTS'],
      body: CreateWebhook,
      bodyRules: triggerRules,
      responses: { 201: WebhookView },
      handle: async ({ service, caller, params, body }) => {
        const owner = await ownerOf(service, caller, params)
        return viewWebhook(service, await createWebhook(service, owner, body))
      },
    }),
  ]
}

function oneWebhook(prefix: Place): Route[] {
  const { owner, of, access, triggerRules } = partsOf(prefix)
  const url = `${prefix}/webhooks/:webhook_id` as const
  return [
    operation({
      at: `GET ${url}`,
      id: `get${owner}Webhook`,
      client: 'webhooks.get',
      tag: 'webhooks',
      summary: `Get a webhook ${of}`,
      text: "The webhook's address and its events. Get the signing secret separately.",
      right: 'webhooks',
      access,
      responses: { 200: WebhookView },
      handle: async ({ service, caller, params }) =>
        viewWebhook(service, await webhookOf(service, caller, params)),
    }),

    operation({
      at: `PATCH ${url}`,
      id: `update${owner}Webhook`,
      client: 'webhooks.update',
      tag: 'webhooks',
      summary: `Update a webhook ${of}`,
      text: '`active: true` activates a webhook that the service has deactivated.',
      right: 'webhooks',
      access,
      errors: ['WEBHOOK_URL_EXISTS'],
      body: PatchWebhook,
      bodyRules: triggerRules,
      responses: { 200: WebhookView },
      handle: async ({ service, caller, params, body }) => {
        const owner = await ownerOf(service, caller, params)
        return viewWebhook(service, await patchWebhook(service, owner, params.webhook_id, body))
      },
    }),

    operation({
      at: `DELETE ${url}`,
      id: `delete${owner}Webhook`,
      client: 'webhooks.delete',
      tag: 'webhooks',
      summary: `Delete a webhook ${of}`,
      text: 'The webhook receives no more events.',
      right: 'webhooks',
      access,
      responses: { 204: Type.Null() },
      handle: async ({ service, caller, params }) => {
        const owner = await ownerOf(service, caller, params)
        await deleteWebhook(service, owner, params.webhook_id)
      },
    }),
  ]
}

export const webhookRoutes: readonly Route[] = places.flatMap((prefix) => [
  ...allWebhooks(prefix),
  ...oneWebhook(prefix),
])
