import { pascalCase } from '../../core/api/described-schemas.ts'
import type { Operation, Parameter, Reference } from './describe-operation.ts'

type Paths = Record<string, Record<string, Operation>>

/**
 * Parameters that several operations have become components. Of different parameters with one name, the most
 * frequent one has the short name; the most frequent one of a query is then `StoreIdFilter`.
 */
export function shareParameters(paths: Paths) {
  const uses = countUses(paths)
  const parameters: Record<string, Parameter> = {}
  const shared = new Map<string, Reference>()
  for (const [key, { parameter, count }] of uses) {
    const short = pascalCase(parameter.name)
    const name = short in parameters && parameter.in === 'query' ? `${short}Filter` : short
    if (count < 2 || name in parameters) continue
    parameters[name] = parameter
    shared.set(key, { $ref: `#/components/parameters/${name}` })
  }
  const share = (operation: Operation): Operation => ({
    ...operation,
    ...(operation.parameters
      ? { parameters: operation.parameters.map((one) => shared.get(JSON.stringify(one)) ?? one) }
      : {}),
  })
  const sorted = Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    paths: mapOperations(paths, share),
    parameters: Object.fromEntries(sorted),
  }
}

/** Every parameter with the number of its uses, the most frequent first. */
function countUses(paths: Paths) {
  const uses = new Map<string, { parameter: Parameter; count: number }>()
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    for (const parameter of operation.parameters ?? []) {
      if ('$ref' in parameter) continue
      const key = JSON.stringify(parameter)
      uses.set(key, { parameter, count: (uses.get(key)?.count ?? 0) + 1 })
    }
  }
  return [...uses].toSorted(([, a], [, b]) => b.count - a.count)
}

function mapOperations(paths: Paths, change: (operation: Operation) => Operation): Paths {
  const items = Object.entries(paths).map(([path, item]) => {
    const methods = Object.entries(item).map(([method, one]) => [method, change(one)] as const)
    return [path, Object.fromEntries(methods)] as const
  })
  return Object.fromEntries(items)
}
