import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { page, type Route } from '../../api/routes/operation.ts'
import { fail } from '../../core/api/errors.ts'
import { namesOf } from '../../core/table-names.ts'
import { second_ms } from '../../core/time/clock.ts'
import { choiceOf, languageOf, type RenderedPage, rendered, sendPage } from '../frame/page-frame.ts'
import type { ApiDescription } from './read/api-description.ts'
import { demoCredentialsFor } from './read/local-credentials.ts'
import { type Api, readApi } from './read/read-api.ts'
import { buildIndex } from './read/search-index.ts'
import { listTryData } from './read/try-data.ts'
import { listPages, type ReferencePage } from './reference-pages.ts'
import { reference_texts } from './reference-texts.ts'
import { renderDocument } from './render-document.ts'
import { sample_languages } from './rendering.ts'

const sample_names = namesOf(sample_languages)
/** Every page in one language, or those that are read in several. */
const max_stored = 64
/** A process that has just begun to listen has more urgent work. */
const reading_delay_ms = 5 * second_ms

interface Reference {
  readonly api: Api
  readonly pages: readonly ReferencePage[]
}

/** The reference, made from the description of the routes that are there. */
export function referenceRoutes(
  app: FastifyInstance,
  client_names: ReadonlyMap<string, string>,
): Route[] {
  const stored = new Map<string, RenderedPage>()
  let reference: Reference | null = null

  function read(): Reference {
    if (!reference) {
      const description = app.describeRoutes() as unknown as ApiDescription
      const api = readApi(description, client_names)
      reference = { api, pages: listPages(api) }
    }
    return reference
  }

  // The first reader does not wait for what all pages are made from.
  app.addHook('onListen', async () => {
    setTimeout(read, reading_delay_ms).unref()
  })

  /** Rendered at the first request. The oldest is dropped when there are many. */
  function keep(key: string, render: () => string): RenderedPage {
    const found = stored.get(key) ?? rendered(render())
    stored.set(key, found)
    const [oldest] = stored.keys()
    if (stored.size > max_stored && oldest !== undefined) stored.delete(oldest)
    return found
  }

  function show(request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
    const { api, pages } = read()
    const language = languageOf(request)
    const samples = choiceOf(request, 'samples', sample_names) ?? 'curl'
    const texts = reference_texts[language]
    const { base_url } = request.service.address
    const page = pages.find((one) => one.path === path) ?? null
    const rendering = { api, base_url, language, texts, samples, shown: new Map() }
    const render = () => renderDocument({ pages, page, rendering })
    if (!page) reply.code(404)
    return sendPage(request, reply, keep(`${language} ${samples} ${page?.path}`, render))
  }

  return [
    page({
      at: 'GET /openapi.json',
      right: 'public',
      compresses: true,
      handle: () => app.describeRoutes(),
    }),
    page({
      at: 'GET /docs',
      right: 'public',
      handle: (request, reply) => show(request, reply, '/docs'),
    }),
    page({
      at: 'GET /docs/:page',
      right: 'public',
      handle: (request, reply) => show(request, reply, `/docs/${request.params.page}`),
    }),
    page({
      at: 'GET /docs/objects/:name',
      right: 'public',
      handle: (request, reply) => show(request, reply, `/docs/objects/${request.params.name}`),
    }),
    page({
      at: 'GET /docs/search.json',
      right: 'public',
      handle: (request, reply) => {
        const { api, pages } = read()
        const language = languageOf(request)
        const write = () => JSON.stringify(buildIndex(api, pages, language))
        return sendPage(request, reply, keep(`${language} index`, write), 'application/json')
      },
    }),
    page({
      at: 'GET /docs/operations.json',
      right: 'public',
      handle: (request, reply) => {
        const data = keep('operations', () => JSON.stringify(listTryData(read().api)))
        return sendPage(request, reply, data, 'application/json')
      },
    }),
    page({
      at: 'POST /docs/demo-credentials',
      right: 'public',
      handle: async (request) => {
        const credentials = demoCredentialsFor(request.service, request)
        if (!credentials) fail('NOT_FOUND', { message: 'There are no demo credentials here.' })
        return { credentials }
      },
    }),
  ]
}
