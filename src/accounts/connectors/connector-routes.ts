import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { answeringInput } from '../../core/api/plain-error.ts'
import { Id, nullable } from '../../core/api/schemas.ts'
import type { Service } from '../../service.ts'
import type { CredentialOwner } from '../provider-credentials/provider-credentials.ts'
import {
  ConnectorList,
  ConnectorTestView,
  ConnectorView,
  viewConnectors,
  viewKinds,
  viewTest,
} from './connector-view.ts'
import { addConnector, setDisabled, testConnector } from './connectors-store.ts'

const one_path = '/operator/connectors/:connector_id'

const owner = {
  merchant_id: described(
    Type.Optional(nullable(Id)),
    'The owner of the settings. Default: the installation.',
  ),
  store_id: described(Type.Optional(nullable(Id)), 'Only items of this store of the merchant.'),
}
const AddConnector = named(
  'AddConnector',
  Type.Object({
    name: described(Type.String({ maxLength: 255 }), '1 to 40 of a-z, 0-9 and -.'),
    kind: described(Type.String({ maxLength: 255 }), 'One of the kinds in the list.'),
    ...owner,
    settings: described(
      Type.Optional(nullable(Type.Record(Type.String(), Type.String({ maxLength: 4096 })))),
      'The settings that the kind of connector defines; null if only merchants and stores have some. ' +
        'They are never returned.',
    ),
  }),
  'A new connector, or new settings of an existing one, which replace the previous settings.',
)
const UpdateConnector = named(
  'UpdateConnector',
  Type.Object({ enabled: described(Type.Boolean(), 'Whether it takes new payments.') }),
  'A change of a connector.',
)
const TestConnector = named(
  'TestConnector',
  Type.Object(owner),
  'The owner of the tested settings.',
)

interface Owned {
  readonly merchant_id?: string | null
  readonly store_id?: string | null
}

function ownerOf({ merchant_id = null, store_id = null }: Owned): CredentialOwner | null {
  if (merchant_id !== null) return { merchant_id, store_id }
  if (store_id === null) return null
  return fail('VALIDATION_ERROR', {
    errors: [{ field: 'merchant_id', reason: 'REQUIRED_VALUE', rule: 'is required with store_id' }],
  })
}

/** The connectors of the installation: the functions of `kaikei connectors`, for operators in the console. */
export const connectorRoutes: readonly Route[] = [
  operation({
    at: 'GET /operator/connectors',
    id: 'listConnectors',
    client: 'operator.listConnectors',
    tag: 'operator',
    summary: 'List connectors, and what can be added',
    right: 'operator',
    responses: { 200: ConnectorList },
    handle: async ({ service }) => ({
      connectors: await viewConnectors(service),
      kinds: viewKinds(),
    }),
  }),

  operation({
    at: 'POST /operator/connectors',
    id: 'createConnector',
    client: 'operator.createConnector',
    tag: 'operator',
    summary: 'Create a connector, or add settings to it',
    right: 'operator',
    errors: ['RESOURCE_LIMIT_REACHED', 'CONNECTOR_TEST_FAILED'],
    body: AddConnector,
    responses: { 201: ConnectorView },
    handle: async ({ service, body }) => {
      const { name, kind, settings = null } = body
      const added = { name, kind, settings, owner: ownerOf(body) }
      const tested = await answeringInput(addConnector(service, added))
      const view = await viewOne(service, (one) => one.name === name)
      return tested ? { ...view, last_test: viewTest(service, tested) } : view
    },
  }),

  operation({
    at: `GET ${one_path}`,
    id: 'getConnector',
    client: 'operator.getConnector',
    tag: 'operator',
    summary: 'Get a connector',
    right: 'operator',
    responses: { 200: ConnectorView },
    handle: ({ service, params }) => viewOne(service, ({ id }) => id === params.connector_id),
  }),

  operation({
    at: `PATCH ${one_path}`,
    id: 'updateConnector',
    client: 'operator.updateConnector',
    tag: 'operator',
    summary: 'Enable or disable a connector for new payments',
    right: 'operator',
    body: UpdateConnector,
    responses: { 200: ConnectorView },
    handle: async ({ service, params, body }) => {
      const { name } = await viewOne(service, ({ id }) => id === params.connector_id)
      await answeringInput(setDisabled(service, name, !body.enabled))
      return viewOne(service, ({ id }) => id === params.connector_id)
    },
  }),

  operation({
    at: `POST ${one_path}/test`,
    id: 'pingConnector',
    client: 'operator.pingConnector',
    tag: 'operator',
    summary: 'Test the settings of a connector',
    right: 'operator',
    body: TestConnector,
    responses: { 200: ConnectorTestView },
    handle: async ({ service, params, body }) => {
      const { name } = await viewOne(service, ({ id }) => id === params.connector_id)
      const tested = await answeringInput(testConnector(service, name, ownerOf(body)))
      return viewTest(service, tested)
    },
  }),
]

type View = Awaited<ReturnType<typeof viewConnectors>>[number]

async function viewOne(service: Service, isWanted: (view: View) => boolean): Promise<View> {
  // A process that has not heard of a new connector yet does not know what it can do.
  await service.providers.refresh()
  return (await viewConnectors(service)).find(isWanted) ?? fail('NOT_FOUND')
}
