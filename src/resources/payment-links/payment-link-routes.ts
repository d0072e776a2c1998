import Type, { type TProperties } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { pathIds } from '../../core/common-fields.ts'
import { named } from '../../core/described-schemas.ts'
import { fail } from '../../core/errors.ts'
import { qrSvg } from '../../core/text/qr-image.ts'
import type { StoreOwner } from '../checkout/create-checkout-session.ts'
import { paymentLinkUrl } from '../hosted-links.ts'
import type { Http, RouteModule } from '../route.ts'
import { ownerName } from '../store-paths.ts'
import { requireStore } from '../stores/store.ts'
import {
  CreatePaymentLink,
  createPaymentLink,
  PatchPaymentLink,
  patchPaymentLink,
} from './create-payment-link.ts'
import {
  getPaymentLink,
  ListPaymentLinks,
  listPaymentLinks,
  PaymentLinkPage,
  PaymentLinkView,
  viewPaymentLink,
} from './payment-link.ts'

const tags = ['payment links']
const params = Type.Object(pathIds('store_id', 'payment_link_id'))
const one_path = '/stores/:store_id/payment_links/:payment_link_id'
const SvgFile = named('SvgFile', Type.String(), 'A picture as SVG.')

export const paymentLinkRoutes: RouteModule = (http) => {
  http.post(
    '/payment_links',
    {
      config: { access: { level: 'store' } },
      schema: {
        tags,
        summary: 'Create a payment link',
        operationId: 'createPaymentLink',
        body: CreatePaymentLink,
        response: { 201: PaymentLinkView },
      },
    },
    async ({ service, caller, body }, reply) => {
      const link = await createPaymentLink(service, storeOwner(caller, caller.store_id), body)
      reply.code(201)
      return viewPaymentLink(service, link)
    },
  )

  // For users, who have no store of their own.
  http.post(
    '/stores/:store_id/payment_links',
    {
      schema: {
        tags,
        summary: 'Create a payment link of a store',
        operationId: 'createStorePaymentLink',
        params: Type.Object(pathIds('store_id')),
        body: CreatePaymentLink,
        response: { 201: PaymentLinkView },
      },
    },
    async ({ service, caller, params, body }, reply) => {
      const store = await requireStore(service, caller, params.store_id)
      const link = await createPaymentLink(service, storeOwner(caller, store.id), body)
      reply.code(201)
      return viewPaymentLink(service, link)
    },
  )
  addListRoute(http, '/payment_links', {})
  addListRoute(http, '/stores/:store_id/payment_links', pathIds('store_id'))
  addOneRoutes(http)
}

/** A link belongs to one store and one mode. */
function storeOwner(caller: Caller, store_id: string | null): StoreOwner {
  const { mode } = caller
  if (!store_id || !mode) {
    return fail('INVALID_PERMISSIONS', {
      message: 'A payment link has a mode: use a token of its store.',
    })
  }
  return { ...caller, store_id, mode }
}

function addOneRoutes(http: Http): void {
  http.get(
    one_path,
    {
      schema: {
        tags,
        summary: 'Read a payment link',
        operationId: 'getPaymentLink',
        params,
        response: { 200: PaymentLinkView },
      },
    },
    async ({ service, caller, params }) =>
      viewPaymentLink(service, await getPaymentLink(service, caller, params)),
  )

  http.patch(
    one_path,
    {
      schema: {
        tags,
        summary: 'Change a payment link',
        operationId: 'updatePaymentLink',
        params,
        body: PatchPaymentLink,
        response: { 200: PaymentLinkView },
      },
    },
    async ({ service, caller, params, body }) =>
      viewPaymentLink(service, await patchPaymentLink(service, caller, params, body)),
  )

  http.get(
    `${one_path}/qr_code`,
    {
      schema: {
        tags,
        summary: 'Read a payment link as a QR code',
        operationId: 'getPaymentLinkQrCode',
        params,
        response: { 200: { content: { 'image/svg+xml': { schema: SvgFile } } } },
      },
    },
    async ({ service, caller, params }, reply) => {
      const link = await getPaymentLink(service, caller, params)
      return reply.type('image/svg+xml').send(qrSvg(paymentLinkUrl(service, link)) as never)
    },
  )
}

function addListRoute(http: Http, path: string, params: TProperties): void {
  http.get(
    path,
    {
      schema: {
        tags,
        summary: 'List payment links',
        operationId: `list${ownerName(path)}PaymentLinks`,
        params: Type.Object(params),
        querystring: ListPaymentLinks,
        response: { 200: PaymentLinkPage },
      },
    },
    async ({ service, caller, params, query }) => {
      const { store_id } = params as { store_id?: string }
      if (store_id) await requireStore(service, caller, store_id)
      const owner = store_id ?? caller.store_id
      const { items, has_more } = await listPaymentLinks(service, caller, owner, query)
      return { items: items.map((one) => viewPaymentLink(service, one)), has_more }
    },
  )
}
