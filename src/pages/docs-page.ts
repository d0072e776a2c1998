import { createHash } from 'node:crypto'
import type { Http, RouteModule } from '../resources/route.ts'
import { type Chapter, writeGuide } from './docs-guide.ts'
import {
  type ApiDescription,
  groupId,
  groupRoutes,
  type RouteGroup,
  renderRoutes,
  routeLink,
} from './docs-reference.ts'
import { docs_style } from './docs-style.ts'
import { type Html, html, markupOf, prose } from './escaped-html.ts'

const style_hash = createHash('sha256').update(markupOf(docs_style)).digest('base64')

/** The page may load its own style and nothing else: no script, no picture, no other origin. */
const page_headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${style_hash}'; ` +
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}

export const docsRoutes: RouteModule = (http) => {
  const config = { access: { level: 'public' } } as const
  const schema = { hide: true }
  let page: string | null = null

  http.get('/openapi.json', { config, schema }, async () => http.describeRoutes())

  http.get('/docs', { config, schema }, async ({ service }, reply) => {
    page ??= renderDocs(
      http.describeRoutes() as unknown as ApiDescription,
      service.config.base_url ?? addressOf(http),
    )
    return reply.headers(page_headers).send(page)
  })
}

/** Where the service listens, for a program on the same machine. */
function addressOf(http: Http): string {
  const address = http.server.address()
  return `http://localhost:${address && typeof address === 'object' ? address.port : 8080}`
}

function renderDocs(description: ApiDescription, base_url: string): string {
  const { info, components } = description
  const chapters = writeGuide(base_url)
  const groups = groupRoutes(description)
  const find = (reference: string) => components?.schemas?.[reference.split('/').at(-1) ?? ''] ?? {}
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} API ${info.version}</title>
<style>${docs_style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="frame">
${renderNavigation(chapters, groups)}
<main id="content">
<h1>${info.title} API</h1>
<p class="quiet">Version ${info.version}. The same as data: <a href="/openapi.json">openapi.json</a>.</p>
<p>${prose(info.description ?? '')}</p>
${chapters.map(({ id, title, body }) => html`<h2 id="${id}">${title}</h2>${body}`)}
${groups.map(
  (group) =>
    html`<h2 id="${groupId(group.tag)}">${capital(group.tag)}</h2>${renderRoutes(group, find)}`,
)}
</main>
</div>
<footer>${info.title} ${info.version}</footer>
</body>
</html>
`
  return markupOf(page)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function renderNavigation(chapters: Chapter[], groups: RouteGroup[]): Html {
  return html`<nav aria-label="Contents">
<ul>${chapters.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
<ul>${groups.map(
    ({ tag, routes }) => html`<li><details><summary>${capital(tag)}</summary>
<ul><li><a href="#${groupId(tag)}">All of ${tag}</a></li>
${routes.map((route) => html`<li>${routeLink(route)}</li>`)}</ul></details></li>`,
  )}</ul>
</nav>`
}
