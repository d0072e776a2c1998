import Type from 'typebox'
import { requireStore } from '../../accounts/stores/store.ts'
import { paymentLinkUrl } from '../../api/hosted-links.ts'
import { operation, type Route } from '../../api/routes/operation.ts'
import { list_paths, ownerName } from '../../api/routes/store-paths.ts'
import type { Caller } from '../../core/access/caller.ts'
import { named } from '../../core/api/described-schemas.ts'
import { fail, plan_errors } from '../../core/api/errors.ts'
import { qrSvg } from '../../core/text/formats/qr-image.ts'
import { viewPage } from '../../store/sql/reads/page.ts'
import type { StoreOwner } from '../checkout/create-checkout-session.ts'
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

const one_path = '/stores/:store_id/payment_links/:payment_link_id'
const SvgFile = named('SvgFile', Type.String(), 'A picture as SVG.')

export const paymentLinkRoutes: readonly Route[] = [
  operation({
    at: 'POST /payment_links',
    id: 'createPaymentLink',
    client: 'paymentLinks.create',
    tag: 'payment links',
    summary: 'Create a payment link',
    text:
      'Every visitor gets a checkout session of their own; a use counts when it is paid. A ' +
      'store can have 1,000 active ones.',
    right: 'payments',
    access: { level: 'store' },
    errors: [...plan_errors, 'RESOURCE_LIMIT_REACHED'],
    body: CreatePaymentLink,
    responses: { 201: PaymentLinkView },
    handle: async ({ service, caller, body }) => {
      const link = await createPaymentLink(service, storeOwner(caller, caller.store_id), body)
      return viewPaymentLink(service, link)
    },
  }),

  // For users, who have no store of their own.
  operation({
    at: 'POST /stores/:store_id/payment_links',
    id: 'createStorePaymentLink',
    client: 'paymentLinks.create',
    tag: 'payment links',
    summary: 'Create a payment link of a store',
    text:
      'For users, in the mode of the console. An application token of the merchant has no ' +
      'mode.',
    right: 'payments',
    errors: [...plan_errors, 'RESOURCE_LIMIT_REACHED'],
    body: CreatePaymentLink,
    responses: { 201: PaymentLinkView },
    handle: async ({ service, caller, params, body }) => {
      const store = await requireStore(service, caller, params.store_id)
      const link = await createPaymentLink(service, storeOwner(caller, store.id), body)
      return viewPaymentLink(service, link)
    },
  }),

  ...list_paths.map((prefix) =>
    operation({
      at: `GET ${prefix}/payment_links`,
      id: `list${ownerName(prefix)}PaymentLinks`,
      client: 'paymentLinks.list',
      tag: 'payment links',
      summary: 'List payment links',
      text: 'Newest first: those of all stores, or of one store.',
      right: 'payments',
      query: ListPaymentLinks,
      responses: { 200: PaymentLinkPage },
      handle: async ({ service, caller, params, query }) => {
        const { store_id } = params
        if (store_id) await requireStore(service, caller, store_id)
        const owner = store_id ?? caller.store_id
        return viewPage(await listPaymentLinks(service, caller, owner, query), (one) =>
          viewPaymentLink(service, one),
        )
      },
    }),
  ),

  operation({
    at: `GET ${one_path}`,
    id: 'getPaymentLink',
    client: 'paymentLinks.get',
    tag: 'payment links',
    summary: 'Get a payment link',
    text: 'The link with its address, its amount and whether customers can still pay with it.',
    right: 'payments',
    responses: { 200: PaymentLinkView },
    handle: async ({ service, caller, params }) =>
      viewPaymentLink(service, await getPaymentLink(service, caller, params)),
  }),

  operation({
    at: `PATCH ${one_path}`,
    id: 'updatePaymentLink',
    client: 'paymentLinks.update',
    tag: 'payment links',
    summary: 'Update a payment link',
    text: 'Payments that are under way are not affected.',
    right: 'payments',
    errors: ['RESOURCE_LIMIT_REACHED'],
    body: PatchPaymentLink,
    responses: { 200: PaymentLinkView },
    handle: async ({ service, caller, params, body }) =>
      viewPaymentLink(service, await patchPaymentLink(service, caller, params, body)),
  }),

  operation({
    at: `GET ${one_path}/qr_code`,
    id: 'getPaymentLinkQrCode',
    client: 'paymentLinks.getQrCode',
    tag: 'payment links',
    summary: 'Get a payment link as a QR code',
    text: "A picture of the link's address, to be printed or shown on a screen.",
    right: 'payments',
    responses: { 200: { content: { 'image/svg+xml': { schema: SvgFile } } } },
    handle: async ({ service, caller, params }, reply) => {
      const link = await getPaymentLink(service, caller, params)
      return reply.type('image/svg+xml').send(qrSvg(paymentLinkUrl(service, link)) as never)
    },
  }),
]

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
