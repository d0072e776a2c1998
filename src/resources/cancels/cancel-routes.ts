import Type from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { PageParameters } from '../../core/schemas.ts'
import type { Metadata } from '../../core/text/metadata.ts'
import { readPage } from '../../store/sql/page.ts'
import { getCharge } from '../charges/charge.ts'
import { ChargePathSchema } from '../charges/charge-routes.ts'
import { PollingQuery, poll } from '../poll.ts'
import type { RouteModule } from '../route.ts'
import {
  type Cancel,
  CancelPage,
  CancelView,
  CreateCancel,
  createCancel,
  getCancel,
  PatchCancel,
  patchCancel,
  viewCancel,
} from './cancel.ts'

const tags = ['cancels']
const of_charge = '/stores/:store_id/charges/:charge_id/cancels'
const CancelPath = Type.Object({ ...ChargePathSchema.properties, ...pathIds('cancel_id') })

export const cancelRoutes: RouteModule = (http) => {
  http.post(
    of_charge,
    {
      schema: {
        tags,
        summary: 'Cancel a charge that waits or is authorized',
        operationId: 'createCancel',
        params: ChargePathSchema,
        body: CreateCancel,
        response: { 201: CancelView },
      },
    },
    async ({ service, caller, params, body }, reply) => {
      reply.code(201)
      const metadata = body.metadata as Metadata | null | undefined
      return viewCancel(await createCancel(service, caller, params, metadata))
    },
  )

  http.get(
    of_charge,
    {
      schema: {
        tags,
        summary: 'List the cancels of a charge',
        operationId: 'listCancels',
        params: ChargePathSchema,
        querystring: Type.Object(PageParameters),
        response: { 200: CancelPage },
      },
    },
    async ({ service, caller, params, query }) => {
      const charge = await getCharge(service, caller, params)
      const cancels = service.db
        .selectFrom('cancels')
        .selectAll()
        .where('merchant_id', '=', charge.merchant_id)
        .where('charge_id', '=', charge.id)
      const { items, has_more } = await readPage<Cancel>(cancels, query)
      return { items: items.map(viewCancel), has_more }
    },
  )

  http.get(
    `${of_charge}/:cancel_id`,
    {
      schema: {
        tags,
        summary: 'Read a cancel',
        operationId: 'getCancel',
        params: CancelPath,
        querystring: PollingQuery,
        response: { 200: CancelView },
      },
    },
    async ({ service, caller, params, query }) => {
      const read = () => getCancel(service, caller, params)
      const isWaiting = ({ status }: Cancel) => status === 'pending'
      return viewCancel(await poll(service, params.cancel_id, query.polling, read, isWaiting))
    },
  )

  http.patch(
    `${of_charge}/:cancel_id`,
    {
      schema: {
        tags,
        summary: 'Change the metadata of a cancel',
        operationId: 'updateCancel',
        params: CancelPath,
        body: PatchCancel,
        response: { 200: CancelView },
      },
    },
    async ({ service, caller, params, body }) => {
      const metadata = body.metadata as Metadata | undefined
      return viewCancel(await patchCancel(service, caller, params, metadata))
    },
  )
}
