import Type from 'typebox'
import { PollingQuery, poll } from '../../api/responses/poll.ts'
import { operation, type Route } from '../../api/routes/operation.ts'
import { PageParameters } from '../../core/api/schemas.ts'
import { getCharge } from '../../payments/charges/charge.ts'
import { listRows } from '../../store/sql/reads/list-rows.ts'
import { viewPage } from '../../store/sql/reads/page.ts'
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

const of_charge = '/stores/:store_id/charges/:charge_id/cancels'

export const cancelRoutes: readonly Route[] = [
  operation({
    at: `POST ${of_charge}`,
    id: 'createCancel',
    client: 'cancels.create',
    tag: 'cancels',
    summary: 'Cancel an awaiting or authorized charge',
    text:
      'Ends a charge that is `awaiting` or `authorized`; authorized money is released. A ' +
      '`successful` charge is refunded instead.',
    right: 'payments',
    confirm: 'amount',
    admit_as: 'money',
    errors: ['CANCEL_NOT_ALLOWED'],
    body: CreateCancel,
    responses: { 201: CancelView },
    handle: async ({ service, caller, params, body }) => {
      return viewCancel(await createCancel(service, caller, params, body.metadata))
    },
  }),

  operation({
    at: `GET ${of_charge}`,
    id: 'listCancels',
    client: 'cancels.list',
    tag: 'cancels',
    summary: 'List the cancels of a charge',
    text: 'Every cancel of the charge in every status, newest first.',
    right: 'payments',
    query: Type.Object(PageParameters),
    responses: { 200: CancelPage },
    handle: async ({ service, caller, params, query }) => {
      const { merchant_id, id: charge_id } = await getCharge(service, caller, params)
      const cancels = await listRows(service, 'cancels', { merchant_id, charge_id }, query)
      return viewPage(cancels, viewCancel)
    },
  }),

  operation({
    at: `GET ${of_charge}/:cancel_id`,
    id: 'getCancel',
    client: 'cancels.get',
    tag: 'cancels',
    summary: 'Get a cancel',
    text:
      'A cancel is `pending` until the provider has responded. `polling=true` waits for its' +
      ' outcome.',
    right: 'payments',
    query: PollingQuery,
    responses: { 200: CancelView },
    handle: async ({ service, caller, params, query }) => {
      const read = () => getCancel(service, caller, params)
      const isWaiting = ({ status }: Cancel) => status === 'pending'
      return viewCancel(await poll(service, params.cancel_id, query.polling, read, isWaiting))
    },
  }),

  operation({
    at: `PATCH ${of_charge}/:cancel_id`,
    id: 'updateCancel',
    client: 'cancels.update',
    tag: 'cancels',
    summary: 'Update the metadata of a cancel',
    text:
      'Keys of `metadata` are added or replaced. Nothing else of a cancel changes by an ' +
      'update.',
    right: 'payments',
    body: PatchCancel,
    responses: { 200: CancelView },
    handle: async ({ service, caller, params, body }) => {
      return viewCancel(await patchCancel(service, caller, params, body.metadata))
    },
  }),
]
