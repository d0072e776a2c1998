import Type from 'typebox'
import { poll } from '../../api/responses/poll.ts'
import { operation, type Route } from '../../api/routes/operation.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { PageParameters } from '../../core/api/schemas.ts'
import { second_ms } from '../../core/time/clock.ts'
import { getCharge } from '../../payments/charges/charge.ts'
import { listRows } from '../../store/sql/reads/list-rows.ts'
import { viewPage } from '../../store/sql/reads/page.ts'
import {
  CustomsAttemptPage,
  type CustomsDeclaration,
  CustomsDeclarationPage,
  CustomsDeclarationView,
  Declaration,
  DeclarationChange,
  getDeclaration,
  Status,
  viewAttempt,
  viewDeclaration,
} from './customs-declaration.ts'
import { createDeclaration, updateDeclaration } from './declare-customs.ts'

const of_charge = '/stores/:store_id/charges/:charge_id/customs'
const CreateDeclaration = named(
  'CreateCustomsDeclaration',
  Type.Object({
    declaration: described(
      Declaration,
      'The declared values. Their fields may also be at the top level of the body.',
    ),
  }),
  'A declaration of a charge to customs.',
)
const PatchDeclaration = named(
  'UpdateCustomsDeclaration',
  Type.Object({
    declaration: described(
      DeclarationChange,
      'The changes. Their fields may also be at the top level of the body.',
    ),
  }),
  'Changes to a successful customs declaration.',
)
/** Customs are slower than a payment. */
const longest_poll_ms = 30 * second_ms

/** Some programs send the fields without the object around them: it is put around them. */
function wrapDeclaration(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Object.hasOwn(body, 'declaration')) return body
  const is_flat = Object.keys(Declaration.properties).some((name) => Object.hasOwn(body, name))
  return is_flat ? { declaration: body } : body
}

export const customsRoutes: readonly Route[] = [
  operation({
    at: `POST ${of_charge}`,
    id: 'createCustomsDeclaration',
    client: 'customs.create',
    tag: 'customs declarations',
    summary: 'Create or retry a customs declaration',
    text:
      'For successful charges of `we_chat_online`. After a failure the same declaration is ' +
      'sent again and keeps its id.',
    right: 'payments',
    errors: [
      'CANNOT_DECLARE_UNSUCCESSFUL_CHARGE',
      'CUSTOMS_NOT_AVAILABLE',
      'CUSTOMS_DECLARATION_PENDING',
      'CUSTOMS_DECLARATION_SUCCESSFUL',
    ],
    wrapBody: wrapDeclaration,
    body: CreateDeclaration,
    responses: { 201: CustomsDeclarationView },
    handle: async ({ service, caller, params, body }) => {
      const created = await createDeclaration(service, caller, params, body.declaration)
      return viewDeclaration(service, created)
    },
  }),

  operation({
    at: `GET ${of_charge}`,
    id: 'listCustomsDeclarations',
    client: 'customs.list',
    tag: 'customs declarations',
    summary: 'List the customs declarations of a charge',
    text: 'Every declaration of the charge, each with its status.',
    right: 'payments',
    query: Type.Object({
      ...PageParameters,
      status: described(Type.Optional(Status), 'Only items with this status.'),
    }),
    responses: { 200: CustomsDeclarationPage },
    handle: async ({ service, caller, params, query }) => {
      const { merchant_id, id: charge_id } = await getCharge(service, caller, params)
      const { status } = query
      const known = { merchant_id, charge_id }
      const found = await listRows(service, 'customs_declarations', known, query, { status })
      return viewPage(found, (item) => viewDeclaration(service, item))
    },
  }),

  operation({
    at: `GET ${of_charge}/:customs_declaration_id`,
    id: 'getCustomsDeclaration',
    client: 'customs.get',
    tag: 'customs declarations',
    summary: 'Get a customs declaration',
    text:
      'A declaration is `pending` until the customs office has responded. `polling=true` ' +
      'waits for its outcome.',
    right: 'payments',
    query: Type.Object({
      polling: Type.Optional(
        Type.Boolean({ description: 'Wait up to 30 seconds until it is no longer pending.' }),
      ),
    }),
    responses: { 200: CustomsDeclarationView },
    handle: async ({ service, caller, params, query }) => {
      const { customs_declaration_id: id } = params
      const read = () => getDeclaration(service, caller, params)
      const isWaiting = ({ status }: CustomsDeclaration) => status === 'pending'
      const found = await poll(service, id, query.polling, read, isWaiting, longest_poll_ms)
      return viewDeclaration(service, found)
    },
  }),

  operation({
    at: `PATCH ${of_charge}/:customs_declaration_id`,
    id: 'updateCustomsDeclaration',
    client: 'customs.update',
    tag: 'customs declarations',
    summary: 'Update a successful customs declaration',
    text: 'Only a `successful` declaration can be updated; its customs office cannot change.',
    right: 'payments',
    errors: ['CUSTOMS_DECLARATION_PENDING', 'CUSTOMS_DECLARATION_FAILED'],
    wrapBody: wrapDeclaration,
    body: PatchDeclaration,
    responses: { 200: CustomsDeclarationView },
    handle: async ({ service, caller, params, body }) => {
      const changed = await updateDeclaration(service, caller, params, body.declaration)
      return viewDeclaration(service, changed)
    },
  }),

  operation({
    at: `GET ${of_charge}/:customs_declaration_id/attempts`,
    id: 'listCustomsAttempts',
    client: 'customs.listAttempts',
    tag: 'customs declarations',
    summary: 'List the finished attempts of a customs declaration',
    text: 'The attempts that have ended, each with its result.',
    right: 'payments',
    query: Type.Object(PageParameters),
    responses: { 200: CustomsAttemptPage },
    handle: async ({ service, caller, params, query }) => {
      const { merchant_id, id } = await getDeclaration(service, caller, params)
      const known = { merchant_id, declaration_id: id }
      return viewPage(await listRows(service, 'customs_attempts', known, query), viewAttempt)
    },
  }),
]
