import Type from 'typebox'
import { requireStore } from '../../accounts/stores/store.ts'
import { PollingQuery, poll } from '../../api/responses/poll.ts'
import { operation, type Route } from '../../api/routes/operation.ts'
import { list_paths, ownerName } from '../../api/routes/store-paths.ts'
import { fail, token_use_errors } from '../../core/api/errors.ts'
import { CaptureCharge, captureCharge } from './capture-charge.ts'
import { ChargePage, ChargeView, getViewedCharge, type ViewedCharge, viewCharge } from './charge.ts'
import { CreateCharge, PatchCharge } from './charge-input.ts'
import { createCharge } from './create/create-charge.ts'
import { ListCharges, listCharges } from './list-charges.ts'
import { patchCharge } from './patch-charge.ts'

export const chargeRoutes: readonly Route[] = [
  operation({
    at: 'POST /charges',
    id: 'createCharge',
    client: 'charges.create',
    tag: 'charges',
    summary: 'Create a charge',
    text:
      'Returns the charge as `pending` immediately and calls the provider afterwards. Poll ' +
      '`getCharge` with `polling=true`, or wait for the event `charge_finished`.',
    right: 'payments',
    access: { level: 'store' },
    rate: 'charge',
    admit_as: 'money',
    errors: [
      ...token_use_errors,
      'RESOURCE_LIMIT_REACHED',
      'NON_SUBSCRIPTION_PAYMENT',
      'RECURRING_USAGE_REQUIRES_CVV',
      'CARD_LOCKED',
      'NOT_SUPPORTED_BY_PROCESSOR',
      'USAGE_LIMIT_REACHED',
      'MERCHANT_TRANSACTION_ID_EXISTS',
    ],
    stores_response: true,
    body: CreateCharge,
    responses: { 201: ChargeView },
    handle: async ({ service, caller, body, idempotency_writer }) => {
      const { store_id, mode } = caller
      if (!store_id || !mode) fail('INVALID_PERMISSIONS')
      const charge = await createCharge(
        service,
        { ...caller, store_id, mode },
        body,
        idempotency_writer,
      )
      return viewCharge(service, charge)
    },
  }),

  ...list_paths.map((prefix) =>
    operation({
      at: `GET ${prefix}/charges`,
      id: `list${ownerName(prefix)}Charges`,
      client: 'charges.list',
      tag: 'charges',
      summary: 'List charges',
      text:
        'The newest first. A token of a store sees its store in its mode; a token of the ' +
        'merchant sees all.',
      right: 'payments',
      query: ListCharges,
      responses: { 200: ChargePage },
      handle: async ({ service, caller, params, query }) => {
        const { store_id } = params
        if (store_id) await requireStore(service, caller, store_id)
        return listCharges(service, caller, store_id ?? caller.store_id, query)
      },
    }),
  ),

  operation({
    at: 'GET /stores/:store_id/charges/:charge_id',
    id: 'getCharge',
    client: 'charges.get',
    tag: 'charges',
    summary: 'Get a charge',
    text:
      'With `polling=true` the response waits up to five seconds while the charge is ' +
      '`pending`.',
    right: 'payments',
    access: { without_secret: 'from_domains' },
    query: PollingQuery,
    responses: { 200: ChargeView },
    handle: async ({ service, caller, params, query }) => {
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
  }),

  operation({
    at: 'PATCH /stores/:store_id/charges/:charge_id',
    id: 'updateCharge',
    client: 'charges.update',
    tag: 'charges',
    summary: 'Update the metadata of a charge',
    text:
      'Keys of `metadata` are added or replaced. Amount, status and token never change by ' +
      'an update.',
    right: 'payments',
    body: PatchCharge,
    responses: { 200: ChargeView },
    handle: async ({ service, caller, params, body }) =>
      viewCharge(service, await patchCharge(service, caller, params, body.metadata)),
  }),

  operation({
    at: 'POST /stores/:store_id/charges/:charge_id/capture',
    id: 'captureCharge',
    client: 'charges.capture',
    tag: 'charges',
    summary: 'Capture an authorized charge',
    text:
      'Captures the authorized amount or a part of it, once. The rest is released. ' +
      'The response has no body. ' +
      'The charge becomes `successful` a moment later.',
    right: 'payments',
    confirm: 'amount',
    admit_as: 'money',
    errors: ['ALREADY_CAPTURED', 'CAPTURE_AMOUNT_TOO_LARGE', 'CURRENCY_MUST_MATCH_CHARGE'],
    body: CaptureCharge,
    responses: { 200: Type.String({ maxLength: 0 }) },
    handle: async ({ service, caller, params, body }) => {
      await captureCharge(service, caller, params, body)
      return ''
    },
  }),
]
