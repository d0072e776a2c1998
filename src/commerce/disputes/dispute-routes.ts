import Type from 'typebox'
import { requireStore } from '../../accounts/stores/store.ts'
import { PollingQuery, poll } from '../../api/responses/poll.ts'
import { operation, type Route } from '../../api/routes/operation.ts'
import { list_paths, ownerName } from '../../api/routes/store-paths.ts'
import { NoFields } from '../../core/api/schemas.ts'
import { file_body_bytes } from '../../core/payments/disputes.ts'
import { viewPage } from '../../store/sql/reads/page.ts'
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

const one_path = '/stores/:store_id/disputes/:dispute_id'

export const disputeRoutes: readonly Route[] = [
  ...list_paths.map((prefix) =>
    operation({
      at: `GET ${prefix}/disputes`,
      id: `list${ownerName(prefix)}Disputes`,
      client: 'disputes.list',
      tag: 'disputes',
      summary: 'List disputes',
      text: 'The newest first. Evidence texts are not included.',
      right: 'payments',
      query: ListDisputes,
      responses: { 200: DisputePage },
      handle: async ({ service, caller, params, query }) => {
        const { store_id } = params
        if (store_id) await requireStore(service, caller, store_id)
        const owner = store_id ?? caller.store_id
        return viewPage(await listDisputes(service, caller, owner, query), (one) =>
          viewDispute(one),
        )
      },
    }),
  ),

  operation({
    at: `GET ${one_path}`,
    id: 'getDispute',
    client: 'disputes.get',
    tag: 'disputes',
    summary: 'Get a dispute',
    text:
      'With `polling=true` the request waits up to five seconds while a submitted response ' +
      'is being sent.',
    right: 'payments',
    query: PollingQuery,
    responses: { 200: DisputeView },
    handle: async ({ service, caller, params, query }) => {
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
  }),

  operation({
    at: `PATCH ${one_path}`,
    id: 'updateDispute',
    client: 'disputes.update',
    tag: 'disputes',
    summary: 'Update the evidence of a dispute, or submit it',
    text:
      'Texts are merged. With `submit` they are sent to the bank with all files, and can no ' +
      'longer change.',
    right: 'payments',
    errors: ['NOT_SUPPORTED_BY_PROCESSOR', 'DISPUTE_NOT_OPEN'],
    body: UpdateDispute,
    responses: { 200: DisputeView },
    handle: async ({ service, caller, params, body }) =>
      viewWholeDispute(service, await updateDispute(service, caller, params, body)),
  }),

  operation({
    at: `POST ${one_path}/accept`,
    id: 'acceptDispute',
    client: 'disputes.accept',
    tag: 'disputes',
    summary: 'Accept a dispute',
    text: 'The amount and the fee stay withdrawn. Accepting cannot be undone.',
    right: 'payments',
    errors: ['NOT_SUPPORTED_BY_PROCESSOR', 'DISPUTE_NOT_OPEN'],
    body: Type.Optional(NoFields),
    responses: { 200: DisputeView },
    handle: async ({ service, caller, params }) =>
      viewWholeDispute(service, await acceptDispute(service, caller, params)),
  }),

  operation({
    at: `POST ${one_path}/files`,
    id: 'createDisputeFile',
    client: 'disputes.createFile',
    tag: 'disputes',
    summary: 'Add a file to the evidence',
    text: 'PDF, PNG, JPEG or text; at most 5 files of 5 MB. They are stored encrypted.',
    right: 'payments',
    errors: ['RESOURCE_LIMIT_REACHED', 'DISPUTE_NOT_OPEN'],
    body_bytes: file_body_bytes,
    body: CreateDisputeFile,
    responses: { 201: DisputeView },
    handle: async ({ service, caller, params, body }) =>
      viewWholeDispute(service, await createFile(service, caller, params, body)),
  }),

  operation({
    at: `GET ${one_path}/files/:file_id`,
    id: 'getDisputeFile',
    client: 'disputes.getFile',
    tag: 'disputes',
    summary: 'Get a file of the evidence',
    text: 'The file as it was uploaded, with its media type.',
    right: 'payments',
    responses: { 200: DisputeFileContent },
    handle: ({ service, caller, params }) => getFile(service, caller, params),
  }),

  operation({
    at: `DELETE ${one_path}/files/:file_id`,
    id: 'deleteDisputeFile',
    client: 'disputes.deleteFile',
    tag: 'disputes',
    summary: 'Delete a file of the evidence',
    text: 'The file is no longer part of the evidence.',
    right: 'payments',
    errors: ['DISPUTE_NOT_OPEN'],
    responses: { 204: Type.Null() },
    handle: ({ service, caller, params }) => deleteFile(service, caller, params),
  }),
]
