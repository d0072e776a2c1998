import Type, { type TProperties } from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { fail } from '../../core/errors.ts'
import type { Metadata } from '../../core/text/metadata.ts'
import { PollingQuery, poll } from '../poll.ts'
import type { Http, RouteModule } from '../route.ts'
import { ownerName } from '../store-paths.ts'
import { requireStore } from '../stores/store.ts'
import { CaptureCharge, captureCharge } from './capture-charge.ts'
import { ChargePage, ChargeView, getViewedCharge, type ViewedCharge, viewCharge } from './charge.ts'
import { CreateCharge, PatchCharge } from './charge-input.ts'
import { createCharge } from './create/create-charge.ts'
import { ListCharges, listCharges } from './list-charges.ts'
import { patchCharge } from './patch-charge.ts'

const tags = ['charges']
export const ChargePathSchema = Type.Object(pathIds('store_id', 'charge_id'))

export const chargeRoutes: RouteModule = (http) => {
  http.post(
    '/charges',
    {
      config: { rate: 'charge', stores_answer: true, access: { level: 'store' } },
      schema: {
        tags,
        summary: 'Create a charge',
        operationId: 'createCharge',
        body: CreateCharge,
        response: { 201: ChargeView },
      },
    },
    async ({ service, caller, body, idempotency_writer }, reply) => {
      const { store_id, mode } = caller
      if (!store_id || !mode) fail('INVALID_PERMISSIONS')
      reply.code(201)
      const charge = await createCharge(
        service,
        { ...caller, store_id, mode },
        body,
        idempotency_writer,
      )
      return viewCharge(service, charge)
    },
  )
  addListRoute(http, '/charges', {})
  addListRoute(http, '/stores/:store_id/charges', pathIds('store_id'))

  http.get(
    '/stores/:store_id/charges/:charge_id',
    {
      config: { access: { without_secret: 'from_domains' } },
      schema: {
        tags,
        summary: 'Read a charge',
        operationId: 'getCharge',
        params: ChargePathSchema,
        querystring: PollingQuery,
        response: { 200: ChargeView },
      },
    },
    async ({ service, caller, params, query }) => {
      // It was visible to the caller before: the first read has no such row.
      const read = (written?: object) =>
        written
          ? Promise.resolve(written as ViewedCharge)
          : getViewedCharge(service, caller, params)
      const charge = await poll(
        service,
        params.charge_id,
        query.polling,
        read,
        ({ status }) => status === 'pending',
      )
      return viewCharge(service, charge, caller.with_secret)
    },
  )

  addChangeRoutes(http)
}

function addChangeRoutes(http: Http): void {
  http.patch(
    '/stores/:store_id/charges/:charge_id',
    {
      schema: {
        tags,
        summary: 'Change the metadata of a charge',
        operationId: 'updateCharge',
        params: ChargePathSchema,
        body: PatchCharge,
        response: { 200: ChargeView },
      },
    },
    async ({ service, caller, params, body }) =>
      viewCharge(
        service,
        await patchCharge(service, caller, params, body.metadata as Metadata | undefined),
      ),
  )

  http.post(
    '/stores/:store_id/charges/:charge_id/capture',
    {
      schema: {
        tags,
        summary: 'Capture an authorized charge; the answer has no body',
        operationId: 'captureCharge',
        params: ChargePathSchema,
        body: CaptureCharge,
        response: { 200: Type.String({ maxLength: 0 }) },
      },
    },
    async ({ service, caller, params, body }) => {
      await captureCharge(service, caller, params, body)
      return ''
    },
  )
}

function addListRoute(http: Http, path: string, params: TProperties): void {
  http.get(
    path,
    {
      schema: {
        tags,
        summary: 'List charges',
        operationId: `list${ownerName(path)}Charges`,
        params: Type.Object(params),
        querystring: ListCharges,
        response: { 200: ChargePage },
      },
    },
    async ({ service, caller, params, query }) => {
      const { store_id } = params as { store_id?: string }
      if (store_id) await requireStore(service, caller, store_id)
      return listCharges(service, caller, store_id ?? caller.store_id, query)
    },
  )
}
