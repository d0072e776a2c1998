import Type from 'typebox'
import { totalOf } from '../../api/responses/list-total.ts'
import { PollingQuery, poll } from '../../api/responses/poll.ts'
import { operation, type Route } from '../../api/routes/operation.ts'
import type { Caller } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { failField } from '../../core/api/errors.ts'
import { Id, PageParameters } from '../../core/api/schemas.ts'
import { type ChargePath, getCharge } from '../../payments/charges/charge.ts'
import type { Service } from '../../service.ts'
import { type PageQuery, readPage } from '../../store/sql/reads/page.ts'
import { metadataHasWords } from '../../store/sql/reads/search.ts'
import { createRefund, patchRefund } from './create-refund.ts'
import {
  CreateRefund,
  getRefund,
  PatchRefund,
  type Refund,
  RefundPage,
  RefundView,
  viewRefund,
} from './refund.ts'

const of_charge = '/stores/:store_id/charges/:charge_id/refunds'

const PatchNamedRefund = named(
  'UpdateChargeRefund',
  Type.Object({
    ...PatchRefund.properties,
    metadata: Type.Optional(common.changed_metadata),
    id: described(
      Type.Optional(Id),
      'The id of the refund; not needed when the charge has only one.',
    ),
    refund_id: described(Type.Optional(Id), 'The same as `id`.'),
  }),
  'Changes to a refund that the body names.',
)

async function listRefunds(
  service: Service,
  caller: Caller,
  path: ChargePath,
  query: PageQuery & { metadata?: string },
) {
  const charge = await getCharge(service, caller, path)
  let refunds = service.db
    .selectFrom('refunds')
    .selectAll()
    .where('merchant_id', '=', charge.merchant_id)
    .where('charge_id', '=', charge.id)
  if (query.metadata) {
    refunds = refunds.where(metadataHasWords('refunds', charge.merchant_id, query.metadata))
  }
  const [{ items, has_more }, total] = await Promise.all([
    readPage<Refund>(refunds, query),
    totalOf(service, refunds),
  ])
  return { items: items.map(viewRefund), has_more, ...total }
}

export const refundRoutes: readonly Route[] = [
  operation({
    at: `POST ${of_charge}`,
    id: 'createRefund',
    client: 'refunds.create',
    tag: 'refunds',
    summary: 'Refund part or all of a charge',
    text:
      'Only a `successful` charge can be refunded, fully or in parts. Payments at ' +
      'convenience stores and bank transfers cannot be refunded.',
    right: 'payments',
    confirm: 'amount',
    admit_as: 'money',
    errors: [
      'CANNOT_REFUND_UNSUCCESSFUL_CHARGE',
      'CURRENCY_MUST_MATCH_CHARGE',
      'CHARGE_DISPUTED',
      'REFUND_EXCEEDS_CHARGE_AMOUNT',
      'REFUND_NOT_ALLOWED',
      'REFUND_NOT_WITHIN_BOUNDS',
    ],
    body: CreateRefund,
    responses: { 201: RefundView },
    handle: async ({ service, caller, params, body }) =>
      viewRefund(await createRefund(service, caller, params, body)),
  }),

  operation({
    at: `GET ${of_charge}`,
    id: 'listRefunds',
    client: 'refunds.list',
    tag: 'refunds',
    summary: 'List the refunds of a charge',
    text: 'Every refund of the charge in every status, newest first.',
    right: 'payments',
    query: Type.Object({
      ...PageParameters,
      metadata: described(
        Type.Optional(Type.String({ maxLength: 255 })),
        'Only items whose metadata contains words that begin with each of these.',
      ),
    }),
    responses: { 200: RefundPage },
    handle: ({ service, caller, params, query }) => listRefunds(service, caller, params, query),
  }),

  operation({
    at: `GET ${of_charge}/:refund_id`,
    id: 'getRefund',
    client: 'refunds.get',
    tag: 'refunds',
    summary: 'Get a refund',
    text:
      'A refund is `pending` until the provider has responded. `polling=true` waits for its' +
      ' outcome.',
    right: 'payments',
    query: PollingQuery,
    responses: { 200: RefundView },
    handle: async ({ service, caller, params, query }) => {
      const read = () => getRefund(service, caller, params)
      const isWaiting = ({ status }: Refund) => status === 'pending'
      return viewRefund(await poll(service, params.refund_id, query.polling, read, isWaiting))
    },
  }),

  operation({
    at: `PATCH ${of_charge}/:refund_id`,
    id: 'updateRefund',
    client: 'refunds.update',
    tag: 'refunds',
    summary: 'Update a refund',
    text:
      'Changes the reason, the note and the metadata. Amount and status never change by an ' +
      'update.',
    right: 'payments',
    body: PatchRefund,
    responses: { 200: RefundView },
    handle: async ({ service, caller, params, body }) =>
      viewRefund(await patchRefund(service, caller, params, body)),
  }),

  operation({
    at: 'PATCH /stores/:store_id/refunds/:refund_id',
    id: 'updateStoreRefund',
    client: null,
    tag: 'refunds',
    summary: 'Update a refund by its id alone',
    text: 'The same as `updateRefund`, without the charge in the path.',
    right: 'payments',
    body: PatchRefund,
    responses: { 200: RefundView },
    handle: async ({ service, caller, params, body }) =>
      viewRefund(await patchRefund(service, caller, params, body)),
  }),

  operation({
    at: `PATCH ${of_charge}`,
    id: 'updateChargeRefund',
    client: null,
    tag: 'refunds',
    summary: 'Update the refund that the body names',
    text: 'The same as `updateRefund`, with the id of the refund in the body.',
    right: 'payments',
    body: PatchNamedRefund,
    responses: { 200: RefundView },
    handle: async ({ service, caller, params, body }) => {
      const named = body.refund_id ?? body.id
      const page = { limit: 10, cursor_direction: 'desc' } as const
      const { items } = await listRefunds(service, caller, params, page)
      const refund_id = named ?? (items.length === 1 ? items[0]?.id : undefined)
      if (!refund_id)
        failField('id', 'REQUIRED_VALUE', 'is required: say which refund of the charge is meant')
      return viewRefund(await patchRefund(service, caller, { ...params, refund_id }, body))
    },
  }),
]
