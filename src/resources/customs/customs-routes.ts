import Type from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { described, named } from '../../core/described-schemas.ts'
import { PageParameters } from '../../core/schemas.ts'
import { second_ms } from '../../core/time/clock.ts'
import { readPage } from '../../store/sql/page.ts'
import { getCharge } from '../charges/charge.ts'
import { ChargePathSchema } from '../charges/charge-routes.ts'
import { poll } from '../poll.ts'
import type { Http, RouteModule } from '../route.ts'
import {
  type CustomsAttempt,
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

const tags = ['customs declarations']
const of_charge = '/stores/:store_id/charges/:charge_id/customs'
const CreateDeclaration = named(
  'CreateCustomsDeclaration',
  Type.Object({
    declaration: described(
      Declaration,
      'What is declared. Its fields may also be at the top level of the body.',
    ),
  }),
  'A declaration of a charge to customs.',
)
const PatchDeclaration = named(
  'UpdateCustomsDeclaration',
  Type.Object({
    declaration: described(
      DeclarationChange,
      'What changes. Its fields may also be at the top level of the body.',
    ),
  }),
  'Changes to a successful customs declaration.',
)
const DeclarationPath = Type.Object({
  ...ChargePathSchema.properties,
  ...pathIds('customs_declaration_id'),
})
/** Customs are slower than a payment. */
const longest_poll_ms = 30 * second_ms

/** Some programs send the fields without the object around them: it is put around them. */
function wrapDeclaration(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Object.hasOwn(body, 'declaration')) return body
  const is_flat = Object.keys(Declaration.properties).some((name) => Object.hasOwn(body, name))
  return is_flat ? { declaration: body } : body
}

export const customsRoutes: RouteModule = (http) => {
  http.post(
    of_charge,
    {
      config: { wrapBody: wrapDeclaration },
      schema: {
        tags,
        summary: 'Declare a charge to customs, or again after it failed',
        operationId: 'createCustomsDeclaration',
        params: ChargePathSchema,
        body: CreateDeclaration,
        response: { 201: CustomsDeclarationView },
      },
    },
    async ({ service, caller, params, body }, reply) => {
      reply.code(201)
      const made = await createDeclaration(service, caller, params, body.declaration)
      return viewDeclaration(service, made)
    },
  )

  http.get(
    of_charge,
    {
      schema: {
        tags,
        summary: 'List the customs declarations of a charge',
        operationId: 'listCustomsDeclarations',
        params: ChargePathSchema,
        querystring: Type.Object({
          ...PageParameters,
          status: described(Type.Optional(Status), 'Only those with this status.'),
        }),
        response: { 200: CustomsDeclarationPage },
      },
    },
    async ({ service, caller, params, query }) => {
      const charge = await getCharge(service, caller, params)
      let declarations = service.db
        .selectFrom('customs_declarations')
        .selectAll()
        .where('merchant_id', '=', charge.merchant_id)
        .where('charge_id', '=', charge.id)
      if (query.status) declarations = declarations.where('status', '=', query.status)
      const { items, has_more } = await readPage<CustomsDeclaration>(declarations, query)
      return { items: items.map((item) => viewDeclaration(service, item)), has_more }
    },
  )
  addDeclarationRoutes(http)
}

function addDeclarationRoutes(http: Http): void {
  http.get(
    `${of_charge}/:customs_declaration_id`,
    {
      schema: {
        tags,
        summary: 'Read a customs declaration',
        operationId: 'getCustomsDeclaration',
        params: DeclarationPath,
        querystring: Type.Object({
          polling: Type.Optional(
            Type.Boolean({ description: 'Wait up to 30 seconds until it is no longer pending.' }),
          ),
        }),
        response: { 200: CustomsDeclarationView },
      },
    },
    async ({ service, caller, params, query }) => {
      const { customs_declaration_id: id } = params
      const read = () => getDeclaration(service, caller, params)
      const isWaiting = ({ status }: CustomsDeclaration) => status === 'pending'
      const found = await poll(service, id, query.polling, read, isWaiting, longest_poll_ms)
      return viewDeclaration(service, found)
    },
  )

  http.patch(
    `${of_charge}/:customs_declaration_id`,
    {
      config: { wrapBody: wrapDeclaration },
      schema: {
        tags,
        summary: 'Change a successful customs declaration; customs are told again',
        operationId: 'updateCustomsDeclaration',
        params: DeclarationPath,
        body: PatchDeclaration,
        response: { 200: CustomsDeclarationView },
      },
    },
    async ({ service, caller, params, body }) => {
      const changed = await updateDeclaration(service, caller, params, body.declaration)
      return viewDeclaration(service, changed)
    },
  )

  http.get(
    `${of_charge}/:customs_declaration_id/attempts`,
    {
      schema: {
        tags,
        summary: 'List the attempts of a customs declaration that have ended',
        operationId: 'listCustomsAttempts',
        params: DeclarationPath,
        querystring: Type.Object(PageParameters),
        response: { 200: CustomsAttemptPage },
      },
    },
    async ({ service, caller, params, query }) => {
      const { merchant_id, id } = await getDeclaration(service, caller, params)
      const attempts = service.db
        .selectFrom('customs_attempts')
        .selectAll()
        .where('merchant_id', '=', merchant_id)
        .where('declaration_id', '=', id)
      const { items, has_more } = await readPage<CustomsAttempt>(attempts, query)
      return { items: items.map(viewAttempt), has_more }
    },
  )
}
