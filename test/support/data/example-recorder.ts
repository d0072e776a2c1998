import { expect } from 'vitest'
import type { Operation } from '../../../src/http/description/describe-operation.ts'
import { runAllDue } from '../../../src/worker/worker.ts'
import type { TestMerchant, World } from '../world.ts'

/** A call that was made, and the response to it. */
interface Example {
  readonly summary: string
  readonly request?: unknown
  readonly status: string
  readonly response?: unknown
}

/** Examples by the ids of their operations, and by their own names. */
export type Examples = Record<string, Record<string, Example>>

export interface Call {
  body?: object
  query?: Record<string, string>
  /** The response is long, and another example shows it. */
  without_response?: true
  auth?: string
  [id: `${string}_id` | `${string}_key`]: string
}

// biome-ignore lint/suspicious/noExplicitAny: the scenario looks into bodies of every shape
type Body = any

/** Calls operations by their ids. A call with a summary is recorded, with its request and response. */
export function newRecorder(
  world: World,
  shop: TestMerchant,
  known: Readonly<Record<string, string>> = {},
) {
  const { paths } = world.app.describeRoutes()
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  )
  const examples: Examples = {}

  async function call(id: string, summary: string | null, wanted: Call = {}): Promise<Body> {
    const { body, query, auth, without_response, ...ids } = wanted
    const found = operations.find(({ operation }) => operation.operationId === id)
    if (!found) throw new Error(`There is no operation ${id}.`)
    const own = { store_id: shop.store_id, merchant_id: shop.id, gateway: 'alipay_plus_online' }
    const values: Record<string, string> = { ...known, ...own, ...ids }
    const path = found.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
    world.clock.advance(1000)
    const returned = await world.call(found.method.toUpperCase(), path, {
      auth: auth ?? credentialOf(found.operation),
      ...(body ? { body } : {}),
      ...(query ? { query } : {}),
    })
    expect(returned.status, returned.text).toBeLessThan(300)
    if (summary === null) return returned.body
    const name = summary.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
    examples[id] = {
      ...examples[id],
      [name]: {
        summary,
        ...(body ? { request: body } : {}),
        status: String(returned.status),
        ...(without_response ? {} : responseOf(returned)),
      },
    }
    return returned.body
  }

  function credentialOf({ 'x-access': access }: Operation): string | null {
    if (access?.level === 'public') return null
    return access?.level === 'merchant' ? shop.as_merchant : shop.as_store
  }

  return { call, examples, work: () => runAllDue(world.service) }
}

/** JSON, or the text of a file. */
function responseOf({ body, text }: { body: Body; text: string }): { response?: unknown } {
  if (body !== null) return { response: body }
  return text === '' ? {} : { response: text }
}

export type Recorder = ReturnType<typeof newRecorder>
