import Type, { type TProperties } from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { NoFields } from '../../core/schemas.ts'
import { PollingQuery, poll } from '../poll.ts'
import type { Http, RouteModule } from '../route.ts'
import { ownerName } from '../store-paths.ts'
import { requireStore } from '../stores/store.ts'
import { acceptDispute, UpdateDispute, updateDispute } from './change-dispute.ts'
import { DisputePage, DisputeView, getDispute, viewDispute, viewWholeDispute } from './dispute.ts'
import {
  CreateDisputeFile,
  createFile,
  DisputeFileContent,
  deleteFile,
  getFile,
} from './dispute-files.ts'
import { ListDisputes, listDisputes } from './list-disputes.ts'

const tags = ['disputes']
const params = Type.Object(pathIds('store_id', 'dispute_id'))
const file_params = Type.Object(pathIds('store_id', 'dispute_id', 'file_id'))
const one_path = '/stores/:store_id/disputes/:dispute_id'

export const disputeRoutes: RouteModule = (http) => {
  addListRoute(http, '/disputes', {})
  addListRoute(http, '/stores/:store_id/disputes', pathIds('store_id'))
  addOneRoutes(http)
  addFileRoutes(http)
}

function addListRoute(http: Http, path: string, params: TProperties): void {
  http.get(
    path,
    {
      schema: {
        tags,
        summary: 'List disputes',
        operationId: `list${ownerName(path)}Disputes`,
        params: Type.Object(params),
        querystring: ListDisputes,
        response: { 200: DisputePage },
      },
    },
    async ({ service, caller, params, query }) => {
      const { store_id } = params as { store_id?: string }
      if (store_id) await requireStore(service, caller, store_id)
      const owner = store_id ?? caller.store_id
      const { items, has_more } = await listDisputes(service, caller, owner, query)
      return { items: items.map((one) => viewDispute(one)), has_more }
    },
  )
}

function addOneRoutes(http: Http): void {
  http.get(
    one_path,
    {
      schema: {
        tags,
        summary: 'Read a dispute',
        operationId: 'getDispute',
        params,
        querystring: PollingQuery,
        response: { 200: DisputeView },
      },
    },
    async ({ service, caller, params, query }) => {
      const read = () => getDispute(service, caller, params)
      const dispute = await poll(
        service,
        params.dispute_id,
        query.polling,
        read,
        ({ pending_response }) => pending_response !== null,
      )
      return viewWholeDispute(service, dispute)
    },
  )

  http.patch(
    one_path,
    {
      schema: {
        tags,
        summary: 'Write evidence, and send it to the bank',
        operationId: 'updateDispute',
        params,
        body: UpdateDispute,
        response: { 200: DisputeView },
      },
    },
    async ({ service, caller, params, body }) =>
      viewWholeDispute(service, await updateDispute(service, caller, params, body)),
  )

  http.post(
    `${one_path}/accept`,
    {
      schema: {
        tags,
        summary: 'Accept a dispute: the customer keeps the money',
        operationId: 'acceptDispute',
        params,
        body: Type.Optional(NoFields),
        response: { 200: DisputeView },
      },
    },
    async ({ service, caller, params }) =>
      viewWholeDispute(service, await acceptDispute(service, caller, params)),
  )
}

function addFileRoutes(http: Http): void {
  http.post(
    `${one_path}/files`,
    {
      schema: {
        tags,
        summary: 'Add a file to the evidence',
        operationId: 'createDisputeFile',
        params,
        body: CreateDisputeFile,
        response: { 201: DisputeView },
      },
    },
    async ({ service, caller, params, body }, reply) => {
      reply.code(201)
      return viewWholeDispute(service, await createFile(service, caller, params, body))
    },
  )

  http.get(
    `${one_path}/files/:file_id`,
    {
      schema: {
        tags,
        summary: 'Read a file of the evidence',
        operationId: 'getDisputeFile',
        params: file_params,
        response: { 200: DisputeFileContent },
      },
    },
    ({ service, caller, params }) => getFile(service, caller, params),
  )

  http.delete(
    `${one_path}/files/:file_id`,
    {
      schema: {
        tags,
        summary: 'Delete a file of the evidence',
        operationId: 'deleteDisputeFile',
        params: file_params,
        response: { 204: Type.Null() },
      },
    },
    async ({ service, caller, params }, reply) => {
      await deleteFile(service, caller, params)
      reply.code(204)
      return null
    },
  )
}
