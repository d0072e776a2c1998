import type { FastifyInstance, RouteOptions } from 'fastify'
import { tags } from '../../api/routes/tags.ts'
import { errors, reasons } from '../../core/api/errors.ts'
import { charge_errors } from '../../core/payments/charge-errors.ts'
import { ErrorBody, json_type } from '../reply/error-handler.ts'
import type { ApiDescription, Paths } from './api-description-parts.ts'
import {
  header_components,
  header_parameters,
  headerReferences,
  rate_header_names,
} from './describe-headers.ts'
import {
  type DescribedRoute,
  describeOperation,
  describePath,
  type Response,
  usual_credentials,
} from './describe-operation.ts'
import { delivery_headers, describeWebhooks } from './describe-webhooks.ts'
import { type Components, newComponents } from './name-components.ts'
import { error_groups } from './operation-errors.ts'
import { shareParameters } from './share-parameters.ts'
import { shareResponses } from './share-responses.ts'
import { describeForConsole, describeForPrograms } from './split-description.ts'

const description = `A payment service: tokens, charges, refunds, subscriptions, webhooks.
Requests carry \`Authorization: Bearer <secret>.<jwt>\`. People sign in, as console-openapi.json describes,
and may call what an application token of the merchant may. Bodies are JSON. Lists are paginated with
\`limit\`, \`cursor\` and \`cursor_direction\`. Every POST and PATCH may carry an \`Idempotency-Key\`.
Every response carries \`X-Request-Id\`, which finds the request in the log, and where it applies
\`X-Ignored-Fields\`: fields of the body and parameters of the URL that are not known and were ignored.`

const securitySchemes = {
  app_token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: '<secret>.<jwt>',
    description: 'An application token with its secret. Never in a browser.',
  },
  app_token_jwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: '<jwt>',
    description: 'The JWT of a store alone, as a page in a browser has it.',
  },
  login_token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: '<jwt>',
    description: 'The login token of a user, from `POST /authenticate`.',
  },
  console_cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'kaikei_console',
    description:
      'The session of the console, from `POST /console/session`. It works below `/console` only, ' +
      'where `/console/api` has every operation of this API.',
  },
}

/** Two documents have all routes: one for programs of merchants, one for the console. */
type DescribedPart = 'all' | 'api' | 'console'

declare module 'fastify' {
  interface FastifyInstance {
    /** The description of every route of this app, or of those of the API or of the console. */
    describeRoutes(part?: DescribedPart): ApiDescription
  }
}

/** The description is generated from the schemas that validate requests, so both always agree. */
export function addOpenApi(app: FastifyInstance): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    routes.push(route)
  })
  const described = new Map<DescribedPart, ApiDescription>()
  app.decorate('describeRoutes', (part = 'all') => {
    const found = described.get(part) ?? describePart(routes, part)
    described.set(part, found)
    return found
  })
}

function describePart(routes: readonly RouteOptions[], part: DescribedPart): ApiDescription {
  const all = describe(routes.flatMap(visible))
  if (part === 'all') return all
  return part === 'api' ? describeForPrograms(all) : describeForConsole(all)
}

function visible({ method, url, schema, config = {} }: RouteOptions): DescribedRoute[] {
  if (!schema || schema.hide || method === 'HEAD') return []
  return [{ method: String(method), url, schema, config }]
}

function describe(routes: readonly DescribedRoute[]): ApiDescription {
  const components = newComponents()
  const paths = describePaths(routes, components)
  const webhooks = describeWebhooks(components)
  const responses = describeErrorResponses(components)
  const shared = shareParameters(paths)
  const with_responses = shareResponses(shared.paths)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kaikei',
      version: '0.1.0',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    } as ApiDescription['info'],
    servers: [{ url: '/', description: 'This service.' }],
    tags: Object.entries(tags).map(([name, words]) => ({ name, description: words })),
    security: usual_credentials,
    paths: with_responses.paths,
    webhooks,
    components: {
      schemas: components.schemas(),
      parameters: { ...shared.parameters, ...header_parameters, ...delivery_headers },
      responses: { ...with_responses.responses, ...responses },
      headers: header_components,
      securitySchemes,
    },
    ...tables,
  }
}

function describePaths(routes: readonly DescribedRoute[], components: Components): Paths {
  const paths: Paths = {}
  for (const route of routes) {
    const path = describePath(route.url)
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: describeOperation(route, components),
    }
  }
  return paths
}

function describeErrorResponses(components: Components): Record<string, Response> {
  const content = { [json_type]: { schema: components.write(ErrorBody) } }
  const headers = headerReferences(['X-Request-Id', 'Retry-After', ...rate_header_names])
  return {
    Refused: { description: 'The request was refused; the code says why.', headers, content },
    Failed: {
      description: 'The service could not do it; the same request can be sent again.',
      headers,
      content,
    },
  }
}

const tables = {
  'x-errors': Object.fromEntries(
    Object.entries(errors).map(([code, [status, message]]) => [code, { status, message }]),
  ),
  'x-error-groups': error_groups,
  'x-reasons': reasons,
  'x-charge-errors': charge_errors,
}
