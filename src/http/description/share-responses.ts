import { json_type } from '../reply/error-handler.ts'
import type { Paths } from './api-description-parts.ts'
import type { NamedExample } from './describe-examples.ts'
import type { Operation, Reference, Response } from './describe-operation.ts'

/**
 * Successful responses that several operations have become components, with the examples of all of them:
 * the name of an example begins with the operation that gave it.
 */
export function shareResponses(paths: Paths) {
  const shared: Record<string, Response> = {}
  const uses = countUses(paths)
  const share = ([status, response]: [string, Response | Reference]) => {
    const name = '$ref' in response ? null : nameOf(status, response)
    if (name === null || (uses.get(name) ?? []).length < 2) return [status, response]
    shared[name] ??= withExamples(uses.get(name) ?? [])
    return [status, { $ref: `#/components/responses/${name}` }]
  }
  const items = Object.entries(paths).map(([path, item]) => {
    const methods = Object.entries(item).map(([method, one]) => {
      const responses = Object.fromEntries(Object.entries(one.responses).map(share))
      return [method, { ...one, responses }] as const
    })
    return [path, Object.fromEntries(methods)] as const
  })
  return { paths: Object.fromEntries(items), responses: shared }
}

interface Use {
  readonly operation_id: string
  readonly response: Response
}

function countUses(paths: Paths): Map<string, Use[]> {
  const uses = new Map<string, Use[]>()
  const operations: Operation[] = Object.values(paths).flatMap((item) => Object.values(item))
  for (const { operationId: operation_id, responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const name = '$ref' in response ? null : nameOf(status, response)
      if (name === null || '$ref' in response) continue
      uses.set(name, [...(uses.get(name) ?? []), { operation_id, response }])
    }
  }
  return uses
}

const status_words: Readonly<Record<string, string>> = { 201: 'Created', 202: 'Accepted' }

/** The name of what is returned; null: it has none. */
function nameOf(status: string, { content = {}, headers = {} }: Response): string | null {
  const [type, ...others] = Object.keys(content)
  const is_stored = Object.keys(headers).length > 0
  const word = status_words[status] ?? (is_stored ? 'Stored' : '')
  if (type === undefined) return `Done${status}${word}`
  const { $ref } = content[type]?.schema ?? {}
  if (type !== json_type || others.length > 0 || !$ref) return null
  return `${$ref.split('/').at(-1)}${word}`
}

function withExamples(uses: readonly Use[]): Response {
  const examples = uses.flatMap(({ operation_id, response }): [string, NamedExample][] =>
    Object.entries(response.content?.[json_type]?.examples ?? {}).map(([name, example]) => [
      `${operation_id}.${name}`,
      example,
    ]),
  )
  const [first] = uses
  const { content, ...response } = first?.response ?? { description: '' }
  const { schema } = content?.[json_type] ?? {}
  if (!schema) return response
  const given = examples.length > 0 ? { examples: Object.fromEntries(examples) } : {}
  return { ...response, content: { [json_type]: { schema, ...given } } }
}
