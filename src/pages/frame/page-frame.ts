import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { queryText } from '../../api/routes/request-parts.ts'
import { cookiesNamed } from '../../core/text/http/cookies.ts'
import { chooseLanguage } from '../../core/text/http/languages.ts'
import { type Html, html, markupOf } from './escaped-html.ts'
import { type PackedFile, packText, sendPacked } from './packed-file.ts'
import { webFile } from './web-files.ts'

export const languages = ['en', 'ja'] as const
export type Language = (typeof languages)[number]

/** Pages load our own files and call our own service; nothing is inline, nothing comes from elsewhere. */
export const page_policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
  "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
const page_headers = {
  'content-security-policy': page_policy,
  vary: 'accept, accept-language, cookie',
} as const

/** A reader's choices on a page; links have them in the query, cookies remember them. */
type ChoiceName = 'language' | 'samples'

function queried(request: FastifyRequest, name: ChoiceName): string | null {
  const value = queryText(request, name)
  return is_choice.test(value) ? value : null
}

const is_choice = /^[a-z]{2,16}(-[a-z]{4})?$/i

/** The choice of a reader, now or before; null: they have not chosen one of these. */
export function choiceOf<const T extends string>(
  request: FastifyRequest,
  name: ChoiceName,
  offered: readonly T[],
): T | null {
  const [remembered] = cookiesNamed(request.headers.cookie, name)
  const isOffered = (value: string | null | undefined) => offered.find((one) => one === value)
  return isOffered(queried(request, name)) ?? isOffered(remembered) ?? null
}

/** The language that was chosen on a page; otherwise that of the browser. */
export function languageOf(request: FastifyRequest): Language {
  return chosenLanguage(request, languages)
}

export function chosenLanguage<const T extends string>(
  request: FastifyRequest,
  offered: readonly [T, ...T[]],
): T {
  const chosen = choiceOf(request, 'language', offered)
  return chosen ?? chooseLanguage(request.headers['accept-language'], offered)
}

export interface Page {
  readonly language: Language
  readonly title: string
  readonly description: string
  /** Names of our own files. */
  readonly style: string
  readonly scripts: readonly string[]
  readonly body: Html
}

/** A whole document. The color scheme is set before anything is painted. */
export function renderPage(page: Page): string {
  const { language, title, description, style, scripts, body } = page
  return markupOf(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<script src="${webFile('design/theme.js')}"></script>
<link rel="stylesheet" href="${webFile(style)}">
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="${webFile('icons/icon.svg')}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${webFile('icons/icon-180.png')}">
${scripts.map(
  (name) => html`<script type="module" fetchpriority="low" src="${webFile(name)}"></script>
`,
)}</head>
<body>
${body}
</body>
</html>
`)
}

export interface RenderedPage {
  /** Compressed when it is first sent. */
  pack(): PackedFile
  readonly etag: string
}

export function rendered(text: string): RenderedPage {
  let packed: PackedFile | null = null
  const pack = () => {
    packed ??= packText(text)
    return packed
  }
  return { pack, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

const a_year_s = 31_536_000

/** A choice in the query holds for the next pages too. */
export function rememberChoices(request: FastifyRequest, reply: FastifyReply): void {
  for (const name of ['language', 'samples'] as const) {
    const chosen = queried(request, name)
    if (!chosen) continue
    const cookie = `${name}=${chosen}; Path=/; Max-Age=${a_year_s}; SameSite=Lax; HttpOnly`
    reply.header('set-cookie', cookie)
  }
}

/** A browser that has the page already gets a 304. A choice in the query is remembered. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { pack, etag }: RenderedPage,
  type = 'text/html; charset=utf-8',
  more_headers: Readonly<Record<string, string>> = {},
): FastifyReply {
  rememberChoices(request, reply)
  reply
    .headers({ ...page_headers, ...more_headers })
    .header('cache-control', 'private, no-cache')
    .header('etag', etag)
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return sendPacked(request, reply.type(type), pack())
}
