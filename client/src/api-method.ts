import { newList, type Page } from './list-pages.ts'
import { type CallOptions, type Connection, sendRequest } from './send-request.ts'

type Fields = Record<string, unknown>

// biome-ignore lint/suspicious/noExplicitAny: the generated types say what each method takes and returns
export type ApiMethod = (...args: any[]) => any

/**
 * The method of an entry in the table of routes. Its arguments are the ids of the path, the fields of the
 * body or query if there are some, and the options.
 */
export function newApiMethod(
  connection: Connection,
  entry: string,
  own_store_id: string | null,
  defaults: CallOptions,
): ApiMethod {
  const { verb, route, has_fields, id_count } = readEntry(entry)
  return (...args) => {
    const ids = args.splice(0, id_count)
    const fields: Fields = (has_fields && args.shift()) ?? {}
    const options: CallOptions = { ...defaults, ...args[0] }
    const { store_id = own_store_id } = options
    const send = async (method: string, query: Fields, body?: Fields) => {
      const path = fillPath(route, ids, store_id) + queryText(query)
      return sendRequest(connection, { method, route, path, body }, options)
    }
    if (verb === 'LIST') {
      return newList(fields, (query) => send('GET', query) as Promise<Page<Fields>>)
    }
    return verb === 'POST' || verb === 'PATCH' ? send(verb, {}, fields) : send(verb, fields)
  }
}

const store_prefix = /^\/stores\/\{store_id(\??)\}(?=\/)/

/** A caller passes all ids of a path but the store before the rest of it. */
export function readEntry(entry: string) {
  const [verb = '', route = '', has_fields] = entry.split(' ')
  return {
    verb,
    route,
    has_fields,
    id_count: route.replace(store_prefix, '').split('{').length - 1,
  }
}

function fillPath(route: string, ids: string[], store_id: string | null): string {
  return route
    .replace(store_prefix, (_, is_optional) => {
      if (store_id) return `/stores/${encodeURIComponent(store_id)}`
      if (is_optional) return ''
      throw new TypeError(`${route} needs a store: pass store_id to the client or to the call.`)
    })
    .replace(/\{(\w+)\}/g, (_, name) => {
      const id = ids.shift()
      if (!id) throw new TypeError(`${route} needs ${name}.`)
      return encodeURIComponent(id)
    })
}

export function queryText(fields: Fields): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) for (const one of value) query.append(`${name}[]`, String(one))
    else if (value !== undefined && value !== null) query.set(name, String(value))
  }
  return query.size > 0 ? `?${query}` : ''
}
