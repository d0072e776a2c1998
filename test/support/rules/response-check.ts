import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { inject } from 'vitest'
import { formats } from '../../../src/core/typed/formats.ts'
import type { ApiDescription } from '../../../src/http/description/api-description-parts.ts'
import type { Operation, Response } from '../../../src/http/description/describe-operation.ts'
import { errorCodesOf } from '../../../src/pages/reference/read/api-description.ts'

interface Answered {
  path: string
  pattern: RegExp
  parameters: number
  method: string
  responses: Map<string, object | null>
  codes: readonly string[]
}

/** A value that fits none of many shapes has a fault for each of their fields. */
const max_reported = 1000

const noted = new Set<string>()

/** Records which routes and statuses were seen; after the whole run none may be missing. */
function noteResponse(seen: string): void {
  if (noted.has(seen)) return
  noted.add(seen)
  appendFileSync(join(inject('answers_dir'), `${process.pid}.txt`), `${seen}\n`)
}

type ResponseCheck = (method: string, url: string, response: LightMyRequestResponse) => void

let of_service: ResponseCheck | null = null

const date_time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/

/** The description with references that hold outside of it, and a validator that knows it. */
export function readDescription(description: ApiDescription): { api: ApiDescription; ajv: Ajv } {
  const text = JSON.stringify(description).replaceAll('"$ref":"#/', '"$ref":"api#/')
  const api: ApiDescription = JSON.parse(text)
  const ajv = new Ajv({ strict: false, allErrors: true })
  for (const [name, { accepts }] of Object.entries(formats)) ajv.addFormat(name, accepts)
  ajv.addFormat('date-time', date_time).addFormat('uri', formats.url.accepts)
  ajv.addSchema({ components: { schemas: api.components.schemas } }, 'api')
  return { api, ajv }
}

function responsesOf({ responses }: Operation, { components }: ApiDescription) {
  return Object.entries(responses).map(([status, response]) => {
    const shared =
      '$ref' in response ? components.responses[response.$ref.split('/').at(-1) ?? ''] : response
    const { content } = shared as Response
    return [status, content?.['application/json']?.schema ?? null] as const
  })
}

/**
 * Checks every response of every test against the API description: an undocumented status, a field that
 * is missing or of another type fails the test that caused it. Apps with the routes of the service share a
 * check: describing them, and compiling the schemas of their responses, took longer than most tests.
 */
export function responseCheckOf(app: FastifyInstance, has_own_routes: boolean): ResponseCheck {
  if (has_own_routes) return newResponseCheck(app)
  of_service ??= newResponseCheck(app)
  return of_service
}

function newResponseCheck(app: FastifyInstance): ResponseCheck {
  const { api, ajv } = readDescription(app.describeRoutes())
  const operations = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]): Answered => ({
        path,
        method: method.toUpperCase(),
        parameters: path.split('{').length,
        pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
        responses: new Map(responsesOf(operation, api)),
        codes: errorCodesOf(api, operation),
      }),
    ),
  )
  // A path with fewer parameters is the more specific one.
  operations.sort((a, b) => a.parameters - b.parameters)

  return (method, url, response) => {
    const path = url.split('?')[0] ?? ''
    const operation = operations.find((one) => one.method === method && one.pattern.test(path))
    const { statusCode, payload } = response
    const status = [String(statusCode), `${Math.floor(statusCode / 100)}XX`].find((name) =>
      operation?.responses.has(name),
    )
    const schema = status === undefined ? undefined : operation?.responses.get(status)
    if (operation && status) noteResponse(`${method} ${operation.path} ${status}`)
    if (!operation || method === 'HEAD') return
    if (schema === undefined)
      throw new Error(`${method} ${path} answered ${statusCode}: not documented`)
    // A picture that was requested instead of JSON.
    if (/^(image\/|text\/csv)/.test(String(response.headers['content-type']))) return
    if (schema === null) {
      if (payload !== '') throw new Error(`${method} ${path} ${statusCode}: has a body`)
      return
    }
    const body = JSON.parse(payload)
    // 405 is an answer of a path, not of one of its operations.
    if (statusCode >= 400 && statusCode !== 405 && !operation.codes.includes(body.code)) {
      throw new Error(
        `${method} ${path} answered ${body.code}: not in http/description/operation-errors.ts`,
      )
    }
    const validate = ajv.compile(schema)
    if (!validate(body)) {
      const faults = ajv.errorsText(validate.errors).slice(0, max_reported)
      throw new Error(`${method} ${path} ${statusCode}: ${faults}`)
    }
  }
}
