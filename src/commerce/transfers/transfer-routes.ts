import Type from 'typebox'
import { operation, type Route } from '../../api/operation.ts'
import { PageParameters } from '../../core/api/schemas.ts'
import {
  getTransfer,
  ListTransfers,
  listStatusChanges,
  listTransfers,
  StatusChangePage,
  TransferPage,
  TransferView,
  viewStatusChange,
  viewTransfer,
} from './transfer.ts'

const querystring = Type.Object(PageParameters)

export const transferRoutes: readonly Route[] = [
  operation({
    at: 'GET /transfers',
    id: 'listTransfers',
    client: 'transfers.list',
    tag: 'transfers',
    summary: 'List transfers to the merchant',
    text: 'The newest first. The operator creates transfers and moves them on.',
    right: 'settings',
    access: { level: 'merchant' },
    query: ListTransfers,
    responses: { 200: TransferPage },
    handle: async ({ service, caller, query }) => {
      const { items, has_more } = await listTransfers(service, caller, query)
      return { items: items.map(viewTransfer), has_more }
    },
  }),

  operation({
    at: 'GET /transfers/:transfer_id',
    id: 'getTransfer',
    client: 'transfers.get',
    tag: 'transfers',
    summary: 'Read a transfer',
    right: 'settings',
    access: { level: 'merchant' },
    responses: { 200: TransferView },
    handle: async ({ service, caller, params }) =>
      viewTransfer(await getTransfer(service, caller, params.transfer_id)),
  }),

  operation({
    at: 'GET /transfers/:transfer_id/status_changes',
    id: 'listTransferStatusChanges',
    client: 'transfers.listStatusChanges',
    tag: 'transfers',
    summary: 'List how a transfer came to its status',
    right: 'settings',
    access: { level: 'merchant' },
    query: querystring,
    responses: { 200: StatusChangePage },
    handle: async ({ service, caller, params, query }) => {
      const { id } = await getTransfer(service, caller, params.transfer_id)
      const { items, has_more } = await listStatusChanges(service, caller, id, query)
      return { items: items.map(viewStatusChange), has_more }
    },
  }),
]
