import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { inject } from 'vitest'
import { formats } from '../src/core/text/formats.ts'

type Schemas = Record<string, { content?: { 'application/json'?: { schema: object } } }>
interface Operation {
  path: string
  pattern: RegExp
  parameters: number
  method: string
  answers: Map<string, object | null>
}

const noted = new Set<string>()

/** Records which routes and statuses were seen; after the whole run none may be missing. */
function noteAnswer(seen: string): void {
  if (noted.has(seen)) return
  noted.add(seen)
  appendFileSync(join(inject('answers_dir'), `${process.pid}.txt`), `${seen}\n`)
}

type AnswerCheck = (method: string, url: string, response: LightMyRequestResponse) => void

let of_service: AnswerCheck | null = null

/**
 * Checks every response of every test against the API description: an undocumented status, a field that
 * is missing or of another type fails the test that caused it. Apps with the routes of the service share a
 * check: describing them, and compiling the schemas of their responses, took longer than most tests.
 */
export function answerCheckOf(app: FastifyInstance, has_own_routes: boolean): AnswerCheck {
  if (has_own_routes) return newAnswerCheck(app)
  of_service ??= newAnswerCheck(app)
  return of_service
}

function newAnswerCheck(app: FastifyInstance): AnswerCheck {
  const ajv = new Ajv({ strict: false, allErrors: true })
  for (const [name, { accepts }] of Object.entries(formats)) ajv.addFormat(name, accepts)
  const operations: Operation[] = []
  for (const [path, item] of Object.entries(app.swagger().paths ?? {})) {
    for (const [method, operation] of Object.entries(item as Record<string, object>)) {
      const responses = (operation as { responses: Schemas }).responses
      const answers = Object.entries(responses).map(([status, { content }]) => {
        const schema = content?.['application/json']?.schema
        return [status.toUpperCase(), schema ?? null] as const
      })
      operations.push({
        path,
        method: method.toUpperCase(),
        parameters: path.split('{').length,
        pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
        answers: new Map(answers),
      })
    }
  }
  // A path with fewer parameters is the more specific one.
  operations.sort((a, b) => a.parameters - b.parameters)

  return (method, url, response) => {
    const path = url.split('?')[0] ?? ''
    const operation = operations.find((one) => one.method === method && one.pattern.test(path))
    const { statusCode, payload } = response
    const status = [String(statusCode), `${Math.floor(statusCode / 100)}XX`].find((name) =>
      operation?.answers.has(name),
    )
    const schema = status && operation?.answers.get(status)
    if (operation && status) noteAnswer(`${method} ${operation.path} ${status}`)
    if (!operation || method === 'HEAD' || schema === null) return
    if (!schema) throw new Error(`${method} ${path} answered ${statusCode}: not documented`)
    // A picture that was requested instead of JSON.
    if (String(response.headers['content-type']).startsWith('image/')) return
    const validate = ajv.compile(schema)
    if (!validate(payload === '' ? '' : JSON.parse(payload))) {
      throw new Error(`${method} ${path} ${statusCode}: ${ajv.errorsText(validate.errors)}`)
    }
  }
}
