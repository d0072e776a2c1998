import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { PageParameters } from '../../core/api/schemas.ts'
import { readParts } from './next-transfer.ts'
import {
  NextTransferList,
  NextTransferQuery,
  showNextTransfers,
  TransferParts,
  viewPart,
} from './next-transfer-view.ts'
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
    text: 'The newest first. The operator creates and processes transfers.',
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
    at: 'GET /transfers/next',
    id: 'getNextTransfers',
    client: 'transfers.getNext',
    tag: 'transfers',
    summary: 'Get the next payout of each currency',
    text:
      'The transfer in progress, or the one that the schedule will create, with its date, ' +
      'account and reason. The mode defaults to live.',
    right: 'settings',
    access: { level: 'merchant' },
    query: NextTransferQuery,
    responses: { 200: NextTransferList },
    handle: ({ service, caller, query }) => showNextTransfers(service, caller, query),
  }),

  operation({
    at: 'GET /transfers/:transfer_id',
    id: 'getTransfer',
    client: 'transfers.get',
    tag: 'transfers',
    summary: 'Get a transfer',
    text: 'One payout with its amount, its period, its account and its status.',
    right: 'settings',
    access: { level: 'merchant' },
    responses: { 200: TransferView },
    handle: async ({ service, caller, params }) =>
      viewTransfer(await getTransfer(service, caller, params.transfer_id)),
  }),

  operation({
    at: 'GET /transfers/:transfer_id/parts',
    id: 'getTransferParts',
    client: 'transfers.getParts',
    tag: 'transfers',
    summary: 'Get the parts of a transfer',
    text: 'Sales, fees, refunds and more. For a failed or canceled transfer: the unpaid parts.',
    right: 'settings',
    access: { level: 'merchant' },
    responses: { 200: TransferParts },
    handle: async ({ service, caller, params }) => {
      const transfer = await getTransfer(service, caller, params.transfer_id)
      const parts = await readParts(service, transfer)
      return { parts: parts.map((part) => viewPart(part, transfer.currency)) }
    },
  }),

  operation({
    at: 'GET /transfers/:transfer_id/status_changes',
    id: 'listTransferStatusChanges',
    client: 'transfers.listStatusChanges',
    tag: 'transfers',
    summary: 'List the status changes of a transfer',
    text: 'Each change of the status, with its time and its reason.',
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
