import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyRequest } from 'fastify'
import { page, type Route } from '../../api/routes/operation.ts'
import { fail } from '../../core/api/errors.ts'
import { type Html, html, markupOf } from '../frame/escaped-html.ts'
import { isPacked, type PackedFile, readPacked, sendPacked } from '../frame/packed-file.ts'
import { languageOf, page_policy, rendered, sendPage } from '../frame/page-frame.ts'
import { contentTypeOf, webFile } from '../frame/web-files.ts'

/** The built web app, beside the built program or in the repository. */
const places = ['./web/console/', '../../../dist/web/console/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

interface ConsoleFiles {
  readonly contents: ReadonlyMap<string, PackedFile>
  /** Script and styles of the first chunk, and the chunks that it imports. */
  readonly script: string
  readonly styles: readonly string[]
  readonly imports: readonly string[]
}

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

let files: ConsoleFiles | null = null

/** Read once, when the console is first opened. */
function consoleFiles(): ConsoleFiles {
  files ??= readFiles()
  return files
}

function readFiles(): ConsoleFiles {
  const place = places.find((path) => existsSync(path))
  if (!place) throw new Error('The console is not built: npm start builds it.')
  const chunks: Record<string, Chunk> = JSON.parse(readFileSync(`${place}files.json`, 'utf8'))
  const entry = Object.values(chunks).find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('The console has no first chunk.')
  const imports = (entry.imports ?? []).flatMap((name) => chunks[name] ?? [])
  const names = readdirSync(`${place}assets`).filter((name) => !isPacked(name))
  return {
    contents: new Map(names.map((name) => [name, readPacked(`${place}assets/${name}`)])),
    script: entry.file,
    styles: [entry, ...imports].flatMap(({ css }) => css ?? []),
    imports: imports.map(({ file }) => file),
  }
}

const of_page = { right: 'public', rate: 'none', admit_as: 'other' } as const
/** Screens may frame pages of our own; these decide whether they can be framed. */
const console_headers = { 'content-security-policy': `${page_policy}; frame-src 'self'` }
const a_year_s = 31_536_000

/** Every address of the console is the same page; the app shows the screen of the address. */
export const consolePageRoutes: readonly Route[] = [
  ...(['GET /console', 'GET /console/*'] as const).map((at) =>
    page({
      at,
      ...of_page,
      handle: (request, reply) =>
        sendPage(request, reply, rendered(renderConsole(request)), undefined, console_headers),
    }),
  ),

  page({
    at: 'GET /console/assets/:name',
    ...of_page,
    handle: (request, reply) => {
      const { name } = request.params
      const file = consoleFiles().contents.get(name)
      if (!file) return fail('NOT_FOUND', { message: 'There is no such file.' })
      reply.header('cache-control', `public, max-age=${a_year_s}, immutable`)
      return sendPacked(request, reply.type(contentTypeOf(extname(name))), file)
    },
  }),
]

/** The language is a hint for the first moment: the app has its own choice. */
function renderConsole(request: FastifyRequest): string {
  const { script, styles, imports } = consoleFiles()
  return markupOf(html`<!doctype html>
<html lang="${languageOf(request)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Kaikei</title>
<script src="${webFile('design/theme.js')}"></script>
${styles.map(
  (name): Html => html`<link rel="stylesheet" href="/console/${name}">
`,
)}${imports.map(
  (name): Html => html`<link rel="modulepreload" href="/console/${name}">
`,
)}<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="${webFile('icons/icon.svg')}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${webFile('icons/icon-180.png')}">
<script type="module" src="/console/${script}"></script>
</head>
<body>
<div id="app"></div>
</body>
</html>
`)
}
