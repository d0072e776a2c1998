import Type from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { PageParameters } from '../../core/schemas.ts'
import { LedgerPage, listTransferLedgers, viewLedger } from '../ledgers/ledger.ts'
import type { RouteModule } from '../route.ts'
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

const tags = ['transfers']
const config = { access: { level: 'merchant' } } as const
const params = Type.Object(pathIds('transfer_id'))
const querystring = Type.Object(PageParameters)

export const transferRoutes: RouteModule = (http) => {
  http.get(
    '/transfers',
    {
      config,
      schema: {
        tags,
        summary: 'List transfers to the merchant',
        operationId: 'listTransfers',
        querystring: ListTransfers,
        response: { 200: TransferPage },
      },
    },
    async ({ service, caller, query }) => {
      const { items, has_more } = await listTransfers(service, caller, query)
      return { items: items.map(viewTransfer), has_more }
    },
  )

  http.get(
    '/transfers/:transfer_id',
    {
      config,
      schema: {
        tags,
        summary: 'Read a transfer',
        operationId: 'getTransfer',
        params,
        response: { 200: TransferView },
      },
    },
    async ({ service, caller, params }) =>
      viewTransfer(await getTransfer(service, caller, params.transfer_id)),
  )

  http.get(
    '/transfers/:transfer_id/ledgers',
    {
      config,
      schema: {
        tags,
        summary: 'List what a transfer pays',
        operationId: 'listTransferLedgers',
        params,
        querystring,
        response: { 200: LedgerPage },
      },
    },
    async ({ service, caller, params, query }) => {
      const { id } = await getTransfer(service, caller, params.transfer_id)
      const { items, has_more } = await listTransferLedgers(service, caller, id, query)
      return { items: items.map(viewLedger), has_more }
    },
  )

  http.get(
    '/transfers/:transfer_id/status_changes',
    {
      config,
      schema: {
        tags,
        summary: 'List how a transfer came to its status',
        operationId: 'listTransferStatusChanges',
        params,
        querystring,
        response: { 200: StatusChangePage },
      },
    },
    async ({ service, caller, params, query }) => {
      const { id } = await getTransfer(service, caller, params.transfer_id)
      const { items, has_more } = await listStatusChanges(service, caller, id, query)
      return { items: items.map(viewStatusChange), has_more }
    },
  )
}
