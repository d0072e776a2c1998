import { type ApiMethod, newApiMethod, readEntry } from './api-method.ts'
import { type FollowOptions, followEvents } from './follow-events.ts'
import { lifecycles, routes } from './generated/api-routes.ts'
import type {
  Cancel,
  CancelsResource,
  Charge,
  CustomsDeclaration,
  Event,
  EventsResource,
  Refund,
  Resources,
  Subscription,
} from './generated/api-types.ts'
import { newPacing } from './pacing.ts'
import type { CallOptions, Connection } from './send-request.ts'
import { type WaitOptions, type WithStatus, waitUntil } from './wait-until.ts'

export interface KaikeiOptions {
  /** The address of the service. */
  base_url: string
  /** The JWT of an application token. */
  jwt?: string
  /** The secret of the application token. Never in a page: there the JWT alone is used. */
  secret?: string
  /** The store of all calls. The token of a store names its own. */
  store_id?: string
  /** How long each attempt of a call may take; 35 s by default, 5 more than the service needs. */
  timeout_ms?: number
  /** How often a call is repeated at most; 3 by default. */
  max_retries?: number
  /** Headers of every call, read again for each. */
  headers?: () => Record<string, string>
  fetch?: typeof fetch
}

/** Resources that can be waited for. */
interface Waiting<Ids extends string[], Resource extends WithStatus> {
  /**
   * Reads the resource until it has the status, or one of several. Rejects with `STATUS_UNREACHABLE` as
   * soon as that has become impossible, and with `TIMED_OUT` after `timeout_ms`.
   */
  waitUntil<Status extends Resource['status']>(
    ...args: [...ids: Ids, wanted: Status | readonly Status[], options?: WaitOptions]
  ): Promise<Resource & { status: Status }>
}

type OfCharge<Id extends string[]> = [charge_id: string, ...Id]

export interface Kaikei extends Resources {
  readonly charges: Resources['charges'] &
    Waiting<[charge_id: string], Charge> & {
      /** Cancel a charge that waits or is authorized: the same as `cancels.create`. */
      cancel: CancelsResource['create']
    }
  readonly refunds: Resources['refunds'] & Waiting<OfCharge<[refund_id: string]>, Refund>
  readonly cancels: CancelsResource & Waiting<OfCharge<[cancel_id: string]>, Cancel>
  readonly customs: Resources['customs'] &
    Waiting<OfCharge<[customs_declaration_id: string]>, CustomsDeclaration>
  readonly subscriptions: Resources['subscriptions'] &
    Waiting<[subscription_id: string], Subscription>
  readonly events: EventsResource & {
    /** Every event in its order, as it happens, until the signal is aborted. */
    follow(options?: FollowOptions): AsyncGenerator<Event, void>
  }
}

/** The lifecycles of the resources that can be waited for. */
const waited_for = {
  charges: 'charge',
  refunds: 'refund',
  cancels: 'cancel',
  customs: 'customs_declaration',
  subscriptions: 'subscription',
} as const

/** With a key the service responds before the clock has moved. */
const without_key = routes.test.advanceClock

type Methods = Record<string, ApiMethod>

/** A client with one application token. Its methods are the operations of the API. */
export const Kaikei = class Kaikei {
  constructor(options: KaikeiOptions) {
    const resources = newResources(options, routes)
    const { charges, cancels, events } = resources
    charges.cancel = cancels.create as ApiMethod
    events.follow = (following) => followEvents(events.list as ApiMethod, following)
    for (const name of Object.keys(waited_for) as (keyof typeof waited_for)[]) {
      resources[name].waitUntil = newWaiting(name, resources[name].get as ApiMethod)
    }
    Object.assign(this, resources)
  }
} as unknown as new (
  options: KaikeiOptions,
) => Kaikei

type Tables = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The resources of a table of routes, each with its methods. */
export function newResources<Routes extends Tables>(
  { base_url, secret, jwt, ...options }: KaikeiOptions,
  tables: Routes,
) {
  const credentials = secret ? `${secret}.${jwt}` : jwt
  const connection: Connection = {
    base_url: base_url.replace(/\/+$/, ''),
    authorization: credentials ? `Bearer ${credentials}` : null,
    headers: options.headers ?? (() => ({})),
    fetch: options.fetch ?? fetch,
    timeout_ms: options.timeout_ms ?? 35_000,
    max_retries: options.max_retries ?? 3,
    pacing: newPacing(),
  }
  const store_id = options.store_id ?? storeOf(jwt)
  const resources = {} as Record<keyof Routes, Methods>
  for (const [resource, table] of Object.entries(tables)) {
    const methods: Methods = {}
    for (const [name, entry] of Object.entries(table)) {
      const defaults = entry === without_key ? { idempotency_key: null } : {}
      methods[name] = newApiMethod(connection, entry, store_id, defaults)
    }
    resources[resource as keyof Routes] = methods
  }
  return resources
}

/** The store that the JWT of an application token names. */
function storeOf(jwt = ''): string | null {
  try {
    const [, claims = ''] = jwt.split('.')
    return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))).store_id ?? null
  } catch {
    return null
  }
}

function newWaiting(name: keyof typeof waited_for, get: ApiMethod): ApiMethod {
  const lifecycle = waited_for[name]
  const { id_count } = readEntry(routes[name].get)
  return (...args) => {
    const ids = args.splice(0, id_count)
    const [wanted, options = {}] = args
    const read = (call: CallOptions) => get(...ids, { polling: true }, call)
    return waitUntil(lifecycle, lifecycles[lifecycle], [wanted].flat(), read, options)
  }
}
