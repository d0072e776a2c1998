import type { FastifyRequest } from 'fastify'
import { page, type Route } from '../../api/routes/operation.ts'
import type { Mode } from '../../core/access/caller.ts'
import { fail } from '../../core/api/errors.ts'
import { type Html, html, prose } from '../frame/escaped-html.ts'
import { type Language, languageOf, rendered, renderPage, sendPage } from '../frame/page-frame.ts'
import { card, codeBlock, renderTop } from '../frame/page-parts.ts'
import { firstCalls } from '../reference/guides/render-overview.ts'
import { type StartTexts, start_texts } from './start-texts.ts'

/** The current reasons why a request would fail; empty: the service is ready. */
type FindFaults = () => Promise<readonly string[]>

interface State {
  readonly faults: readonly string[]
  readonly modes: ReadonlySet<Mode>
  readonly base_url: string
  readonly has_console: boolean
}

/** `/` is a page for people. Programs, which do not ask for HTML, get the error of an unknown path. */
export function startRoutes(findFaults: FindFaults): Route[] {
  return [
    page({
      at: 'GET /',
      right: 'public',
      handle: async (request, reply) => {
        if (!wantsPage(request)) fail('NOT_FOUND', { message: 'There is no such route.' })
        const state = await readState(request, findFaults)
        return sendPage(request, reply, rendered(renderStart(state, languageOf(request))))
      },
    }),
  ]
}

function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true
}

async function readState(request: FastifyRequest, findFaults: FindFaults): Promise<State> {
  const { service, server } = request
  return {
    faults: await findFaults(),
    modes: new Set(service.providers.all.flatMap(({ capabilities }) => capabilities.modes)),
    base_url: service.address.base_url,
    has_console: server.hasRoute({ method: 'GET', url: '/console' }),
  }
}

function renderStart(state: State, language: Language): string {
  const texts = start_texts[language]
  const copy = html`<button class="copy" type="button" hidden
 data-copied="${texts.copied}">${texts.copy}</button>`
  return renderPage({
    language,
    title: 'Kaikei',
    description: texts.description,
    style: 'styles/start.css',
    scripts: ['start/start.js'],
    body: html`<a class="skip" href="#content">${texts.skip}</a>
${renderTop(language, texts, null)}
<main id="content" tabindex="-1">
<h1>Kaikei</h1>
<p class="lead">${texts.lead}</p>
${renderState(state, texts)}
${renderLinks(state, texts)}
<section><h2>${texts.first_call}</h2>
<p>${prose(texts.first_call_hint)}</p>
${card('curl', codeBlock('curl', firstCalls(state.base_url)), copy)}</section>
</main>`,
  })
}

function renderState({ faults, modes }: State, texts: StartTexts): Html {
  const health =
    faults.length === 0
      ? badge('good', texts.healthy, texts.healthy_meaning)
      : badge('bad', texts.unhealthy, faults.join('; '))
  const live = modes.has('live')
    ? badge('good', texts.live_on, texts.live_meaning)
    : badge('off', texts.live_off, texts.live_off_meaning)
  return html`<ul class="state" aria-label="${texts.state}">${health}${
    modes.has('test') ? badge('test', texts.test_on, texts.test_meaning) : null
  }${live}</ul>`
}

/** Dots differ in shape as well as in color. */
function badge(kind: 'good' | 'bad' | 'test' | 'off', name: string, words: string): Html {
  return html`<li class="${kind}"><span class="dot" aria-hidden="true"></span>
<strong>${name}</strong><span>${words}</span></li>
`
}

function renderLinks({ has_console }: State, { links }: StartTexts): Html {
  const rows = [
    ['/docs/guides/five-minutes', links.quick_start],
    ['/docs/guides/checkout', links.checkout],
    ['/docs/guides/demo-shop', links.shop],
    ['/docs', links.guides],
    ['/docs/charges', links.reference],
    ['/docs/test-scenarios', links.scenarios],
    ...(has_console ? ([['/console', links.console]] as const) : []),
  ] as const
  return html`<ul class="links">${rows.map(
    ([address, [title, words]]) =>
      html`<li><a href="${address}"><strong>${title}</strong><span>${prose(words)}</span></a></li>
`,
  )}</ul>`
}
