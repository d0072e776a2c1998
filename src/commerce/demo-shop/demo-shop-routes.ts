import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { login_limits } from '../../core/access/users.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, NoFields, nullable } from '../../core/api/schemas.ts'
import type { Service } from '../../service.ts'
import {
  beginDemoShop,
  demoShopLink,
  findDemoShop,
  isDemoShopReady,
  mayHaveDemoShop,
  removeDemoShop,
} from './demo-shop.ts'

const DemoShop = named(
  'DemoShop',
  Type.Object({
    merchant_id: described(
      nullable(Id),
      'The id of the merchant that is the demo shop; null: there is none.',
    ),
    is_allowed: described(
      Type.Boolean(),
      'Whether this service may have one: it has no verified merchant and no connector.',
    ),
    is_ready: described(Type.Boolean(), 'Whether it is filled; false without a demo shop.'),
  }),
  'The demo shop of the service: a merchant of its own in test mode, with half a year of invented payments.',
)
const DemoShopLink = named(
  'DemoShopLink',
  Type.Object({
    url: described(
      Type.String(),
      "Signs the demo shop's owner in to the console, once and within ten minutes.",
    ),
  }),
  'A way into the demo shop.',
)

async function stateOf(service: Service) {
  const merchant_id = (await findDemoShop(service))?.merchant_id ?? null
  const is_ready = merchant_id !== null && (await isDemoShopReady(service, merchant_id))
  return { merchant_id, is_allowed: await mayHaveDemoShop(service), is_ready }
}

async function linkOf(service: Service): Promise<{ url: string }> {
  const life_ms = login_limits.console_link_ms
  const url = await demoShopLink(service, service.address.base_url, life_ms)
  return url ? { url } : fail('NOT_FOUND', { message: 'This service has no demo shop.' })
}

const path = '/operator/demo_shop'

export const demoShopRoutes: readonly Route[] = [
  operation({
    at: `GET ${path}`,
    id: 'getDemoShop',
    client: 'operator.getDemoShop',
    tag: 'operator',
    summary: 'Get the demo shop',
    right: 'operator',
    responses: { 200: DemoShop },
    handle: ({ service }) => stateOf(service),
  }),

  operation({
    at: `POST ${path}`,
    id: 'createDemoShop',
    client: 'operator.createDemoShop',
    tag: 'operator',
    summary: 'Create the demo shop',
    text:
      'It is filled with half a year of payments, which takes some seconds: `is_ready` is true after that. ' +
      'The service must have no verified merchant and no connector.',
    right: 'operator',
    errors: ['DEMO_SHOP_EXISTS'],
    body: NoFields,
    responses: { 202: DemoShop },
    handle: async ({ service }) => {
      const { filled } = await beginDemoShop(service)
      // A shop that could not be filled is removed, and the reason is in the log.
      filled.catch(() => {})
      return stateOf(service)
    },
  }),

  operation({
    at: `POST ${path}/console_link`,
    id: 'createDemoShopLink',
    client: 'operator.createDemoShopLink',
    tag: 'operator',
    summary: 'Create a link that signs in to the demo shop',
    right: 'operator',
    body: NoFields,
    responses: { 201: DemoShopLink },
    handle: ({ service }) => linkOf(service),
  }),

  operation({
    at: `DELETE ${path}`,
    id: 'deleteDemoShop',
    client: 'operator.deleteDemoShop',
    tag: 'operator',
    summary: 'Remove the demo shop with everything in it',
    text: 'No other merchant can ever be removed.',
    right: 'operator',
    responses: { 204: Type.Null() },
    handle: async ({ service }) => {
      if (!(await removeDemoShop(service))) {
        fail('NOT_FOUND', { message: 'This service has no demo shop.' })
      }
    },
  }),
]
