import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { ApiDescription } from '../../../src/http/description/api-description-parts.ts'
import type {
  Operation,
  Parameter,
  Response,
} from '../../../src/http/description/describe-operation.ts'
import type { Schema } from '../../../src/http/description/name-components.ts'

/** The texts of the descriptions in the repository: of the API and of the console. */
export const description_texts = ['openapi.json', 'console-openapi.json'].map((name) =>
  readFileSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), 'utf8'),
)

/** Every operation of both descriptions, with the components of both. */
export function readBothDescriptions(): ApiDescription {
  const [api, of_console] = description_texts.map((text): ApiDescription => JSON.parse(text))
  if (!api || !of_console) throw new Error('There are two descriptions.')
  const paths = { ...api.paths }
  for (const [path, item] of Object.entries(of_console.paths)) {
    paths[path] = { ...paths[path], ...item }
  }
  const { schemas, parameters, responses } = of_console.components
  return {
    ...api,
    paths,
    tags: [...api.tags, ...of_console.tags],
    components: {
      ...api.components,
      schemas: { ...api.components.schemas, ...schemas },
      parameters: { ...api.components.parameters, ...parameters },
      responses: { ...api.components.responses, ...responses },
    },
  }
}

/** The parts of the API description without references, for tests that build requests from it. */
export function plainSchemas({ components }: Pick<ApiDescription, 'components'>) {
  const nameOf = ($ref: string) => $ref.split('/').at(-1) ?? ''

  function plain(schema: Schema): Schema {
    const { $ref, allOf, anyOf, oneOf, properties, items, ...rest } = schema
    if ($ref) return { ...plain(components.schemas[nameOf($ref)] ?? {}), ...rest }
    if (allOf) return { ...rest, ...allOf.map(plain).reduce(merge) }
    const [first, second] = anyOf ?? []
    if (first && second?.type === 'null') return { ...rest, ...nullable(plain(first)) }
    const fields = Object.entries(properties ?? {}).map(
      ([name, one]) => [name, plain(one)] as const,
    )
    return {
      ...rest,
      ...(oneOf ? { oneOf: oneOf.map(plain) } : {}),
      ...(properties ? { properties: Object.fromEntries(fields) } : {}),
      ...(items ? { items: plain(items) } : {}),
    }
  }

  return {
    plain,
    parametersOf: ({ parameters = [] }: Pick<Operation, 'parameters'>): Parameter[] =>
      parameters.flatMap((one) => {
        const found = '$ref' in one ? components.parameters[nameOf(one.$ref)] : one
        return found ? [{ ...found, schema: plain(found.schema) }] : []
      }),
    /** The schema of the response with status 200. */
    resultOf: ({ responses }: Pick<Operation, 'responses'>): Schema => {
      const response = responses['200'] ?? { description: '' }
      const found: Response | undefined =
        '$ref' in response ? components.responses[nameOf(response.$ref)] : response
      return plain(found?.content?.['application/json']?.schema ?? {})
    },
    bodyOf: ({ requestBody }: Pick<Operation, 'requestBody'>): Schema | null => {
      const schema = requestBody?.content['application/json']?.schema
      return schema ? plain(schema) : null
    },
  }
}

/** Every operation of an app, with plain schemas. */
export function plainOperations(app: FastifyInstance) {
  const description = app.describeRoutes()
  const { parametersOf, bodyOf } = plainSchemas(description)
  return Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      access: operation['x-access'] ?? {},
      parameters: parametersOf(operation),
      body: bodyOf(operation),
    })),
  )
}

function merge(one: Schema, other: Schema): Schema {
  return {
    ...one,
    ...other,
    properties: { ...one.properties, ...other.properties },
    required: [...(one.required ?? []), ...(other.required ?? [])],
  }
}

function nullable(schema: Schema): Schema {
  const { type, enum: allowed } = schema
  return {
    ...schema,
    ...(type ? { type: [...[type].flat(), 'null'] } : {}),
    ...(allowed ? { enum: [...allowed, null] } : {}),
  }
}
