import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { page, type Route } from '../../api/routes/operation.ts'
import { fail } from '../../core/api/errors.ts'
import { namesOf } from '../../core/table-names.ts'
import { second_ms } from '../../core/time/clock.ts'
import { choiceOf, languageOf, type RenderedPage, rendered, sendPage } from '../frame/page-frame.ts'
import { llmsFullText, llmsText, markdownOf } from './documents/llms-text.ts'
import type { ApiDescription } from './read/api-description.ts'
import { demoCredentialsFor } from './read/local-credentials.ts'
import { type Api, readApi } from './read/read-api.ts'
import { buildIndex } from './read/search-index.ts'
import { listTryData } from './read/try-data.ts'
import { listPages, type ReferencePage } from './reference-pages.ts'
import { reference_texts } from './reference-texts.ts'
import { renderDocument } from './render-document.ts'
import { type Rendering, sample_languages } from './rendering.ts'

const sample_names = namesOf(sample_languages)
/** Every page in one language, or those that are read in several. */
const max_stored = 96
/** A process that has just begun to listen has more urgent work. */
const reading_delay_ms = 5 * second_ms

interface Reference {
  readonly api: Api
  readonly pages: readonly ReferencePage[]
}

const markdown_type = 'text/markdown; charset=utf-8'
const text_type = 'text/plain; charset=utf-8'

/** The pages, read at the first use, and each as it was rendered. */
function newReference(app: FastifyInstance, client_names: ReadonlyMap<string, string>) {
  const stored = new Map<string, RenderedPage>()
  let reference: Reference | null = null

  function read(): Reference {
    if (!reference) {
      const description = app.describeRoutes('api') as unknown as ApiDescription
      const api = readApi(description, client_names)
      reference = { api, pages: listPages(api) }
    }
    return reference
  }

  /** Rendered at the first request. The oldest is dropped when there are many. */
  function keep(key: string, render: () => string): RenderedPage {
    const found = stored.get(key) ?? rendered(render())
    stored.set(key, found)
    const [oldest] = stored.keys()
    if (stored.size > max_stored && oldest !== undefined) stored.delete(oldest)
    return found
  }

  function renderingFor(request: FastifyRequest): Rendering {
    const language = languageOf(request)
    const samples = choiceOf(request, 'samples', sample_names) ?? 'curl'
    const { base_url } = request.service.address
    const texts = reference_texts[language]
    return { api: read().api, base_url, language, texts, samples, shown: new Map() }
  }
  return { read, keep, renderingFor }
}

/** The reference, made from the description of the routes that are there and from the documents. */
export function referenceRoutes(
  app: FastifyInstance,
  client_names: ReadonlyMap<string, string>,
): Route[] {
  const { read, keep, renderingFor } = newReference(app, client_names)
  // The first reader does not wait for what all pages are made from.
  app.addHook('onListen', async () => {
    setTimeout(read, reading_delay_ms).unref()
  })

  /** A page, or its text when the address ends in `.md`. */
  function show(request: FastifyRequest, reply: FastifyReply, address: string): FastifyReply {
    const { pages } = read()
    const path = address.replace(/\.md$/, '')
    const page = pages.find((one) => one.path === path) ?? null
    const rendering = renderingFor(request)
    const key = `${rendering.language} ${rendering.samples} ${page ? address : null}`
    if (!page) reply.code(404)
    if (page && address !== path) {
      const text = keep(key, () => markdownOf(page, rendering))
      return sendPage(request, reply, text, markdown_type)
    }
    return sendPage(
      request,
      reply,
      keep(key, () => renderDocument({ pages, page, rendering })),
    )
  }

  const showAt =
    (folder: string) =>
    (request: FastifyRequest<{ Params: { name: string } }>, reply: FastifyReply) =>
      show(request, reply, folder + request.params.name)

  return [
    page({
      at: 'GET /openapi.json',
      right: 'public',
      compresses: true,
      handle: () => app.describeRoutes('api'),
    }),
    page({
      at: 'GET /console-openapi.json',
      right: 'public',
      compresses: true,
      handle: () => app.describeRoutes('console'),
    }),
    page({ at: 'GET /docs', right: 'public', handle: (...all) => show(...all, '/docs') }),
    page({ at: 'GET /docs.md', right: 'public', handle: (...all) => show(...all, '/docs.md') }),
    page({ at: 'GET /docs/:name', right: 'public', handle: showAt('/docs/') }),
    page({ at: 'GET /docs/guides/:name', right: 'public', handle: showAt('/docs/guides/') }),
    page({ at: 'GET /docs/objects/:name', right: 'public', handle: showAt('/docs/objects/') }),
    ...programRoutes({ read, keep, renderingFor }),
  ]
}

/** Data for the scripts of the pages and for other programs. */
function programRoutes({ read, keep, renderingFor }: ReturnType<typeof newReference>): Route[] {
  let full_text: Promise<string> | null = null
  return [
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
      at: 'GET /llms.txt',
      right: 'public',
      handle: (request, reply) => {
        const english = { ...renderingFor(request), texts: reference_texts.en }
        const text = keep('llms', () => llmsText(read().pages, english))
        return sendPage(request, reply, text, text_type)
      },
    }),
    page({
      at: 'GET /llms-full.txt',
      right: 'public',
      handle: async (request, reply) => {
        const english = { language: 'en', texts: reference_texts.en, samples: 'curl' } as const
        full_text ??= llmsFullText(read().pages, { ...renderingFor(request), ...english })
        const text = await full_text
        return sendPage(
          request,
          reply,
          keep('llms full', () => text),
          text_type,
        )
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
