import stored from './examples.json' with { type: 'json' }

/** A call that was really made. A test makes it again and compares. */
interface Example {
  readonly summary: string
  readonly request?: unknown
  /** The HTTP status of the response. */
  readonly status: string
  readonly response?: unknown
}

export interface NamedExample {
  readonly summary: string
  readonly value: unknown
}

const examples: Readonly<Record<string, Readonly<Record<string, Example>>>> = stored

/** The examples of a request, or of the response with a status, by their names; of JSON or of a text. */
export function examplesOf(
  operation_id = '',
  part: string,
  type: 'json' | 'text' = 'json',
): { examples?: Record<string, NamedExample> } {
  const own = examples[operation_id] ?? {}
  const found = Object.entries(own).flatMap(([name, example]) => {
    const { summary, status, request, response } = example
    const value = part === 'request' ? request : part === status ? response : undefined
    const is_other = (typeof value === 'string') !== (type === 'text')
    return value === undefined || is_other ? [] : [[name, { summary, value }] as const]
  })
  return found.length === 0 ? {} : { examples: Object.fromEntries(found) }
}
