import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { page, type Route } from '../../api/routes/operation.ts'
import { fail } from '../../core/api/errors.ts'
import { isUsableExpiry, splitExpiry } from '../../core/time/expiry.ts'
import { halfWidth } from '../../core/typed/half-width.ts'
import { isPacked, type PackedFile, packText, readPacked, sendPacked } from './packed-file.ts'

/** Styles, scripts and icons of the pages, beside the built program or in the repository. */
const places = ['./web/', '../../../web/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)
const folders = ['checkout', 'design', 'hosted', 'icons', 'reference', 'start']

const content_types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
}

export function contentTypeOf(extension: string): string {
  return content_types[extension] ?? 'application/octet-stream'
}

interface WebFiles {
  /** Changes with any of the files, so that browsers may keep them for good. */
  readonly version: string
  /** By folder and name: `design/tokens.css`. */
  readonly contents: ReadonlyMap<string, PackedFile>
}

let files: WebFiles | null = null

/** Read once, when the first page is requested: commands need none of them. */
function webFiles(): WebFiles {
  files ??= readFiles()
  return files
}

function readFiles(): WebFiles {
  const place = places.find((path) => existsSync(path))
  if (!place) throw new Error(`The files of the pages are not in ${places[0]}.`)
  const hash = createHash('sha256')
  const contents = new Map<string, PackedFile>()
  for (const folder of folders) {
    for (const name of readdirSync(join(place, folder)).sort()) {
      if (isPacked(name)) continue
      const content = readPacked(join(place, folder, name))
      contents.set(`${folder}/${name}`, content)
      hash.update(name).update(content.plain)
    }
  }
  contents.set(typing_rules_file, packText(typing_rules))
  for (const name of ['hosted', 'reference', 'start']) joinStyles(contents, name)
  joinStyles(contents, 'checkout', ['hosted/hosted.css'])
  return { version: hash.digest('hex').slice(0, 12), contents }
}

/**
 * The rules by which the service reads what a customer types are those of the pages too. Their text depends
 * on the build, so it is not in the version: browsers keep it for an hour.
 */
const typing_rules_file = 'checkout/typing-rules.js'
const typing_rules = Object.entries({ halfWidth, splitExpiry, isUsableExpiry })
  .map(([name, rule]) => `export const ${name} = ${rule}\n`)
  .join('')

/** A page loads one style: the tokens, what every page has, and its own. */
function joinStyles(contents: Map<string, PackedFile>, name: string, more: string[] = []): void {
  const parts = ['design/tokens.css', 'design/base.css', ...more, `${name}/${name}.css`]
  const found = parts.map((part) => contents.get(part)?.plain ?? Buffer.alloc(0))
  contents.set(`styles/${name}.css`, packText(Buffer.concat(found)))
}

/**
 * The style of a page, for pages that are waited for: in the page itself, it needs no request of its own
 * before anything is seen. The hash is for the content policy.
 */
export function inlineStyle(name: string): { readonly text: string; readonly hash: string } {
  const text = (webFiles().contents.get(`styles/${name}.css`) ?? fail('NOT_FOUND')).plain.toString()
  return { text, hash: createHash('sha256').update(text).digest('base64') }
}

/** The script that shops load; it is one file, so that its hash can be written into their pages. */
function shopScript(): PackedFile {
  return webFiles().contents.get('checkout/shop-script.js') ?? fail('NOT_FOUND')
}

/** The address of a file, which is another one when any file has changed. */
export function webFile(name: string): string {
  const { version, contents } = webFiles()
  if (!contents.has(name)) throw new Error(`There is no file ${name}.`)
  return `/assets/${version}/${name}`
}

const of_file = { right: 'public', rate: 'none', admit_as: 'other' } as const
const a_year_s = 31_536_000
const a_week_s = 604_800
const an_hour_s = 3600

/**
 * A page of another release may ask for its own version during an update: it gets these files, but must
 * not keep them. There is no rate limit: a browser that keeps nothing asks for all of them at every page.
 */
export const webFileRoutes: readonly Route[] = [
  page({
    at: 'GET /assets/:version/:folder/:name',
    ...of_file,
    handle: (request, reply) => {
      const { version, folder, name } = request.params
      const { contents, version: current } = webFiles()
      const content = contents.get(`${folder}/${name}`)
      if (!content) return fail('NOT_FOUND', { message: 'There is no such file.' })
      if (`${folder}/${name}` === typing_rules_file) {
        reply.header('cache-control', `public, max-age=${an_hour_s}`)
      } else if (version === current) {
        reply.header('cache-control', `public, max-age=${a_year_s}, immutable`)
      }
      return sendPacked(request, reply.type(contentTypeOf(extname(name))), content)
    },
  }),

  // Shops write this address into their pages: it stays the same, and browsers ask whether it has changed.
  page({
    at: 'GET /checkout.js',
    ...of_file,
    handle: (request, reply) => {
      const content = shopScript()
      const etag = `"${createHash('sha256').update(content.plain).digest('base64url').slice(0, 22)}"`
      reply.headers({
        'access-control-allow-origin': '*',
        'cache-control': `public, max-age=${an_hour_s}, stale-while-revalidate=${a_week_s}`,
        'cross-origin-resource-policy': 'cross-origin',
        etag,
      })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return sendPacked(request, reply.type(contentTypeOf('.js')), content)
    },
  }),

  page({
    at: 'GET /favicon.ico',
    ...of_file,
    handle: (_request, reply) => {
      reply.header('cache-control', 'public, max-age=86400').type('image/x-icon')
      return reply.send(webFiles().contents.get('icons/favicon.ico')?.plain)
    },
  }),
]
