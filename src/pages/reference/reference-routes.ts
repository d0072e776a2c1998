import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../core/errors.ts'
import { second_ms } from '../../core/time/clock.ts'
import type { RouteModule } from '../../resources/route.ts'
import { choiceOf, languageOf, type RenderedPage, rendered, sendPage } from '../page-frame.ts'
import type { ApiDescription } from './api-description.ts'
import { demoCredentialsFor } from './local-credentials.ts'
import { type Api, readApi } from './read-api.ts'
import { listPages, type ReferencePage } from './reference-pages.ts'
import { reference_texts } from './reference-texts.ts'
import { renderDocument } from './render-document.ts'
import { type SampleLanguage, sample_languages } from './rendering.ts'
import { buildIndex } from './search-index.ts'
import { listTryData } from './try-data.ts'

const sample_names = Object.keys(sample_languages) as SampleLanguage[]
/** Every page in one language, or those that are read in several. */
const max_kept = 64
/** A process that has just begun to listen has more urgent work. */
const reading_delay_ms = 5 * second_ms

interface Reference {
  readonly api: Api
  readonly pages: readonly ReferencePage[]
}

/** The reference, made from the description of the routes that are there. */
export const referenceRoutes: RouteModule = (http) => {
  const config = { access: { level: 'public' } } as const
  const schema = { hide: true }
  const kept = new Map<string, RenderedPage>()
  let reference: Reference | null = null

  function read(): Reference {
    if (!reference) {
      const api = readApi(http.describeRoutes() as unknown as ApiDescription)
      reference = { api, pages: listPages(api) }
    }
    return reference
  }

  // The first reader does not wait for what all pages are made from.
  http.addHook('onListen', async () => {
    setTimeout(read, reading_delay_ms).unref()
  })

  /** Rendered at the first request. The oldest is dropped when there are many. */
  function keep(key: string, render: () => string): RenderedPage {
    const found = kept.get(key) ?? rendered(render())
    kept.set(key, found)
    const [oldest] = kept.keys()
    if (kept.size > max_kept && oldest !== undefined) kept.delete(oldest)
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

  const described = { config: { ...config, compresses: true }, schema }
  http.get('/openapi.json', described, async () => http.describeRoutes())
  http.get('/docs', { config, schema }, async (request, reply) => show(request, reply, '/docs'))
  http.get('/docs/:page', { config, schema }, async (request, reply) => {
    const { page } = request.params as { page: string }
    return show(request, reply, `/docs/${page}`)
  })
  http.get('/docs/objects/:name', { config, schema }, async (request, reply) => {
    const { name } = request.params as { name: string }
    return show(request, reply, `/docs/objects/${name}`)
  })

  http.get('/docs/search.json', { config, schema }, async (request, reply) => {
    const { api, pages } = read()
    const language = languageOf(request)
    const write = () => JSON.stringify(buildIndex(api, pages, language))
    return sendPage(request, reply, keep(`${language} index`, write), 'application/json')
  })

  http.get('/docs/operations.json', { config, schema }, async (request, reply) => {
    const data = keep('operations', () => JSON.stringify(listTryData(read().api)))
    return sendPage(request, reply, data, 'application/json')
  })

  http.post('/docs/demo-credentials', { config, schema }, async (request) => {
    const credentials = demoCredentialsFor(request.service, request)
    if (!credentials) fail('NOT_FOUND', { message: 'There are no demo credentials here.' })
    return { credentials }
  })
}
