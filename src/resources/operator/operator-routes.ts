import Type from 'typebox'
import { common, filters, ModeName, pathIds } from '../../core/common-fields.ts'
import { described, named } from '../../core/described-schemas.ts'
import { Id, NoFields, nullable, PageOf, PageParameters } from '../../core/schemas.ts'
import { statesOf } from '../../core/states.ts'
import { readInstant } from '../../core/text/formats.ts'
import { MerchantView, viewMerchant } from '../merchants/merchant.ts'
import { patchMerchant } from '../merchants/patch-merchant.ts'
import type { Http, RouteModule } from '../route.ts'
import { createTransfers } from '../transfers/create-transfers.ts'
import { createDueTransfers } from '../transfers/due-transfers.ts'
import { transfer_actions } from '../transfers/move-transfer.ts'
import { TransferPage, TransferView, viewTransfer } from '../transfers/transfer.ts'
import { findMerchant, listMerchants, listTransfers, moveAnyTransfer } from './all-merchants.ts'
import { HealthView, readHealth } from './service-health.ts'

const tags = ['operator']
const config = { access: { level: 'operator' } } as const
const merchant_params = Type.Object(pathIds('merchant_id'))

const OperatorMerchant = named(
  'OperatorMerchant',
  Type.Object({
    id: described(Id, 'The id of the merchant.'),
    name: described(Type.String(), 'The name of the merchant.'),
    email: described(Type.String(), 'The e-mail of the merchant.'),
    verified: described(Type.Boolean(), 'Whether it may use live mode.'),
    is_demo: described(Type.Boolean(), 'Whether it is the demo merchant.'),
    verification_data_id: described(
      nullable(Id),
      'The verification that the merchant has sent; null without one.',
    ),
    created_on: common.created_on,
  }),
  'A merchant, as operators list them.',
)
const Verify = named(
  'VerifyMerchant',
  Type.Object({ verified: described(Type.Literal(true), 'Allows live mode.') }),
  'That the merchant was verified.',
)
const CreateTransfers = named(
  'CreateTransfers',
  Type.Object({
    merchant_id: described(Id, 'The merchant that is paid.'),
    to: described(
      Type.Optional(Type.String({ format: 'instant' })),
      'Sales posted before this time are paid; by default all.',
    ),
    mode: described(Type.Optional(ModeName), 'Only this mode; by default both.'),
  }),
  'For whom transfers are created.',
)
const TransferList = named(
  'CreatedTransfers',
  Type.Object({
    transfers: Type.Array(TransferView, { description: 'The transfers that were created.' }),
  }),
  'New transfers.',
)
const MoveTransfer = named(
  'MoveTransfer',
  Type.Object({
    action: described(Type.Enum([...transfer_actions]), 'The step that was taken.'),
    reason: described(
      Type.Optional(Type.String({ maxLength: 255 })),
      'Why; stored with the change.',
    ),
  }),
  'The next step of a transfer.',
)

/** What the command line can do, for operators in the console. */
export const operatorRoutes: RouteModule = (http) => {
  addMerchants(http)
  addTransfers(http)
  http.get(
    '/operator/health',
    {
      config,
      schema: {
        tags,
        summary: 'Read how the service is',
        operationId: 'getOperatorHealth',
        response: { 200: HealthView },
      },
    },
    ({ service }) => readHealth(service),
  )
}

function addMerchants(http: Http): void {
  http.get(
    '/operator/merchants',
    {
      config,
      schema: {
        tags,
        summary: 'List all merchants',
        operationId: 'listOperatorMerchants',
        querystring: Type.Object({
          ...PageParameters,
          search: described(
            Type.Optional(Type.String({ maxLength: 255 })),
            'Only those with this text in their name or e-mail, or with this id.',
          ),
        }),
        response: { 200: PageOf(OperatorMerchant) },
      },
    },
    ({ service, query }) => listMerchants(service, query),
  )

  http.get(
    '/operator/merchants/:merchant_id',
    {
      config,
      schema: {
        tags,
        summary: 'Read any merchant',
        operationId: 'getOperatorMerchant',
        params: merchant_params,
        response: { 200: MerchantView },
      },
    },
    async ({ service, params }) => viewMerchant(await findMerchant(service, params.merchant_id)),
  )

  http.patch(
    '/operator/merchants/:merchant_id/verification',
    {
      config,
      schema: {
        tags,
        summary: 'Allow live mode for a merchant',
        operationId: 'updateOperatorVerification',
        params: merchant_params,
        body: Verify,
        response: { 200: MerchantView },
      },
    },
    async ({ service, params }) =>
      viewMerchant(
        await patchMerchant(service, params.merchant_id, { verified: true }, 'operator'),
      ),
  )
}

function addTransfers(http: Http): void {
  http.get(
    '/operator/transfers',
    {
      config,
      schema: {
        tags,
        summary: 'List transfers of all merchants',
        operationId: 'listOperatorTransfers',
        querystring: Type.Object({
          ...PageParameters,
          merchant_id: described(Type.Optional(Id), 'Only those of this merchant.'),
          status: described(
            Type.Optional(Type.Enum(statesOf('transfer'))),
            'Only those with this status.',
          ),
          mode: filters.mode,
        }),
        response: { 200: TransferPage },
      },
    },
    async ({ service, query }) => {
      const { items, has_more } = await listTransfers(service, query)
      return { items: items.map(viewTransfer), has_more }
    },
  )

  http.post(
    '/operator/transfers',
    {
      config,
      schema: {
        tags,
        summary: 'Create the transfers of what a merchant is owed',
        operationId: 'createOperatorTransfers',
        body: CreateTransfers,
        response: { 201: TransferList },
      },
    },
    async ({ service, body }, reply) => {
      const { merchant_id, to, mode } = body
      const until = to === undefined ? {} : { to: readInstant(to) ?? new Date(0) }
      const wanted = { merchant_id, started_by: 'operator', ...until, ...(mode ? { mode } : {}) }
      reply.code(201)
      return { transfers: (await createTransfers(service, wanted)).map(viewTransfer) }
    },
  )

  http.post(
    '/operator/due_transfers',
    {
      config,
      schema: {
        tags,
        summary: "Create the transfers that all merchants' schedules ask for",
        operationId: 'createDueTransfers',
        body: NoFields,
        response: { 201: TransferList },
      },
    },
    async ({ service }, reply) => {
      reply.code(201)
      return { transfers: (await createDueTransfers(service)).map(viewTransfer) }
    },
  )

  http.patch(
    '/operator/transfers/:transfer_id',
    {
      config,
      schema: {
        tags,
        summary: 'Move a transfer to its next state',
        operationId: 'updateOperatorTransfer',
        params: Type.Object(pathIds('transfer_id')),
        body: MoveTransfer,
        response: { 200: TransferView },
      },
    },
    async ({ service, params, body: { action, reason } }) =>
      viewTransfer(await moveAnyTransfer(service, params.transfer_id, action, reason)),
  )
}
