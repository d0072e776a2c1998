import Type from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { common, pathIds } from '../../core/common-fields.ts'
import { described, named } from '../../core/described-schemas.ts'
import { failField } from '../../core/errors.ts'
import { Id, PageParameters } from '../../core/schemas.ts'
import type { Service } from '../../service.ts'
import { type PageQuery, readPage } from '../../store/sql/page.ts'
import { metadataHasWords } from '../../store/sql/search.ts'
import { type ChargePath, getCharge } from '../charges/charge.ts'
import { ChargePathSchema } from '../charges/charge-routes.ts'
import { totalOf } from '../list-total.ts'
import { PollingQuery, poll } from '../poll.ts'
import type { Http, RouteModule } from '../route.ts'
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

const tags = ['refunds']
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

export const refundRoutes: RouteModule = (http) => {
  http.post(
    of_charge,
    {
      schema: {
        tags,
        summary: 'Refund part or all of a charge',
        operationId: 'createRefund',
        params: ChargePathSchema,
        body: CreateRefund,
        response: { 201: RefundView },
      },
    },
    async ({ service, caller, params, body }, reply) => {
      reply.code(201)
      return viewRefund(await createRefund(service, caller, params, body))
    },
  )

  http.get(
    of_charge,
    {
      schema: {
        tags,
        summary: 'List the refunds of a charge',
        operationId: 'listRefunds',
        params: ChargePathSchema,
        querystring: Type.Object({
          ...PageParameters,
          metadata: described(
            Type.Optional(Type.String({ maxLength: 255 })),
            'Only those whose metadata has these words, each by its beginning.',
          ),
        }),
        response: { 200: RefundPage },
      },
    },
    ({ service, caller, params, query }) => listRefunds(service, caller, params, query),
  )

  http.get(
    `${of_charge}/:refund_id`,
    {
      schema: {
        tags,
        summary: 'Read a refund',
        operationId: 'getRefund',
        params: Type.Object({ ...ChargePathSchema.properties, ...pathIds('refund_id') }),
        querystring: PollingQuery,
        response: { 200: RefundView },
      },
    },
    async ({ service, caller, params, query }) => {
      const read = () => getRefund(service, caller, params)
      const isWaiting = ({ status }: Refund) => status === 'pending'
      return viewRefund(await poll(service, params.refund_id, query.polling, read, isWaiting))
    },
  )
  addChangeRoutes(http)
}

function addChangeRoutes(http: Http): void {
  http.patch(
    `${of_charge}/:refund_id`,
    {
      schema: {
        tags,
        summary: 'Change a refund',
        operationId: 'updateRefund',
        params: Type.Object({ ...ChargePathSchema.properties, ...pathIds('refund_id') }),
        body: PatchRefund,
        response: { 200: RefundView },
      },
    },
    async ({ service, caller, params, body }) =>
      viewRefund(await patchRefund(service, caller, params, body)),
  )

  http.patch(
    '/stores/:store_id/refunds/:refund_id',
    {
      schema: {
        tags,
        summary: 'Change a refund, found without its charge',
        operationId: 'updateStoreRefund',
        params: Type.Object(pathIds('store_id', 'refund_id')),
        body: PatchRefund,
        response: { 200: RefundView },
      },
    },
    async ({ service, caller, params, body }) =>
      viewRefund(await patchRefund(service, caller, params, body)),
  )

  http.patch(
    of_charge,
    {
      schema: {
        tags,
        summary: 'Change the refund that the body names; it may be left out when there is one',
        operationId: 'updateChargeRefund',
        params: ChargePathSchema,
        body: PatchNamedRefund,
        response: { 200: RefundView },
      },
    },
    async ({ service, caller, params, body }) => {
      const named = body.refund_id ?? body.id
      const page = { limit: 10, cursor_direction: 'desc' } as const
      const { items } = await listRefunds(service, caller, params, page)
      const refund_id = named ?? (items.length === 1 ? items[0]?.id : undefined)
      if (!refund_id)
        failField('id', 'REQUIRED_VALUE', 'is required: say which refund of the charge is meant')
      return viewRefund(await patchRefund(service, caller, { ...params, refund_id }, body))
    },
  )
}
