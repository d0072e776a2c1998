import { examplesOf } from './build-example.ts'
import type { Api, ApiOperation } from './read-api.ts'

/** The data of the form for trying an operation. */
interface TryData {
  readonly method: string
  readonly path: string
  readonly path_names: readonly string[]
  readonly query_names: readonly string[]
  readonly is_public: boolean
  readonly is_idempotent: boolean
  /** An example; absent when the operation takes none. */
  readonly body?: unknown
}

/** Operations of people who log in, and those of providers, are not offered. */
export function canBeTried({ operation }: ApiOperation): boolean {
  const { level = 'any' } = operation['x-access'] ?? {}
  const is_for_people = level === 'user' || level === 'operator'
  return !is_for_people && operation.tags?.[0] !== 'callbacks'
}

export function isIdempotent({ parameters }: ApiOperation): boolean {
  return parameters.some(({ name }) => name === 'Idempotency-Key')
}

/** Every operation that can be tried, by its id. */
export function listTryData(api: Api): Record<string, TryData> {
  const operations = api.resources.flatMap((page) => page.operations).filter(canBeTried)
  return Object.fromEntries(operations.map((operation) => [operation.id, tryData(api, operation)]))
}

function tryData(api: Api, operation: ApiOperation): TryData {
  const { method, path, parameters, body } = operation
  const names = (place: string) =>
    parameters.filter((one) => one.in === place).map(({ name }) => name)
  const [example] = examplesOf(api, body, 'request')
  return {
    method,
    path,
    path_names: names('path'),
    query_names: names('query'),
    is_public: operation.operation['x-access']?.level === 'public',
    is_idempotent: isIdempotent(operation),
    ...(example ? { body: example.value } : {}),
  }
}
