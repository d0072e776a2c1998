import Type from 'typebox'
import { MerchantView, viewMerchant } from '../../accounts/merchants/merchant.ts'
import { patchMerchant } from '../../accounts/merchants/patch-merchant.ts'
import { operation, type Route } from '../../api/routes/operation.ts'
import { common, filters, ModeName } from '../../core/api/common-fields.ts'
import { described, extended, named } from '../../core/api/described-schemas.ts'
import { Id, NoFields, nullable, PageOf, PageParameters } from '../../core/api/schemas.ts'
import { statesOf } from '../../core/payments/states.ts'
import { readInstant } from '../../core/typed/formats.ts'
import { viewPage } from '../../store/sql/reads/page.ts'
import { createTransfers } from '../transfers/create-transfers.ts'
import { createDueTransfers } from '../transfers/due-transfers.ts'
import { transfer_actions } from '../transfers/move-transfer.ts'
import { TransferView, viewTransfer } from '../transfers/transfer.ts'
import {
  findMerchant,
  listMerchants,
  listTransfers,
  merchantNames,
  moveAnyTransfer,
} from './all-merchants.ts'

const OperatorTransfer = extended(
  'OperatorTransfer',
  TransferView,
  { merchant_name: common.merchant_name },
  'A transfer with the name of its merchant.',
)

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
    mode: described(Type.Optional(ModeName), 'Only items of this mode. Default: both modes.'),
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

/** The functions of the command line for operators in the console. */
export const operatorRoutes: readonly Route[] = [
  operation({
    at: 'GET /operator/merchants',
    id: 'listOperatorMerchants',
    client: 'operator.listMerchants',
    tag: 'operator',
    summary: 'List all merchants',
    right: 'operator',
    query: Type.Object({
      ...PageParameters,
      search: described(
        Type.Optional(Type.String({ maxLength: 255 })),
        'Only items with this text in their name or e-mail, or with this id.',
      ),
    }),
    responses: { 200: PageOf(OperatorMerchant) },
    handle: ({ service, query }) => listMerchants(service, query),
  }),

  operation({
    at: 'GET /operator/merchants/:merchant_id',
    id: 'getOperatorMerchant',
    client: 'operator.getMerchant',
    tag: 'operator',
    summary: 'Get any merchant',
    right: 'operator',
    responses: { 200: MerchantView },
    handle: async ({ service, params }) =>
      viewMerchant(await findMerchant(service, params.merchant_id)),
  }),

  operation({
    at: 'PATCH /operator/merchants/:merchant_id/verification',
    id: 'updateOperatorVerification',
    client: 'operator.updateVerification',
    tag: 'operator',
    summary: 'Allow live mode for a merchant',
    right: 'operator',
    body: Verify,
    responses: { 200: MerchantView },
    handle: async ({ service, params }) =>
      viewMerchant(
        await patchMerchant(service, params.merchant_id, { verified: true }, 'operator'),
      ),
  }),

  operation({
    at: 'GET /operator/transfers',
    id: 'listOperatorTransfers',
    client: 'operator.listTransfers',
    tag: 'operator',
    summary: 'List transfers of all merchants',
    right: 'operator',
    query: Type.Object({
      ...PageParameters,
      merchant_id: described(Type.Optional(Id), 'Only items of this merchant.'),
      status: described(
        Type.Optional(Type.Enum(statesOf('transfer'))),
        'Only items with this status.',
      ),
      mode: filters.mode,
    }),
    responses: { 200: PageOf(OperatorTransfer) },
    handle: async ({ service, query }) => {
      const page = await listTransfers(service, query)
      const nameOf = await merchantNames(service, page.items)
      return viewPage(page, (item) => ({ ...viewTransfer(item), merchant_name: nameOf(item) }))
    },
  }),

  operation({
    at: 'POST /operator/transfers',
    id: 'createOperatorTransfers',
    client: 'operator.createTransfers',
    tag: 'operator',
    summary: 'Create the transfers of a merchant',
    right: 'operator',
    body: CreateTransfers,
    responses: { 201: TransferList },
    handle: async ({ service, body }) => {
      const { merchant_id, to, mode } = body
      const until = to === undefined ? {} : { to: readInstant(to) ?? new Date(0) }
      const wanted = { merchant_id, started_by: 'operator', ...until, ...(mode ? { mode } : {}) }
      return { transfers: (await createTransfers(service, wanted)).map(viewTransfer) }
    },
  }),

  operation({
    at: 'POST /operator/due_transfers',
    id: 'createDueTransfers',
    client: 'operator.createDueTransfers',
    tag: 'operator',
    summary: 'Create the scheduled transfers of all merchants',
    right: 'operator',
    body: NoFields,
    responses: { 201: TransferList },
    handle: async ({ service }) => {
      return { transfers: (await createDueTransfers(service)).map(viewTransfer) }
    },
  }),

  operation({
    at: 'PATCH /operator/transfers/:transfer_id',
    id: 'updateOperatorTransfer',
    client: 'operator.updateTransfer',
    tag: 'operator',
    summary: 'Move a transfer to its next state',
    right: 'operator',
    body: MoveTransfer,
    responses: { 200: TransferView },
    handle: async ({ service, params, body: { action, reason } }) =>
      viewTransfer(await moveAnyTransfer(service, params.transfer_id, action, reason)),
  }),
]
